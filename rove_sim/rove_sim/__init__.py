"""The vendors in a box: Jira, Slack, GitHub and Linear, and a sample company that uses them."""

from rove_sim.company import Company, sample_company
from rove_sim.world import World, running

__all__ = ["Company", "World", "running", "sample_company"]
