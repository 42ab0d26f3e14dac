"""The pytest plugin: fixtures for who tests a plugin. Loading it costs a run nothing."""
