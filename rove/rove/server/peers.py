"""Identify the peer of a local connection through the kernel."""

import logging
import os
import socket
import struct
import sys
from typing import Final

from attrs import frozen

_LOG: Final = logging.getLogger("rove.server")
#: Of macOS: the level of local sockets, and what asks for the user and the process.
_SOL_LOCAL: Final = 0
_LOCAL_PEERCRED: Final = 1
_LOCAL_PEERPID: Final = 2


@frozen
class Peer:
    """Another process.

    Attributes:
        uid: Whose it is.
        pid: Which one it is: of a server, the process that listens. 0 if that is hidden from here.
    """

    uid: int
    pid: int


def peer_of(connection: socket.socket) -> Peer:
    """Return the user at the other end of a connected Unix socket, or raise OSError."""
    if sys.platform == "linux":
        data = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
        pid, uid, _ = struct.unpack("3i", data)
        return Peer(uid, pid)
    # A structure that begins with its version and the user.
    credentials = connection.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, struct.calcsize("IIh16I"))
    (uid,) = struct.unpack_from("I", credentials, offset=4)
    return Peer(uid, connection.getsockopt(_SOL_LOCAL, _LOCAL_PEERPID))


def is_own(connection: socket.socket) -> bool:
    """Return whether a caller is this user; it may be gone already."""
    try:
        uid = peer_of(connection).uid
    except OSError:
        return False
    if uid != os.geteuid():
        _LOG.warning("refused a connection of user %s", uid)
    return uid == os.geteuid()
