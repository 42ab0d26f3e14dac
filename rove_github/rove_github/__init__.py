"""GitHub as a source for Rove."""
