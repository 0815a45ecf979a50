"""What crosses a boundary: types, reasons, recorded evidence. It imports nothing of ours and does no I/O."""
