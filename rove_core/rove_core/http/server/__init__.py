"""A small HTTP/1.1 server for local use."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rove_core.http.server.connections import Connections as Connections
    from rove_core.http.server.door import HttpRequest as HttpRequest
    from rove_core.http.server.door import HttpResponse as HttpResponse
    from rove_core.http.server.door import Route as Route
    from rove_core.http.server.door import failure as failure
    from rove_core.http.server.door import json_reply as json_reply
    from rove_core.http.server.http1 import RequestLimits as RequestLimits
else:
    from rove_core._lazy import lazy

    __getattr__, __dir__ = lazy(
        __name__,
        {
            "connections": ("Connections",),
            "door": ("HttpRequest", "HttpResponse", "Route", "failure", "json_reply"),
            "http1": ("RequestLimits",),
        },
    )

__all__ = [
    "Connections",
    "HttpRequest",
    "HttpResponse",
    "RequestLimits",
    "Route",
    "failure",
    "json_reply",
]
