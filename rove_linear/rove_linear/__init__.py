"""Linear as a source for Rove."""
