"""Azure DevOps in a box."""

from rove_sim.azure.vendor import AzureDevOps

__all__ = ["AzureDevOps"]
