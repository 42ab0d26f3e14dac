"""Memories: what was decided, found out and learnt, kept with all its versions."""
