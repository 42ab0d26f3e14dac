"""Slack as a source for Rove."""
