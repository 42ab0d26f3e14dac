"""A simulated Slack."""

from rove_sim.slack.workspace import Slack

__all__ = ["Slack"]
