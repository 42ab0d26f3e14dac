"""HTTP to the vendors: deadlines, limits, retries and credentials are kept here, once for all."""

from rove_core.http.cache import Cache, Cached, MemoryCache
from rove_core.http.caps import Caps, Counts, counting
from rove_core.http.client import Http, Options, Parameters
from rove_core.http.limits import Limits, MemoryLimits, SharedLimits
from rove_core.http.links import Link, next_link, parse_links
from rove_core.http.paging import cursor_pages
from rove_core.http.reply import Reply
from rove_core.http.status import Fault, status_fault

__all__ = [
    "Cache",
    "Cached",
    "Caps",
    "Counts",
    "Fault",
    "Http",
    "Limits",
    "Link",
    "MemoryCache",
    "MemoryLimits",
    "Options",
    "Parameters",
    "Reply",
    "SharedLimits",
    "counting",
    "cursor_pages",
    "next_link",
    "parse_links",
    "status_fault",
]
