"""How Claude Code is made to call readmark: its file for hooks, its events, its plugins."""

from adapters.hosts.claude_form import OFF, READING
from contracts.host import Hook, Plugin, Registration

FOLDER = ".claude"
"""The host's own folder in a home and in a project."""
VARIABLE = "CLAUDE_CONFIG_DIR"
"""The variable by which a user moves the one in the home."""

REGISTRATION = Registration(
    file=f"{FOLDER}/settings.json",
    timeout_unit="s",
    program="claude",
    reading=READING,
    off=OFF,
    folder_variable=VARIABLE,
    version_line=r"(\d+\.\d+\.\d+[0-9A-Za-z.+-]{0,32}) \(Claude Code\)",
    hooks=(
        # No matcher: 2.1.332 has the source `fork`, and a source that is not known yet is a new life too.
        Hook("SessionStart", None, 5),
        Hook("PostToolUse", "Bash|Read|Grep|Skill", 5, only_readers=True),
        Hook("PostToolBatch", None, 5, only_readers=True),
        # Never async: such a hook speaks to the root instead of the subagent (`hook_async`).
        Hook("SubagentStart", None, 5),
        # Observed, though no payload shows it: the host kills it after 1.5 s unless a timeout is set.
        Hook("SessionEnd", None, 2),
    ),
    plugin=Plugin(
        marketplace=".claude-plugin/marketplace.json",
        folder="readmark",
        manifest=".claude-plugin/plugin.json",
        listing={
            "owner": {"name": "readmark"},
            "metadata": {"description": "readmark, built for Claude Code by `readmark plugin build`."},
        },
        entry={"source": "./readmark"},
        add=("claude plugin marketplace add {folder}", "claude plugin install readmark@readmark"),
        remove=("claude plugin uninstall readmark@readmark", "claude plugin marketplace remove readmark"),
        switch_file="settings.json",
        switch_table="enabledPlugins",
    ),
)
