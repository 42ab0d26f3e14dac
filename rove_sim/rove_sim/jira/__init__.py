"""A simulated Jira: Cloud and Data Center."""

from rove_sim.jira.data_center import JiraDataCenter
from rove_sim.jira.site import Jira

__all__ = ["Jira", "JiraDataCenter"]
