"""A project on disk: paths, settings, trust, and the open project."""
