"""What crosses a boundary: types, reasons and recorded evidence; it imports nothing of ours and does no I/O."""
