"""Build a ticket's document: gather, rank, compose, write."""
