"""Plans, dependencies and ready work."""
