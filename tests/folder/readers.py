"""Readers that do what a reader should not do."""

import ctypes
import os
import socket
import tempfile


def endless(_name: str, _data: bytes) -> list[str]:
    """Never end."""
    while True:
        pass


def crashing(_name: str, _data: bytes) -> list[str]:
    """Take the process along."""
    ctypes.string_at(0)
    return []


def greedy(_name: str, _data: bytes) -> list[str]:
    """Take more memory than there is."""
    return ["x" * (1 << 31)]


def raising(_name: str, _data: bytes) -> list[str]:
    """Raise."""
    raise LookupError


def writing(_name: str, _data: bytes) -> list[str]:
    """Write a file."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"x")
        return [os.fspath(file.name)]


def calling(_name: str, _data: bytes) -> list[str]:
    """Call somebody."""
    with socket.socket() as wire:
        return [str(wire)]


def pages(_name: str, data: bytes) -> list[str]:
    """Return a page for each word."""
    return data.decode().split()
