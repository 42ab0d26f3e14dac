"""Exact answers about names: callers, uses, subtypes and tests, with the certainty of each edge."""
