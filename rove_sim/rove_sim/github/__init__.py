"""A simulated GitHub."""

from rove_sim.github.enterprise import GitHubEnterprise
from rove_sim.github.vendor import GitHub

__all__ = ["GitHub", "GitHubEnterprise"]
