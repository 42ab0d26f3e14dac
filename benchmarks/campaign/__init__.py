"""Break writes at every point and look at what is left: old or new, never half, never lost."""
