"""A small company whose tickets have nothing in common: what is built of one is always the same."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from queue import Queue
from typing import Final

from rove_sim import Company, World, running
from rove_sim.company_jira import Ticket, TicketComment
from rove_sim.company_people import Person

START: Final = datetime(2026, 1, 5, 9, tzinfo=UTC)


@contextmanager
def tracker_running(tickets: int) -> Iterator[World]:
    """Run the vendors of a small company in a thread of their own."""
    started: Queue[World] = Queue()
    over = threading.Event()

    async def serve() -> None:
        async with running(company(tickets)) as world:
            started.put(world)
            await asyncio.to_thread(over.wait)

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    try:
        yield started.get(timeout=60)
    finally:
        over.set()
        thread.join()


def lay_notes(folder: Path, tickets: int) -> Path:
    """Write a note that names each ticket; return the folder in which they are looked for."""
    notes = folder / "notes"
    notes.mkdir(parents=True)
    for number in range(1, tickets + 1):
        day = (START + timedelta(days=number)).date()
        text = f"# {day} {_name(number)}a\n\nOf SV-{number}: {_name(number)}b.\n"
        (notes / f"{day}.md").write_text(text, "utf-8")
    return folder


def company(tickets: int) -> Company:
    """Return a company with some tickets."""
    person = Person(key="robin", name="Robin Doe", email="robin@northwind.example")
    return Company(
        name="Northwind",
        token="token",  # noqa: S106  # the simulator's
        people=(person,),
        tickets=tuple(_ticket(number) for number in range(1, tickets + 1)),
    )


def _ticket(number: int) -> Ticket:
    """Return a ticket that has no word in common with others, but for the note that names it."""
    name, at = _name(number), START + timedelta(hours=number)
    return Ticket(
        key=f"SV-{number}",
        title=name,
        description=f"The {name}a before the {name}b.",
        author="robin",
        created=at,
        comments=(
            TicketComment(
                author="robin", at=at + timedelta(minutes=5), text=f"After the {name}c: {name}d."
            ),
        ),
    )


def _name(number: int) -> str:
    """Return a number as a word."""
    return "".join(chr(ord("k") + int(digit)) for digit in str(number + 1000))
