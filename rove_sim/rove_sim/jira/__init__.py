"""Jira Cloud in a box."""

from rove_sim.jira.site import Jira

__all__ = ["Jira"]
