"""The rows of the ledger: every statement that reads or changes them, inside a transaction of the store."""
