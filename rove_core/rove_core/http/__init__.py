"""HTTP to vendors: deadlines, limits, retries and credentials in one place."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rove_core.http.batches import Batches as Batches
    from rove_core.http.cache import CachedReply as CachedReply
    from rove_core.http.cache import MemoryCache as MemoryCache
    from rove_core.http.cache import ReplyCache as ReplyCache
    from rove_core.http.client import ChangeOptions as ChangeOptions
    from rove_core.http.client import Http as Http
    from rove_core.http.client import Options as Options
    from rove_core.http.client import Parameters as Parameters
    from rove_core.http.links import LinkHeader as LinkHeader
    from rove_core.http.links import next_link as next_link
    from rove_core.http.links import parse_links as parse_links
    from rove_core.http.multipart import multipart_body as multipart_body
    from rove_core.http.paging import cursor_pages as cursor_pages
    from rove_core.http.rate_limits import Limits as Limits
    from rove_core.http.rate_limits import MemoryLimits as MemoryLimits
    from rove_core.http.rate_limits import SharedLimits as SharedLimits
    from rove_core.http.reply import Reply as Reply
    from rove_core.http.reply_errors import Fault as Fault
    from rove_core.http.reply_errors import status_fault as status_fault
    from rove_core.http.request_limits import Caps as Caps
    from rove_core.http.request_limits import Counts as Counts
    from rove_core.http.request_limits import RequestsSpent as RequestsSpent
    from rove_core.http.request_limits import counting as counting
else:
    from rove_core._lazy import lazy

    __getattr__, __dir__ = lazy(
        __name__,
        {
            "batches": ("Batches",),
            "cache": ("ReplyCache", "CachedReply", "MemoryCache"),
            "client": ("ChangeOptions", "Http", "Options", "Parameters"),
            "links": ("LinkHeader", "next_link", "parse_links"),
            "multipart": ("multipart_body",),
            "paging": ("cursor_pages",),
            "rate_limits": ("Limits", "MemoryLimits", "SharedLimits"),
            "reply": ("Reply",),
            "reply_errors": ("Fault", "status_fault"),
            "request_limits": ("Caps", "Counts", "RequestsSpent", "counting"),
        },
    )

__all__ = [
    "Batches",
    "CachedReply",
    "Caps",
    "ChangeOptions",
    "Counts",
    "Fault",
    "Http",
    "Limits",
    "LinkHeader",
    "MemoryCache",
    "MemoryLimits",
    "Options",
    "Parameters",
    "Reply",
    "ReplyCache",
    "RequestsSpent",
    "SharedLimits",
    "counting",
    "cursor_pages",
    "multipart_body",
    "next_link",
    "parse_links",
    "status_fault",
]
