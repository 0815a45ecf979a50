"""How Codex is made to call readmark: its file for hooks, its events, its plugins."""

from adapters.hosts.codex_form import READING
from contracts.host import Hook, Plugin, Registration

VERSION = r"\d+\.\d+\.\d+[0-9A-Za-z.+-]{0,32}"

FOLDER = ".codex"
"""The host's own folder in a home and in a project."""
VARIABLE = "CODEX_HOME"
"""The variable by which a user moves the one in the home."""

REGISTRATION = Registration(
    file=f"{FOLDER}/hooks.json",
    timeout_unit="s",
    program="codex",
    folder_variable=VARIABLE,
    version_line=f"codex-cli ({VERSION})",
    trust=(
        "Codex runs hooks only after you trust them: start `codex` in a terminal once and choose to trust"
        " them. Until then `codex exec` skips them silently."
    ),
    reading=READING,
    hooks=(
        Hook("SessionStart", None, 5),
        Hook("PostToolUse", "^Bash$", 5, only_readers=True),
        Hook("SubagentStart", None, 5),
        # Observed, though no payload shows it: such a hook gets 1 s by itself, and never more than 3 s.
        Hook("SessionEnd", None, 2),
    ),
    plugin=Plugin(
        marketplace=".agents/plugins/marketplace.json",
        folder="plugins/readmark",
        manifest=".codex-plugin/plugin.json",
        listing={},
        entry={
            "source": {"source": "local", "path": "./plugins/readmark"},
            "policy": {"installation": "AVAILABLE", "authentication": "ON_INSTALL"},
            "category": "Developer Tools",
        },
        add=("codex plugin marketplace add {folder}", "codex plugin add readmark@readmark"),
        remove=("codex plugin remove readmark@readmark", "codex plugin marketplace remove readmark"),
        switch_file="config.toml",
        switch_table="plugins",
    ),
)
