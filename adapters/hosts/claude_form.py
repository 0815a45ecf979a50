"""What Claude Code takes in its settings; with a fault in them it runs none of their hooks.

Observed, though no payload shows it: 2.1.332 names the file then, and 2.1.197 says nothing at all. Both take
no comment and no comma too much, and every member that is named here in this type only. A fault in a group of
an event that it knows costs 2.1.197 the whole file, and 2.1.332 only that group. Both take a byte order mark,
half a character, a name twice (the last one counts) and numbers of any length.
"""

from contracts.form import Form, OffSwitch, Reading

EVENTS = (
    "SessionStart",
    "SessionEnd",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "Notification",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "Stop",
)
"""Those that both versions know; a newer one may know more of them."""

_TEXT = Form(("string",))
_HANDLER = Form(
    ("object",),
    members={"type": _TEXT, "command": _TEXT, "timeout": Form(("number",))},
    needs=("type",),
)
_GROUP = Form(
    ("object",),
    members={"matcher": _TEXT, "hooks": Form(("array",), items=_HANDLER)},
    needs=("hooks",),
)

READING = Reading(
    Form(
        ("object",),
        members={
            "hooks": Form(members=dict.fromkeys(EVENTS, Form(items=_GROUP))),
            "disableAllHooks": Form(("bool",)),
            "env": Form(("object",)),
            "permissions": Form(("object",)),
            "model": _TEXT,
            **dict.fromkeys(("apiKeyHelper", "outputStyle", "language"), _TEXT),
            **dict.fromkeys(("statusLine", "enabledPlugins", "sandbox", "attribution"), Form(("object",))),
            **dict.fromkeys(("includeCoAuthoredBy", "alwaysThinkingEnabled"), Form(("bool",))),
            "cleanupPeriodDays": Form(("number",)),
        },
    ),
    mark=True,
    halves=True,
)

# The administrator's file: only that of Linux was tried, that of macOS is as the host's manual has it.
OFF = OffSwitch(
    key="disableAllHooks",
    local="settings.local.json",
    managed={
        "linux": "/etc/claude-code/managed-settings.json",
        "darwin": "/Library/Application Support/ClaudeCode/managed-settings.json",
    },
    managed_key="allowManagedHooksOnly",
)
