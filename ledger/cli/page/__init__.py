"""The page of `readmark show`: what it says, how it looks, and how it gets into its file."""
