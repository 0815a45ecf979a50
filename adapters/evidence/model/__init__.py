"""A scripted model on loopback: one server, one module for each wire protocol that a host speaks."""

from adapters.evidence.model import anthropic_messages, openai_responses
from adapters.evidence.model.wire import Wire

WIRES: dict[str, Wire] = {
    "anthropic-messages": anthropic_messages,
    "openai-responses": openai_responses,
}
"""All protocols, by name."""
