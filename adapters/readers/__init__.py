"""The readers, one module each."""
