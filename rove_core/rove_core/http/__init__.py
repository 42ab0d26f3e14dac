"""HTTP to vendors: deadlines, limits, retries and credentials in one place."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rove_core.http.cache import CachedReply as CachedReply
    from rove_core.http.cache import MemoryCache as MemoryCache
    from rove_core.http.cache import ReplyCache as ReplyCache
    from rove_core.http.caps import Caps as Caps
    from rove_core.http.caps import Counts as Counts
    from rove_core.http.caps import counting as counting
    from rove_core.http.client import ChangeOptions as ChangeOptions
    from rove_core.http.client import Http as Http
    from rove_core.http.client import Options as Options
    from rove_core.http.client import Parameters as Parameters
    from rove_core.http.limits import Limits as Limits
    from rove_core.http.limits import MemoryLimits as MemoryLimits
    from rove_core.http.limits import SharedLimits as SharedLimits
    from rove_core.http.links import LinkHeader as LinkHeader
    from rove_core.http.links import next_link as next_link
    from rove_core.http.links import parse_links as parse_links
    from rove_core.http.multipart import multipart_body as multipart_body
    from rove_core.http.pages import cursor_pages as cursor_pages
    from rove_core.http.reply import Reply as Reply
    from rove_core.http.status import Fault as Fault
    from rove_core.http.status import status_fault as status_fault
else:
    from rove_core._lazy import lazy

    __getattr__, __dir__ = lazy(
        __name__,
        {
            "cache": ("ReplyCache", "CachedReply", "MemoryCache"),
            "caps": ("Caps", "Counts", "counting"),
            "client": ("ChangeOptions", "Http", "Options", "Parameters"),
            "limits": ("Limits", "MemoryLimits", "SharedLimits"),
            "links": ("LinkHeader", "next_link", "parse_links"),
            "multipart": ("multipart_body",),
            "pages": ("cursor_pages",),
            "reply": ("Reply",),
            "status": ("Fault", "status_fault"),
        },
    )

__all__ = [
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
    "SharedLimits",
    "counting",
    "cursor_pages",
    "multipart_body",
    "next_link",
    "parse_links",
    "status_fault",
]
