"""Clones of remote repositories, made once and updated on request."""

import hashlib
import re
import shutil
from base64 import b64encode
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.parse import SplitResult, unquote, urlsplit

from attrs import evolve, frozen

from rove_code.repositories.git import GitFailed, available, run_remote
from rove_core import FileLock, RepositoryUnusable, Unavailable, WrongCall, private_folder

_PROTOCOLS: Final = ("https", "http", "ssh")
#: ``git@github.com:acme/shop.git``, as ssh has it.
_SHORT: Final = re.compile(r"(?:\w[\w.-]*@)?[A-Za-z0-9][\w.-]*:([^\\]+)")
_FETCH: Final = ("fetch", "--quiet", "--prune", "--no-tags", "--no-recurse-submodules")
#: Where it is sent on to, nobody has allowed to go, and a login would go along.
_CAREFUL: Final = (
    ("http.followRedirects", "false"),
    ("http.lowSpeedLimit", "1000"),
    ("http.lowSpeedTime", "60"),
)
_REFS: Final = ("+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*")
#: A copy of a large repository takes a while; whoever else wants it waits for it.
_PATIENCE: Final = 900.0
#: A copy of so many bytes is larger than what anybody would ask questions about.
_MOST: Final = 8 << 30
#: What git says who may not ask anybody, and what it comes to.
_ASKING: Final = "could not read Username"
_WANTS_LOGIN: Final = "it requires a login, or a different one"
_HEAD: Final = re.compile(rb"ref: (refs/heads/[^\t\n]+)\tHEAD\n")


def checkout(
    origin_uri: str,
    cache_folder: Path,
    *,
    update: bool = True,
    allow_files: bool = False,
    most: int = _MOST,
) -> Path:
    """Return the folder of a bare copy of a repository; make it if there is none.

    Who and with what password is not kept, and stands in no command: a copy that was made with
    one login is not another's.

    Args:
        origin_uri: Where the repository is: ``https``, ``http``, ``ssh``, ``user@host:path``.
        cache_folder: Where copies are; only Rove changes anything in it.
        update: Whether a copy that is there is brought up to date.
        allow_files: Whether it may be a folder of this machine: ``file:///...``.
        most: How many bytes a copy may have.

    Raises:
        WrongCall: The address is none, or not of an allowed kind.
        Unavailable: Git cannot get it.
        Locked: Another process has been at it for too long.
    """
    protocols = (*_PROTOCOLS, "file") if allow_files else _PROTOCOLS
    origin = evolve(_origin(origin_uri, protocols), most=most)
    if not available():
        raise RepositoryUnusable(f"git is required to fetch {origin.shown}", hint="Install git.")
    folder = private_folder(cache_folder) / origin.name
    with FileLock(folder.with_suffix(".lock"), timeout=_PATIENCE):
        try:
            if not folder.exists():
                _make(origin, folder)
            elif update:
                _update(origin, folder)
        except GitFailed as error:
            reason = _WANTS_LOGIN if _ASKING in error.output else error.output
            raise Unavailable(f"git cannot fetch {origin.shown}: {reason}") from error
    return folder


@frozen
class _Origin:
    """The location of a repository.

    Attributes:
        protocol: How git talks to it.
        shown: Its address, without a login.
        name: What its copy is called.
        settings: What git is told besides: the login.
        most: How many bytes a copy may have.
    """

    protocol: str
    shown: str
    name: str
    settings: tuple[tuple[str, str], ...]
    most: int = _MOST

    def run(self, folder: Path, *arguments: str) -> bytes:
        """Return the output of a git command that may talk to the origin only."""
        return run_remote(
            folder,
            *arguments,
            protocols=(self.protocol,),
            settings=(*_CAREFUL, *self.settings),
            most=self.most,
        )


def _origin(uri: str, protocols: Sequence[str]) -> _Origin:
    # Nothing of what is refused is shown: a login may be in any part of it.
    if not uri.isprintable() or " " in uri:
        raise WrongCall("the repository's address contains invalid characters")
    if "://" not in uri:
        if found := _SHORT.fullmatch(uri):
            return _Origin("ssh", uri, _named(found[1], uri), ())
        raise WrongCall(f"the repository's address must start with one of {_list(protocols)}")
    try:
        parts = urlsplit(uri)
        host = parts.hostname or ""
    except ValueError as error:
        raise WrongCall("the repository's address cannot be read") from error
    if parts.scheme not in protocols:
        raise WrongCall(f"the repository's address must start with one of {_list(protocols)}")
    fits = not host.startswith("-") and bool(host) != (parts.scheme == "file")
    if not fits or parts.query or parts.fragment:
        raise WrongCall("the repository's address is not a host and a path")
    return _split_origin(parts, uri)


def _split_origin(parts: SplitResult, uri: str) -> _Origin:
    login, _, host = parts.netloc.rpartition("@")
    if parts.scheme == "ssh" and login:
        # Who it is for is part of the address; ssh takes no password from there.
        host = f"{login.partition(':')[0]}@{host}"
    shown = f"{parts.scheme}://{host}{parts.path}"
    settings: tuple[tuple[str, str], ...] = ()
    if login and parts.scheme != "ssh":
        user, _, password = login.partition(":")
        basic = b64encode(f"{unquote(user)}:{unquote(password)}".encode()).decode()
        settings = (("http.extraHeader", f"Authorization: Basic {basic}"),)
    return _Origin(parts.scheme, shown, _named(parts.path, uri), settings)


def _named(path: str, uri: str) -> str:
    readable = re.sub("[^a-z0-9]+", "-", path.lower().removesuffix(".git")).strip("-")[-40:]
    return f"{readable}-{hashlib.sha256(uri.encode()).hexdigest()[:16]}"


def _list(protocols: Sequence[str]) -> str:
    return ", ".join(f"{protocol}://" for protocol in protocols)


def _make(origin: _Origin, folder: Path) -> None:
    """Make a copy elsewhere, and put it into its place when it is whole."""
    draft = folder.with_name(f".{folder.name}.new")
    shutil.rmtree(draft, ignore_errors=True)
    try:
        origin.run(folder.parent, "init", "--quiet", "--bare", "--template=", str(draft))
        _update(origin, draft)
        draft.rename(folder)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise


def _update(origin: _Origin, folder: Path) -> None:
    for pattern in ("*.lock", "refs/**/*.lock", "objects/pack/tmp_*"):
        for left in folder.glob(pattern):
            # Whoever is killed leaves them; nobody else is at work here now.
            with suppress(FileNotFoundError):
                left.unlink()
    origin.run(folder, *_FETCH, "--", origin.shown, *_REFS)
    if head := _HEAD.match(origin.run(folder, "ls-remote", "--symref", "--", origin.shown, "HEAD")):
        origin.run(folder, "symbolic-ref", "HEAD", head[1].decode())
