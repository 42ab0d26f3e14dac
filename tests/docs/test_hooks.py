"""The plugins that the page of hooks shows and no other page runs."""

import asyncio
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from docs_src.hooks import rove_expiring, rove_glossary

import rove_jira
from rove_core import Account, CommonSettings, Credential, Http, Secret, open_project
from rove_core.credentials import MemoryStore
from rove_core.prepared_login import PreparedLogin
from rove_core.testing import FaultProxy
from rove_core.testing.faults import Answer
from rove_jira.settings import JiraSettings
from rove_sim import World, running, sample_company

OLD = Credential(
    headers={"Authorization": Secret("Bearer old")},
    hosts=("vendor.example",),
    refresh=Secret("again"),
)


def test_a_section_is_in_the_document(tmp_path: Path) -> None:
    """What rove_sections gives stands under its heading in the document."""

    async def document() -> str:
        async with (
            running(sample_company()) as world,
            open_project(
                tmp_path,
                accounts=(),
                plugins=[rove_jira, rove_glossary],
                credentials=MemoryStore(),
            ) as rove,
        ):
            await rove.log_in(_jira(world), partial(PreparedLogin, "token", _answers(world)))
            return (await rove.build("TB-123")).document.path.read_text("utf-8")

    assert "## Abbreviations\n\n- JWT: JSON Web Token" in asyncio.run(document())


def test_a_refreshed_credential_is_the_vendors() -> None:
    """What rove_refresh gives is made of the vendor's answer."""
    answer = Answer(body=b'{"access_token": "new", "expires_at": "2026-01-01T01:00:00Z"}')

    async def refreshed() -> Credential:
        async with FaultProxy(answer) as vendor:
            return await _source(vendor).rove_refresh(OLD)

    credential = asyncio.run(refreshed())

    assert credential.headers["Authorization"].reveal() == "Bearer new"
    assert credential.expires_at == datetime(2026, 1, 1, 1, tzinfo=UTC)


def test_disconnecting_tells_the_vendor() -> None:
    """rove_disconnect asks the vendor to revoke the login."""

    async def asked() -> list[str]:
        async with FaultProxy() as vendor:
            await _source(vendor).rove_disconnect()
            return [seen.path for seen in vendor.requests]

    assert asyncio.run(asked()) == ["/oauth/revoke"]


def _source(vendor: FaultProxy) -> rove_expiring.ExpiringSource:
    account = Account(name="it", kind="it", settings=CommonSettings(), base_url=vendor.url)
    return rove_expiring.ExpiringSource(account, Http(account="it", base_url=vendor.url))


def _jira(world: World) -> Account[JiraSettings]:
    settings = JiraSettings()
    return Account(name="jira", kind="jira", settings=settings, base_url=world.urls["jira"])


def _answers(world: World) -> dict[str, Secret]:
    return {name: Secret(answer) for name, answer in world.answers.items()}
