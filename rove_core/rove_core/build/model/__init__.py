"""Engines: they answer the language questions of a build."""
