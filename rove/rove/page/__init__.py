"""A document as one HTML page that needs nothing else."""

from rove.page.document import PageContent, render

__all__ = ["PageContent", "render"]
