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
from rove_core.build.gather.notes import fetch_notes, outdated_notes, report_outdated
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
from rove_core.plugins.hook_results import reason_of
from rove_core.plugins.reports import current_reports
from rove_core.project.layout import exclude_documents
from rove_core.store.documents import DocumentRecord
from rove_core.tasks.runner import ReportProgress
from rove_core.time_windows import Window

#: A discussion silent for this long is read again only if a search finds something new in it.
LIVE: Final = timedelta(days=30)
#: The share of a document that plugin sections may take.
_SECTIONS: Final = 0.25
#: Attempts to write a document that someone keeps saving at the same time.
_TRIES: Final = 5
#: Waits that end this close together are reported as one.
_SAME_WAIT: Final = timedelta(seconds=1)


@define(eq=False, kw_only=True)
class DocumentBuilder:
    """Builds one document of a project.

    Attributes:
        request: The build request.
        documents: The stored state of documents.
        accounts: The accounts to query.
        titles: Display titles of the accounts' kinds.
        unconnected: Reasons why accounts could not be connected, by account name.
        chosen: The engine, with the record of its questions.
        clock: The clock.
        report: Reports progress.
        max_tokens: Token budget of Rove's part.
        shape: Whether documents begin with decisions or with the ticket.
        max_hops: Maximum depth of references.
        commit: Whether git may track the documents.
        link_hosts: Hosts that links in quotes may point to, besides the accounts' own.
        rules: How this pass uses the accounts' rate limits.
        fetched: Results shared by all builds of the same call.
        mirrors: Opens the mirrors that may be searched instead of accounts, updated if they are
            not current; with ``update=False``, whatever their age.
        task: Id of the task that runs the build, for the log; empty if there is none.
        failures: Reasons why accounts or plugins are missing from the document, by name.
        items: Number of items found.
        hops: Depth of references reached.
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
        """Query the sources, compose the document and write it.

        Raises:
            RoveError: The ticket cannot be read, or no source has anything about the words.
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
            # No await from the choice of a name until its file exists, so nobody else takes it.
            filename = previous.filename or await self._new_filename(delta.ticket)
            page = self._write(filename, previous, delta, composed)
            self.failures = {row.account: row.failure for row in delta.consulted if row.failure}
            for account, failure in self.failures.items():
                if account not in self._delayed:
                    await self.report("search", account=account, note=failure)
            if not self.commit and exclude_documents(self.documents.places.root):
                await self.report("write", note=".context/ is now in .git/info/exclude")
            notes = (*page.notes, *self.chosen.record.summaries)
            for note in notes:
                await self.report("note", note=note)
            # Reported last, because the task's line shows this note once the build is done.
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
        return BuildResult(
            document=document_of(record, self.documents.places.context),
            failures=self.failures,
            notes=(*notes, *outdated_notes(delta.consulted)),
            rest=delta.rest,
        )

    async def rehearse(self) -> None:
        """Query the sources and the engine as a build does, without writing anything."""
        previous = await self.documents.previous_build(self.request.ticket)
        delta = await self._gather(previous)
        sections = await self._sections(delta.ticket)
        await self._compose(self._add_reports(delta), sections, previous)

    @property
    def _budget(self) -> int:
        """The token budget of the document."""
        return self.request.max_tokens or self.max_tokens

    async def _gather(self, previous: PreviousBuild) -> BuildDelta:
        """Query all accounts, and return the new state of the document."""
        window = self.request.window or previous.window
        is_refresh = self.request.fresh or self.request.retries
        mirrors = await self.mirrors(refresh=is_refresh)
        mirrors = mirrors.forget_failed_reads() if is_refresh else mirrors
        await report_outdated(mirrors, self.report)
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
        failed = {**mirrors.failures, **fetches.failures}
        failures = {name: reason_of(name, error) for name, error in failed.items()}
        rows = tuple(self._source_rows(previous, failures, mirrors))
        delta = make_delta(
            previous,
            gathered,
            at=self.clock.now(),
            window=window,
            read=self._read(),
            consulted=rows,
        )
        return attrs.evolve(
            delta,
            partial=frozenset(fetches.partial | {ref.account for ref in fetches.unread_beyond}),
            rest=fetches.rest,
            notes=fetch_notes(fetches, self._title),
        )

    def _check_found(
        self, delta: BuildDelta, sections: Sequence[Section], previous: PreviousBuild
    ) -> None:
        """Raise ItemNotFound if every source was searched and none has anything about the words.

        A source that was not searched may still have something, and an existing document stays.
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
        """Report the limit that the build waits for; of several, the longest."""
        if until > self._waits.get(account, until - _SAME_WAIT):
            self._waits[account] = until + _SAME_WAIT
            await self.report("waiting", account=account, note=f"until {until:%H:%M:%S} UTC")

    def _words(self) -> ContextItem:
        """Return the words in the form of a ticket, dated now."""
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
        """Return the results of the previous build that need not be fetched again.

        A fresh build, or one of another window, reuses none; but it reads again what the document
        shows, because its source may no longer have it.
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
            gone=frozenset(previous.gone),
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
                copy=mirrors.copy_of(name),
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
        """Return whether the document already says everything that the build found."""
        request = self.request
        asked_otherwise = (
            request.fresh or request.max_tokens is not None or request.shape is not None
        )
        return not asked_otherwise and is_unchanged(delta, sections, previous)

    def _add_reports(self, delta: BuildDelta) -> BuildDelta:
        """Add plugin failures to the rows of their accounts, or in rows of their own."""
        reports, rows = current_reports(), {row.account: row for row in delta.consulted}
        for name, error in reports.failures.items():
            row = rows.get(name) or ConsultedSource(account=name, title=f"{name} (plugin)")
            rows[name] = attrs.evolve(row, failure=row.failure or reason_of(name, error))
        # The next build fetches again what a failing filter withheld.
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
        costs = TokenCosts(outline=empty, hosts=self._hosts, last=last_number(text, base, budget))
        composed = await compose(brief, self.chosen.engine, costs)
        notes = (*delta.notes, *self.chosen.record.summaries)
        return attrs.evolve(composed, outline=attrs.evolve(composed.outline, notes=notes))

    @property
    def _hosts(self) -> frozenset[str]:
        """Hosts that links in quotes may point to."""
        return self.accounts.hosts.union(self.link_hosts)

    async def _words_about(self, delta: BuildDelta) -> tuple[str, ...]:
        """Return a few words about the document's subject."""
        seen = [each.item for each in delta.gathered.candidates]
        return main_words(delta.ticket, await self.chosen.engine.keywords(delta.ticket, seen))

    async def _new_filename(self, ticket: ContextItem) -> str:
        """Return a name for the document that depends on the ticket alone.

        Two projects, or two engines, therefore give it the same name.
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
