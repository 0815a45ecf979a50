"""A scripted model on loopback: one server, one module for each wire protocol that a host speaks."""
