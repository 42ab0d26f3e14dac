"""Add what our abbreviations mean to the document of a ticket that uses them."""

from collections.abc import Sequence

from rove_core import ContextItem, Section, hookimpl

MEANINGS = {"SAML": "Security Assertion Markup Language", "JWT": "JSON Web Token"}


@hookimpl
async def rove_sections(ticket: ContextItem) -> Sequence[Section]:
    """Explain each abbreviation that somebody used."""
    text = " ".join([ticket.content, *(part.content for part in ticket.thread)])
    used = [f"- {short}: {long}" for short, long in MEANINGS.items() if short in text]
    return [Section(heading="Abbreviations", content="\n".join(used))] if used else []
