"""A simulated Azure DevOps."""

from rove_sim.azure.vendor import AzureDevOps

__all__ = ["AzureDevOps"]
