"""The hook events of each host, by name."""

CODEX = (
    "SessionStart",
    "SessionEnd",
    "UserPromptSubmit",
    "PreToolUse",
    "PermissionRequest",
    "PostToolUse",
    "PreCompact",
    "PostCompact",
    "SubagentStart",
    "SubagentStop",
    "Stop",
    "Interrupt",
)
"""The events of 0.171.0 but for PreModelRequest and PostModelRequest, which say nothing of a tool."""

CLAUDE_CODE = (
    "SessionStart",
    "SessionEnd",
    "UserPromptSubmit",
    "UserPromptExpansion",
    "PreToolUse",
    "PermissionRequest",
    "PermissionDenied",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "PreCompact",
    "PostCompact",
    "SubagentStart",
    "SubagentStop",
    "Stop",
    "StopFailure",
    "Notification",
)
"""The events of 2.1.197 that say something of a conversation, an agent or a tool."""

KNOWN: dict[str, frozenset[str]] = {
    "codex": frozenset({*CODEX, "PreModelRequest", "PostModelRequest"}),
    "claude-code": frozenset(
        {
            *CLAUDE_CODE,
            "ConfigChange",
            "CwdChanged",
            "FileChanged",
            "InstructionsLoaded",
            "Setup",
            "TaskCompleted",
            "TaskCreated",
        }
    ),
}
"""By host, every event that a scenario may name; those beyond the tables only where it registers them."""
