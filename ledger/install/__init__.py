"""Puts our hooks into a host's own file and takes them out again, and touches nothing else there."""
