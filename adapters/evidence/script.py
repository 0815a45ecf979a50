"""Which turn of which play answers a model request."""

import re
import threading
from collections.abc import Mapping, Sequence

from adapters.evidence.scenario import Turn

MARK = re.compile(r"\[\[play ([a-z0-9_-]+)\]\]")
"""How a prompt names the play that answers it."""

FINISHED = Turn(say="finished")
"""What the model says when its play is over."""

OK = 200


class Script:
    """Plays turns, one conversation apart from another; safe to use from several threads."""

    def __init__(self, plays: Mapping[str, Sequence[Turn]]) -> None:
        """Take the plays by name."""
        self._plays = plays
        self._next: dict[tuple[str, str], int] = {}
        self._lock = threading.Lock()

    def turn(self, thread: str, prompts: Sequence[str]) -> tuple[str, int, Turn]:
        """Return the play's name, the turn's number and the turn that answers now in a conversation.

        The last mark in the `prompts` decides the play. Each play is played once in a conversation;
        what comes after its end, or without any mark, is answered with a few words. A turn that is an
        error answers the host's further attempts too.
        """
        marks = [mark for prompt in prompts for mark in MARK.findall(prompt)]
        name = marks[-1] if marks else ""
        turns = self._plays.get(name, ())
        with self._lock:
            number = self._next.get((thread, name), 0)
            turn = turns[number] if number < len(turns) else FINISHED
            if turn.status == OK:
                self._next[thread, name] = number + 1
        return name, number, turn
