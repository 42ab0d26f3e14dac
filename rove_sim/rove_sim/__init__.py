"""Simulated vendors: Jira, Slack, GitHub, Linear, Asana, Azure DevOps, and a sample company."""

from rove_sim.company import Company, load_company, sample_company
from rove_sim.conduct import Conduct
from rove_sim.world import World, running

__all__ = ["Company", "Conduct", "World", "load_company", "running", "sample_company"]
