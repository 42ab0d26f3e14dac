"""A folder of notes as a source for Rove."""
