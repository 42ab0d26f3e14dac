"""Building the document of one ticket: gathered, rendered, written and indexed."""

import os
from collections.abc import Callable, Mapping

from attrs import define, frozen

from rove_core.accounts import Accounts
from rove_core.builder import Builder
from rove_core.clock import Clock
from rove_core.document import Findings, render
from rove_core.documents import Document, document_of, new_filename
from rove_core.errors import RoveError
from rove_core.files import private_folder, write_atomic
from rove_core.http import Counts
from rove_core.items import ItemRef
from rove_core.keywords import keywords
from rove_core.logs import TaskMetrics, log_performance
from rove_core.project_places import Places, exclude_documents
from rove_core.settings import Settings
from rove_core.store.documents import DocumentRecord, list_documents, save_document
from rove_core.store.store import Store
from rove_core.store.tasks import Task
from rove_core.tasks import Tasks, Tell


@frozen(kw_only=True)
class Built:
    """What a build gave.

    Attributes:
        document: The document.
        failures: What went wrong at a source, by account; the document names it too.
    """

    document: Document
    failures: Mapping[str, str]


@define(eq=False, kw_only=True)
class Builds:
    """Builds the documents of one project."""

    places: Places
    settings: Settings
    store: Store
    tasks: Tasks
    accounts: Accounts
    titles: Mapping[str, str]
    unconnected: Mapping[str, str]
    clock: Clock
    counts: Callable[[], Counts]

    async def build(self, ticket: ItemRef) -> Built:
        """Build a ticket's document as a task."""

        async def work(task: Task, tell: Tell) -> Built:
            return await self._measured(ticket, task, tell)

        arguments = {"account": ticket.account, "ticket": ticket.id}
        return await self.tasks.run("build", dict(arguments), work)

    async def _measured(self, ticket: ItemRef, task: Task, tell: Tell) -> Built:
        """Build, and log one line of figures however it ends."""
        wall, cpu, before = self.clock.monotonic(), sum(os.times()[:2]), self.counts()
        builder = Builder(
            accounts=self.accounts,
            titles=self.titles,
            unconnected=self.unconnected,
            clock=self.clock,
            tell=tell,
            budget=self.settings.context.max_tokens,
            max_hops=self.settings.ai.max_hops,
        )
        code = 1
        try:
            built = await self._built(ticket, builder, tell)
            code = 5 if built.failures else 0
        except RoveError as error:
            code = error.exit_code
            raise
        finally:
            after = self.counts()
            log_performance(
                TaskMetrics(
                    task=task.id,
                    ticket=ticket.id,
                    accounts=self.accounts.names,
                    requests=after.requests - before.requests,
                    bytes=after.bytes - before.bytes,
                    items=builder.items,
                    hops=builder.hops,
                    model_calls=0,
                    tokens=0,
                    wall=self.clock.monotonic() - wall,
                    cpu=sum(os.times()[:2]) - cpu,
                    exit=code,
                )
            )
        return built

    async def _built(self, ticket: ItemRef, builder: Builder, tell: Tell) -> Built:
        findings = await builder.gather(ticket)
        return Built(
            document=await self._write(findings, tell),
            failures={row.account: row.failure for row in findings.consulted if row.failure},
        )

    async def _write(self, findings: Findings, tell: Tell) -> Document:
        record = await self._record(findings)
        await tell("write", note=record.filename)
        path = private_folder(self.places.context) / record.filename
        write_atomic(path, render(findings).encode(), mode=0o644)
        if not self.settings.context.commit and exclude_documents(self.places.root):
            await tell("write", note=".context/ is now in .git/info/exclude")
        answered = {row.account: row.updated for row in findings.consulted if row.updated}
        async with self.store.transaction() as db:
            await save_document(db, record, answered)
        return document_of(record, self.places.context)

    async def _record(self, findings: Findings) -> DocumentRecord:
        """Return the document's record; its name and birth stay what they were."""
        ticket, now = findings.ticket, self.clock.now()
        known = await self.store.read(list_documents)
        mine = (ticket.account, ticket.ref.id)
        old = next((each for each in known if (each.account, each.ticket_id) == mine), None)
        words = keywords(ticket.title, ticket.content, *(part.content for part in ticket.thread))
        taken = {each.filename for each in known}
        return DocumentRecord(
            account=ticket.account,
            ticket_id=ticket.ref.id,
            filename=old.filename if old else new_filename(ticket.ref, words, taken),
            last_updated=now,
            created_at=old.created_at if old else now,
            title=ticket.title,
            url=ticket.url,
            keywords=words,
        )
