"""Exact answers about names: who calls, uses, extends and tests what, and how sure each edge is."""
