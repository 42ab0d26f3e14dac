"""Check everything that Rove needs on this machine."""
