"""The conversation ledger: its rules, its store, the briefing, and on top the command line and the hook process."""
