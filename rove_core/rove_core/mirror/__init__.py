"""Keep a local copy of the parts of an account that a project cares about, and search it."""
