"""What authors get wrong; each line that mypy must refuse names the code it refuses it with.

An argument under another name is the one mistake it lets pass; connecting the source tells it.
"""

from collections.abc import AsyncIterator, Sequence

from attrs import frozen

from rove_core import (
    Account,
    CommonSettings,
    ContextItem,
    Credential,
    Http,
    Identity,
    ItemRef,
    Login,
    LoginField,
    Query,
    Secret,
    SourceHooks,
    SourceKind,
    hookimpl,
)

KEY = LoginField(name="key", title="Key", secret=True)


@frozen(kw_only=True)
class Mine(CommonSettings):
    """The settings of this source."""

    board: str = "main"


@frozen(kw_only=True)
class Others(CommonSettings):
    """The settings of another source."""

    folder: str = ""


class SearchAtOnce(SourceHooks):
    @hookimpl
    def rove_search(self, query: Query) -> list[ContextItem]:  # E: override
        """Give a list where a generator belongs."""
        return []


class SearchInOneGo(SourceHooks):
    @hookimpl
    async def rove_search(self, query: Query) -> list[ContextItem]:  # E: override
        """Give a coroutine where a generator belongs."""
        return []


class IdentityAtOnce(SourceHooks):
    @hookimpl
    def rove_identity(self) -> Identity:  # E: override
        """Give the answer where a coroutine belongs."""
        return Identity(name="Robin")


class RecogniseLater(SourceHooks):
    @hookimpl
    async def rove_recognise(  # E: override
        self, text: str, origin: ItemRef | None
    ) -> Sequence[ItemRef]:
        """Give a coroutine where the answer belongs."""
        return []


class WrongItem(SourceHooks):
    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[str]:  # E: override
        """Yield texts where items belong."""
        yield query.text


class WrongItemInside(SourceHooks):
    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield a text where an item belongs."""
        yield query.text  # E: misc


class MissingArgument(SourceHooks):
    @hookimpl
    def rove_recognise(self, text: str) -> Sequence[ItemRef]:  # E: override
        """Leave an argument out."""
        return []


class ForgottenAwait(SourceHooks):
    def __init__(self, account: Account[Mine], http: Http) -> None:
        self._account = account
        self._http = http

    @hookimpl
    async def rove_authenticate(self, login: Login) -> Credential:
        """Take a coroutine for its answer."""
        key = login.ask_secret(KEY)
        return Credential(headers={"X-Key": Secret(key.reveal())}, hosts=())  # E: attr-defined

    @hookimpl
    async def rove_identity(self) -> Identity:
        """Read from what has not come yet."""
        self._http.get("me")  # E: unused-coroutine
        return self._http.get("me").read(Identity)  # E: attr-defined, no-any-return

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Name a setting that is not there."""
        return ContextItem(ref=ref, source="acme", role="page", title=self._account.settings.bord, content="", timestamp=None)  # E: attr-defined, arg-type


def connect_others(account: Account[Others], http: Http) -> SourceHooks:
    """Connect with the settings of another source."""
    return ForgottenAwait(account, http)  # E: arg-type


def connect_nothing(account: Account[Mine]) -> SourceHooks:
    """Leave out what one talks with."""
    return ForgottenAwait(account)  # E: call-arg


WRONG_SETTINGS: SourceKind[Mine] = SourceKind(
    name="acme", title="Acme", settings=Mine, connect=connect_others  # E: arg-type
)
WRONG_CONNECT: SourceKind[Mine] = SourceKind(
    name="acme", title="Acme", settings=Mine, connect=connect_nothing  # E: arg-type
)
UNTYPED_HEADER = Credential(headers={"X-Key": "s3cret"}, hosts=())  # E: dict-item
POSITIONAL_QUERY = Query("acme", "words")  # E: call-arg
