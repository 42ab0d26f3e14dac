"""Teach coding agents to use Rove: the skill, and recipes that install it."""
