"""The adapters of hosts, one module each."""
