"""What Codex takes in its file for hooks; with anything else there it runs none of them, and says so nowhere.

Asked of 0.171.0 with `hooks/list`, whose `warnings` name the fault. Events that it does not know may hold
anything, and so may members of a group or of a hook that it does not know.
"""

from contracts.form import Form, Reading

EVENTS = (
    "SessionStart",
    "SessionEnd",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PermissionRequest",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "PostCompact",
    "Stop",
    "Interrupt",
)

_TEXT = Form(("string",))
_TEXT_OR_NULL = Form(("string", "null"))
_OTHER = Form()

_COMMAND = Form(
    ("object",),
    members={
        "command": _TEXT,
        "timeout": Form(("number", "null"), whole=True),
        "async": Form(("bool",)),
        "statusMessage": _TEXT_OR_NULL,
    },
    needs=("command",),
    single=True,
)
_HANDLER = Form(
    ("object",),
    members={"type": _TEXT},
    needs=("type",),
    single=True,
    tag="type",
    variants={"command": _COMMAND, "mcp_tool": _OTHER, "prompt": _OTHER, "agent": _OTHER},
)
# An array is taken for a group, too, whose members come in a fixed order.
_GROUP = Form(
    ("object", "array"),
    members={"matcher": _TEXT_OR_NULL, "hooks": Form(("array",), items=_HANDLER)},
    single=True,
)
_EVENT = Form(("array",), items=_GROUP)

READING = Reading(
    Form(
        ("object",),
        members={
            "description": _TEXT_OR_NULL,
            "hooks": Form(("object",), members=dict.fromkeys(EVENTS, _EVENT), single=True),
        },
        closed=True,
        single=True,
    )
)
