"""What the outside world says, checked: one module a host, one module a reader, and the evidence for both."""
