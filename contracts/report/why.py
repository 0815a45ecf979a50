"""What `readmark why` prints."""

from typing import Literal

from contracts.report.base import Explained, Part
from contracts.report.status import SeenRefusal


class WhyReport(Part, frozen=True, kw_only=True):
    """Whether a file would count if the main agent read it now, where the host works in `folder`.

    What counts names its `kind` and `id`, and the `title` and `applies_when` that a subagent would be told.
    `last_refused` is the last read of it that a hook refused, and why.
    """

    state: Literal["counts", "refused"]
    file: str
    folder: str
    host: str
    kind: str = ""
    id: str = ""
    title: str = ""
    applies_when: str = ""
    refusal: Explained | None = None
    last_refused: SeenRefusal | None = None
