"""A source whose logins expire after an hour, and can be revoked."""

from datetime import datetime
from typing import TYPE_CHECKING

import attrs

from rove_core import (
    Account,
    CommonSettings,
    Credential,
    NotLoggedIn,
    Secret,
    SourceHooks,
    hookimpl,
)

if TYPE_CHECKING:
    from rove_core import Http


@attrs.frozen
class Token:
    """What the vendor gives for a refresh token."""

    access_token: str
    expires_at: datetime


class ExpiringSource(SourceHooks):
    """An account at a vendor that gives tokens for an hour."""

    def __init__(self, account: Account[CommonSettings], http: "Http") -> None:
        self._account = account
        self._http = http

    @hookimpl
    async def rove_refresh(self, credential: Credential) -> Credential:
        """Exchange the refresh token for the next access token."""
        if credential.refresh is None:
            raise NotLoggedIn(f"the login of {self._account.name} cannot be renewed")
        form = {"grant_type": "refresh_token", "refresh_token": credential.refresh.reveal()}
        token = (await self._http.post("oauth/token", form=form)).read(Token)
        header = Secret(f"Bearer {token.access_token}")
        return attrs.evolve(
            credential, headers={"Authorization": header}, expires_at=token.expires_at
        )

    @hookimpl
    async def rove_disconnect(self) -> None:
        """Tell the vendor that this login is over."""
        await self._http.post("oauth/revoke")
