"""Which code matters for a question."""
