"""Slack in a box."""

from rove_sim.slack.workspace import Slack

__all__ = ["Slack"]
