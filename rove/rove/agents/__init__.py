"""Teach coding agents to use Rove: the skill, and the recipes that put it where each one looks."""
