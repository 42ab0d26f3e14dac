"""Build one document: read the previous one, gather what is new, write the file."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

import attrs
from attrs import define, field

from rove_core.build.compose.composer import Brief, Composition, compose
from rove_core.build.compose.outline import ConsultedSource, Outline
from rove_core.build.delta import (
    BuildDelta,
    NewDocument,
    has_changes,
    is_unchanged,
    make_delta,
    new_page,
    placed_topics,
    same_page,
)
from rove_core.build.document_store import BuildRecord, DocumentStore, PreviousBuild
from rove_core.build.extractive import Extractive
from rove_core.build.gather.candidates import Key, key_of
from rove_core.build.gather.earlier_build import EarlierBuild
from rove_core.build.gather.fetches import NEXT_PASS, FetchCache, Fetches, LimitRules
from rove_core.build.gather.gatherer import Gatherer
from rove_core.build.metrics import measured
from rove_core.build.model.choose import ChosenEngine
from rove_core.build.rank.words import written
from rove_core.build.requests import BuildRequest, BuildResult, DocumentShape
from rove_core.build.section_budget import fit_sections
from rove_core.build.write.reader import words_of_people
from rove_core.build.write.refresh import WriteOptions
from rove_core.build.write.token_budget import TokenCosts, last_number
from rove_core.clock import Clock
from rove_core.documents import document_of, main_words, name_words
from rove_core.errors import ItemNotFound, Locked
from rove_core.items import ContextItem, Section
from rove_core.mirror.mirrors import Mirrors, OpenMirrors, no_mirrors
from rove_core.plugins.accounts import Accounts
from rove_core.plugins.reports import current_reports
from rove_core.project.layout import exclude_documents
from rove_core.store.documents import DocumentRecord
from rove_core.tasks.runner import ReportProgress
from rove_core.time_windows import Window

#: A discussion that was silent for so long is read again only if a search finds news in it.
LIVE: Final = timedelta(days=30)
#: The share of a document that sections of plugins may take.
_SECTIONS: Final = 0.25
#: How often a document is written anew because somebody saved it at that very moment.
_TRIES: Final = 5
#: Waits that end so close to each other are told as one.
_SAME_WAIT: Final = timedelta(seconds=1)
_SPARED: Final = "{title} was searched with fewer words than usual: its limit was reached."


@define(eq=False, kw_only=True)
class DocumentBuilder:
    """Makes one document of one project.

    Attributes:
        request: What is asked for.
        documents: The stored state of documents.
        accounts: The accounts to query.
        titles: How people name the kind of each account.
        unconnected: Why an account that should be asked cannot be, by its name.
        chosen: The engine, and what became of its questions.
        clock: The clock.
        report: Reports progress.
        max_tokens: How much Rove may write.
        shape: What documents begin with.
        max_hops: How many references deep to go.
        commit: Whether git may track the documents.
        link_hosts: Hosts that addresses in quotes may lead to, besides those of the accounts.
        rules: How the limits of the accounts are taken.
        fetched: What was fetched for other documents of the same call.
        mirrors: Gives the mirrors that may be searched instead of accounts, brought up to date
            unless they were a moment ago; whatever their age if it is asked so.
        task: The id of the task in whose name it is built, for the log; empty for none.
        failures: Why accounts or plugins are missing in it, by their names.
        items: How many items were found.
        hops: How many references deep it went.
    """

    request: BuildRequest
    documents: DocumentStore
    accounts: Accounts
    titles: Mapping[str, str]
    unconnected: Mapping[str, str]
    chosen: ChosenEngine
    clock: Clock
    report: ReportProgress
    max_tokens: int
    max_hops: int
    commit: bool
    shape: DocumentShape = "decisions"
    link_hosts: Collection[str] = ()
    rules: LimitRules = NEXT_PASS
    fetched: FetchCache = field(factory=FetchCache)
    mirrors: OpenMirrors = no_mirrors
    task: str = ""
    failures: Mapping[str, str] = field(factory=dict, init=False)
    items: int = field(default=0, init=False)
    hops: int = field(default=1, init=False)
    _delayed: frozenset[str] = field(default=frozenset(), init=False)
    _waits: dict[str, datetime] = field(factory=dict, init=False)

    async def make(self) -> BuildResult:
        """Ask, compose and write.

        Raises:
            RoveError: The ticket itself cannot be read, or nothing is found about words.
        """
        with measured(self):
            previous = await self.documents.previous_build(self.request.ticket)
            delta = await self._gather(previous)
            sections = await self._sections(delta.ticket)
            delta = self._add_reports(delta)
            self._check_found(delta, sections, previous)
            composed = None
            if not self._is_unchanged(delta, sections, previous):
                composed = await self._compose(delta, sections, previous)
            words = await self._words_about(delta) if composed else _words_of(previous)
            # From the choice of a name on nobody else gets a turn until a file has it.
            filename = previous.filename or await self._new_filename(delta.ticket)
            page = self._write(filename, previous, delta, composed)
            self.failures = {row.account: row.failure for row in delta.consulted if row.failure}
            for account, failure in self.failures.items():
                if account not in self._delayed:
                    await self.report("search", account=account, note=failure)
            if not self.commit and exclude_documents(self.documents.places.root):
                await self.report("write", note=".context/ is now in .git/info/exclude")
            # Last of all: it is what the task's line says once the build is done.
            await self.report("write", note=filename)
            record = self._record(filename, words, previous, delta)
            build_record = BuildRecord(
                record=record,
                ticket=delta.ticket,
                uses=page.uses,
                searches=delta.gathered.searches,
                fetched=delta.fetched,
            )
            await self.documents.save(build_record)
            for note in page.notes:
                await self.report("note", note=note)
        return BuildResult(
            document=document_of(record, self.documents.places.context),
            failures=self.failures,
            notes=page.notes,
            rest=delta.rest,
        )

    async def rehearse(self) -> None:
        """Ask the sources and the engine as a build does, and write nothing."""
        previous = await self.documents.previous_build(self.request.ticket)
        delta = await self._gather(previous)
        sections = await self._sections(delta.ticket)
        await self._compose(self._add_reports(delta), sections, previous)

    @property
    def _budget(self) -> int:
        """How many tokens the document may take."""
        return self.request.max_tokens or self.max_tokens

    async def _gather(self, previous: PreviousBuild) -> BuildDelta:
        """Query all accounts, and return the new state of the document."""
        window = self.request.window or previous.window
        mirrors = await self.mirrors()
        fetches = Fetches(
            accounts=self.accounts,
            clock=self.clock,
            fetched=self.fetched,
            rules=self.rules,
            report_wait=self._report_wait,
            mirrors=mirrors,
        )
        gathering = Gatherer(
            ticket=self.request.ticket,
            fetches=fetches,
            report=self.report,
            window=window,
            max_hops=self.max_hops,
            earlier=self._earlier(previous, window),
        )
        try:
            if self.request.words:
                gathered = await gathering.about_words(self._words())
            else:
                gathered = await gathering.about_ticket()
        finally:
            self.items, self.hops = len(gathering.found), gathering.hops
        self._delayed = frozenset(filter(fetches.is_delayed, self.accounts.names))
        failures = {
            name: error.message for name, error in {**mirrors.failures, **fetches.failures}.items()
        }
        rows = tuple(self._source_rows(previous, failures, mirrors))
        delta = make_delta(
            previous,
            gathered,
            at=self.clock.now(),
            window=window,
            read=self._read(),
            consulted=rows,
        )
        spared = sorted(map(self._title, fetches.partial))
        return attrs.evolve(
            delta,
            partial=frozenset(fetches.partial),
            rest=fetches.rest,
            notes=tuple(_SPARED.format(title=title) for title in spared),
        )

    def _check_found(
        self, delta: BuildDelta, sections: Sequence[Section], previous: PreviousBuild
    ) -> None:
        """Raise ItemNotFound if every source was searched and nothing is about the words.

        What could not be searched may still have something, and a document that is there stays.
        """
        if not self.request.words or previous.filename or sections or delta.rest:
            return
        if delta.gathered.candidates or any(row.failure for row in delta.consulted):
            return
        titles = ", ".join(self._title(name) for name in self.accounts.names)
        raise ItemNotFound(
            f"nothing is found about {self.request.words!r}; searched: {titles}",
            hint="Give the id of a ticket, or other words; see your sources: rove sources list",
        )

    async def _sections(self, ticket: ContextItem) -> tuple[Section, ...]:
        """Return the sections that plugins add to the document."""
        share = int(self._budget * _SECTIONS)
        root = self.documents.places.root
        return fit_sections(await self.accounts.sections(ticket, budget=share, project=root), share)

    async def _report_wait(self, account: str, until: datetime) -> None:
        """Report which limit the build waits for; of several, the longest."""
        if until > self._waits.get(account, until - _SAME_WAIT):
            self._waits[account] = until + _SAME_WAIT
            await self.report("waiting", account=account, note=f"until {until:%H:%M:%S} UTC")

    def _words(self) -> ContextItem:
        """Return the words in the form of a ticket; they are as old as they are new."""
        return ContextItem(
            ref=self.request.ticket,
            source="",
            role="page",
            title=self.request.words,
            content="",
            timestamp=self.clock.now(),
        )

    def _read(self) -> frozenset[Key]:
        """Return the items read in full by this build and others of the same call."""
        return frozenset(key_of(item.ref) for item in self.fetched.items.values())

    def _earlier(self, previous: PreviousBuild, window: Window) -> EarlierBuild:
        """Return what an earlier build makes unnecessary to fetch.

        Of another window nothing is known; but what the document says already is read again, for
        nobody else may have it any more.
        """
        if self.request.fresh or window != previous.window:
            shown = [use.candidate for use in previous.uses if use.tokens]
            return EarlierBuild(
                candidates=tuple(shown),
                live=tuple(each.item.ref for each in shown),
                quoted=previous.quotes,
            )
        begins = self.clock.now() - LIVE
        answered, resumed = frozenset(_complete_accounts(previous)), self.request.resumed
        return EarlierBuild(
            ticket=previous.ticket,
            candidates=tuple(use.candidate for use in previous.uses),
            searches=previous.searches,
            complete=answered if resumed else frozenset(previous.fetched),
            answered=answered,
            live=tuple(
                use.candidate.item.ref
                for use in previous.uses
                if use.kept
                and use.candidate.whole
                and _newest_part(use.candidate.item) >= begins
                and not (resumed and use.candidate.item.account in answered)
            ),
            quoted=previous.quotes,
            resumed=resumed,
        )

    def _source_rows(
        self, previous: PreviousBuild, failures: Mapping[str, str], mirrors: Mirrors
    ) -> Iterator[ConsultedSource]:
        """Yield a row for each account: when it last answered, and what went wrong now."""
        now = self.clock.now()
        for name in self.accounts.names:
            yield ConsultedSource(
                account=name,
                title=self._title(name),
                updated=previous.fetched.get(name) if name in failures else now,
                failure=failures.get(name, ""),
                copied=mirrors.updated_at(name),
                unlisted=mirrors.unlisted.get(name, ""),
            )
        for name, why in self.unconnected.items():
            yield ConsultedSource(account=name, updated=previous.fetched.get(name), failure=why)

    def _title(self, account: str) -> str:
        """Return the kind's title, with the account's name if there are several."""
        _, _, which = account.partition(":")
        return f"{self.titles[account]} ({which})" if which else self.titles[account]

    def _is_unchanged(
        self, delta: BuildDelta, sections: Sequence[Section], previous: PreviousBuild
    ) -> bool:
        """Return whether the document says it all already."""
        request = self.request
        asked_otherwise = (
            request.fresh or request.max_tokens is not None or request.shape is not None
        )
        return not asked_otherwise and is_unchanged(delta, sections, previous)

    def _add_reports(self, delta: BuildDelta) -> BuildDelta:
        """Return the same with what plugins did wrong: in the rows of accounts, or in their own."""
        reports, rows = current_reports(), {row.account: row for row in delta.consulted}
        for name, error in reports.failures.items():
            row = rows.get(name) or ConsultedSource(account=name, title=f"{name} (plugin)")
            rows[name] = attrs.evolve(row, failure=row.failure or error.message)
        # What a failing filter kept back is asked for again.
        spared = {ref.account for ref in reports.withheld}
        return attrs.evolve(
            delta,
            consulted=tuple(rows.values()),
            partial=delta.partial | spared,
            notes=tuple(dict.fromkeys((*delta.notes, *reports.notes))),
        )

    async def _compose(
        self, delta: BuildDelta, sections: tuple[Section, ...], previous: PreviousBuild
    ) -> Composition:
        """Compose the document from its items and sections."""
        text, base, budget = previous.text, previous.base, self._budget
        brief = Brief(
            ticket=delta.ticket,
            candidates=delta.gathered.candidates,
            window=delta.window,
            budget=budget,
            own_words=words_of_people(text, base) if text and base else (),
            placed=placed_topics(base),
            sections=sections,
            consulted=delta.consulted,
            gone=delta.gone,
            everywhere=delta.gathered.everywhere,
        )
        empty = Outline(ticket=delta.ticket, sections=sections, consulted=delta.consulted)
        last = last_number(text, base, budget)
        costs = TokenCosts(outline=empty, hosts=self._hosts, last=last)
        composed = await compose(brief, self.chosen.engine, costs)
        notes = (*delta.notes, *self.chosen.record.notes)
        return attrs.evolve(composed, outline=attrs.evolve(composed.outline, notes=notes))

    @property
    def _hosts(self) -> frozenset[str]:
        """Hosts that addresses in quotes may lead to."""
        return self.accounts.hosts.union(self.link_hosts)

    async def _words_about(self, delta: BuildDelta) -> tuple[str, ...]:
        """Return a few words about the document's subject."""
        seen = [each.item for each in delta.gathered.candidates]
        return main_words(delta.ticket, await self.chosen.engine.keywords(delta.ticket, seen))

    async def _new_filename(self, ticket: ContextItem) -> str:
        """Return a name for the document; it depends on the ticket alone.

        So two projects, and two engines, give it the same one.
        """
        titled = (word.text for word in written(ticket.title))
        words = name_words(titled, await Extractive().keywords(ticket, ()))
        return await self.documents.new_filename(ticket.ref, words)

    def _write(
        self,
        filename: str,
        previous: PreviousBuild,
        delta: BuildDelta,
        composed: Composition | None,
    ) -> NewDocument:
        """Write the document, keeping edits that people make at the same time."""
        text, account = previous.text, self.request.ticket.account
        options = WriteOptions(
            now=delta.at,
            hosts=self._hosts,
            max_tokens=self._budget,
            fresh=self.request.fresh,
            shape=self.request.shape or self.shape,
        )
        for _ in range(_TRIES):
            if composed is not None:
                page = new_page(text, previous, delta, composed, options)
            elif text is not None and previous.base is not None:
                page = same_page(text, previous.base, previous, delta)
            else:
                break
            if (page.text, page.base) == (text, previous.base):
                return page
            if self.documents.write(account, filename, page.text, page.base, over=text):
                return page
            if not previous.filename:
                break
            text = self.documents.text(filename)
            previous = attrs.evolve(previous, base=self.documents.base(account, filename, text))
        path = self.documents.places.context / filename
        raise Locked(f"{path} is being changed or removed by somebody else right now")

    def _record(
        self, filename: str, words: tuple[str, ...], previous: PreviousBuild, delta: BuildDelta
    ) -> DocumentRecord:
        """Return the document's record, keeping its name and creation time."""
        ticket, old = delta.ticket, previous.record
        return DocumentRecord(
            account=ticket.account,
            ticket_id=ticket.ref.id,
            filename=filename,
            last_updated=delta.at,
            created_at=old.created_at if old else delta.at,
            title=ticket.title,
            url=ticket.url,
            keywords=words,
            since=delta.window.since,
            until=delta.window.until,
            changed_at=delta.at if old is None or has_changes(delta, previous) else old.changed_at,
        )


def _newest_part(item: ContextItem) -> datetime:
    return max(part.timestamp for part in (item, *item.thread))


def _complete_accounts(previous: PreviousBuild) -> Iterator[str]:
    """Yield the accounts that answered completely in the last build."""
    for account, at in previous.fetched.items():
        if previous.record and at == previous.record.last_updated:
            yield account


def _words_of(previous: PreviousBuild) -> tuple[str, ...]:
    return previous.record.keywords if previous.record else ()
