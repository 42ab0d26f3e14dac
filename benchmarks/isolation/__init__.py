"""Builds beside a plugin that misbehaves."""
