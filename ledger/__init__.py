"""The conversation ledger: rules, store and briefing; on top of them the command line and the hook."""
