"""A document as one self-contained HTML page."""

from rove.page.document import PageContent, render

__all__ = ["PageContent", "render"]
