"""Each standard test is there for a reason: it, and no other, fails for a source with that flaw.

A mutant is the reference source with one line changed. All of them are installed side by side
and tested in one run of pytest of their own.
"""

from collections.abc import Collection, Mapping
from pathlib import Path

import pytest
from tests.core.suite_verdicts import mutated, verdicts_of
from tests.core.test_testing_author_faults import SHOWN as AUTHOR_FAULTS
from tests.core.test_testing_work_mutants import MUTANTS as OF_WORK

from rove_core.testing import reference
from rove_core.testing.suite import standard_tests

#: For each standard test the line of the reference source that is changed, and into what.
MUTANTS = {
    "test_kind_is_found_by_its_entry_point": (
        "def rove_sources() -> Sequence[SourceKind[ReferenceSettings]]:",
        "def rove_kinds() -> Sequence[SourceKind[ReferenceSettings]]:",
    ),
    "test_kind_is_described_by_data_alone": ("import attrs", "import attrs, httpx"),
    "test_settings_have_defaults": ("    titled: bool = True", "    titled: bool"),
    "test_ids_match_their_pattern": (
        '            id_pattern=r"NOTE-(?P<number>[0-9]+)",',
        '            id_pattern=r"note-(?P<number>[0-9]+)",',
    ),
    "test_connecting_touches_nothing": (
        "        self._account = account",
        '        self._account = __import__("os").listdir(".") and account',
    ),
    "test_hooks_keep_the_contract": (
        "    async def rove_disconnect(self) -> None:",
        "    def rove_disconnect(self):\n        return SYSTEM.sleep(0)\n\n    async def _(self):",
    ),
    "test_login_gives_a_credential": (
        '        header = Secret(f"Key {key.reveal()}")',
        '        header = type("Text", (str,), {"reveal": str.__str__})(f"Key {key.reveal()}")',
    ),
    "test_login_asks_only_for_what_it_declares": (
        '            logins=(LoginWay(name="key", title="Key", fields=(KEY,)),),',
        '            logins=(LoginWay(name="key", title="Key"),),',
    ),
    "test_credential_is_bound_to_the_vendor": (
        '        return Credential(headers={"Authorization": header}, hosts=(HOST,), refresh=key)',
        '        return Credential(headers={"Authorization": header}, hosts=("*",), access=key)',
    ),
    "test_wrong_login_is_refused": (
        '            raise LoginRefused("the notebook does not know this key")',
        '            raise ItemNotFound("the notebook does not know this key")',
    ),
    "test_secrets_stay_secret": (
        '            raise LoginRefused("the notebook does not know this key")',
        '            raise LoginRefused(f"the notebook does not know {key.reveal()}")',
    ),
    "test_refreshed_credential_is_no_wider": (
        "        return attrs.evolve(credential, expires_at=None)",
        '        return attrs.evolve(credential, hosts=(HOST, "elsewhere.example"))',
    ),
    "test_disconnecting_ends_quietly": (
        '        """Give the key back."""',
        '        return "done"',
    ),
    "test_identity_names_somebody": (
        '        return Identity(name="Robin Doe", id="robin", hosts=(HOST,))',
        '        return Identity(name="", id="robin", hosts=(HOST,))',
    ),
    "test_identity_names_bare_hosts": (
        '        return Identity(name="Robin Doe", id="robin", hosts=(HOST,))',
        '        return Identity(name="Robin Doe", id="robin", hosts=(f"https://{HOST}/",))',
    ),
    "test_detail_is_the_item_asked_for": (
        "        item = self._item(NOTES[ref.id])",
        '        item = attrs.evolve(self._item(NOTES[ref.id]), ref=attrs.evolve(ref, kind="x"))',
    ),
    "test_unknown_item_is_not_found": (
        '            raise ItemNotFound(f"there is no {ref.kind} {ref.id!r} in the notebook")',
        '            raise KeyError(f"there is no {ref.kind} {ref.id!r} in the notebook")',
    ),
    "test_id_is_no_address": (
        '        if ref.kind != "note" or ref.id not in NOTES:',
        '        ref = attrs.evolve(ref, id=ref.id.split("?")[0])\n        if ref.id not in NOTES:',
    ),
    "test_items_belong_to_the_account": (
        "                ref=self._answer(note, number),",
        '                ref=attrs.evolve(self._answer(note, number), account="reference"),',
    ),
    "test_times_are_utc": (
        "                timestamp=note.at + timedelta(minutes=number),",
        "                timestamp=note.at.astimezone(ELSEWHERE),",
    ),
    "test_links_stay_with_the_vendor": (
        '        page = f"https://{HOST}/{note.id}#{number}"',
        '        page = f"https://{HOST}.evil/?{note.id}"',
    ),
    "test_replies_can_be_cited": (
        '        page = f"https://{HOST}/{note.id}#{number}"',
        '        page = ""',
    ),
    "test_replies_have_ids_of_their_own": (
        '            account=self._account.name, kind="answer", id=f"{note.id}/{number}", url=page',
        '            account=self._account.name, kind="answer", id=f"{note.id}/0", url=page',
    ),
    "test_several_mentions_are_recognised": (
        "        return [self._ref(name) for name in dict.fromkeys(_NOTE.findall(text))]",
        "        return [self._ref(name) for name in dict.fromkeys(_NOTE.findall(text)[:1])]",
    ),
    "test_found_items_agree_with_themselves": (
        "            yield self._item(note)",
        "            yield attrs.evolve(self._item(note), title=note.title.upper())",
    ),
    "test_listed_items_agree_with_themselves": (
        "                item = self._item(note)",
        '                item = attrs.evolve(self._item(note), role="talk")',
    ),
    "test_expected_item_is_told_in_full": (
        "            timestamp=note.at,",
        '            timestamp=note.at, author="Robin Doe",',
    ),
    "test_listing_keeps_since": (
        "        place, left = UpdateCursor.of(scope, keep_ids=True), scope.limit",
        (
            "        place, left = UpdateCursor.of(attrs.evolve(scope, since=None), keep_ids=True),"
            " scope.limit"
        ),
    ),
    "test_listing_keeps_to_its_containers": (
        '        return [Container(name="notebook")]',
        '        return [Container(name="notebook"), Container(name="other")]',
    ),
    "test_whole_items_are_whole": (
        "                yield ListedChange(item=item, cursor=place.text(done=False))",
        "                yield ListedChange(item=item, whole=True, cursor=place.text(done=False))",
    ),
    "test_search_finds_what_is_there": (
        "        found = [note for note in NOTES.values() if note.contains(query.text)]",
        "        found = [note for note in NOTES.values() if note.contains(query.text)][:1]",
    ),
    "test_search_finds_nothing_without_complaint": (
        "        if query.since:",
        "        if not (found or NOTES[query.text]) or query.since:",
    ),
    "test_search_keeps_the_limit": (
        "        for note in found[: query.limit]:",
        "        for note in found:",
    ),
    "test_search_keeps_since": (
        "            found = [note for note in found if note.at >= query.since]",
        "            found = [note for note in found if note.at > query.since]",
    ),
    "test_search_keeps_until": (
        "            found = [note for note in found if note.at <= query.until]",
        "            found = [note for note in found if note.at < query.until]",
    ),
    "test_search_repeats_itself": (
        "            yield self._item(note)",
        "            yield attrs.evolve(self._item(note), title=str(SYSTEM.monotonic()))",
    ),
    "test_search_can_be_left_early": (
        "            yield self._item(note)",
        "            with Careless(): yield self._item(note)",
    ),
    "test_found_items_can_be_read": (
        "            yield self._item(note)",
        "            yield attrs.evolve(self._item(note), ref=self._ref(note.title))",
    ),
    "test_listing_brings_the_known_item": (
        "        for note in NOTES.values():",
        "        for note in [*NOTES.values()][:1]:",
    ),
    "test_listing_is_newest_first": (
        "                item = self._item(note)",
        "                item = attrs.evolve(self._item(note), timestamp=_DAY + (_DAY - note.at))",
    ),
    "test_listing_goes_on_from_its_cursor": (
        "            yield ListedChange(cursor=place.text(done=True))",
        "            yield ListedChange(cursor=UpdateCursor(since=_DAY).text(done=True))",
    ),
    "test_stored_item_that_was_deleted_is_gone": (
        "        place, left = UpdateCursor.of(scope, keep_ids=True), scope.limit",
        (
            "        known = attrs.evolve(scope, unconfirmed={})\n"
            "        place, left = UpdateCursor.of(known, keep_ids=True), scope.limit"
        ),
    ),
    "test_listing_repeats_nothing": (
        "                yield ListedChange(item=item, cursor=place.text(done=False))",
        "                yield ListedChange(item=item)",
    ),
    "test_a_copy_stays_equal_to_its_vendor": (
        "            for name in place.forget_missing(NOTES, SYSTEM.now()):",
        "            for name in ():",
    ),
    "test_readable_containers_are_those_asked_for": (
        "        return [each for each in await self.rove_containers() if each.name in names]",
        "        return await self.rove_containers()",
    ),
    "test_recent_changes_are_whole_and_have_their_container": (
        "            yield ListedChange(item=whole, whole=True, container=notebook)",
        "            yield ListedChange(item=whole, whole=True)",
    ),
    "test_recent_changes_keep_since": (
        "        for note in [each for each in NOTES.values() if each.at >= since]:",
        "        for note in [each for each in NOTES.values() if each.at > since]:",
    ),
    "test_recent_changes_of_a_lost_container_are_refused": (
        "        if lost:",
        "        if len(lost) > 1:",
    ),
    "test_addresses_of_items_are_recognised": (
        '        page = f"https://{HOST}/{note.id}#{number}"',
        '        page = f"https://{HOST}/answers/{number}"',
    ),
    "test_items_of_others_change_no_reference": (
        "        return [self._ref(name) for name in dict.fromkeys(_NOTE.findall(text))]",
        "        return [self._ref(n) for n in _NOTE.findall(text) + ['NOTE-1'] * bool(origin)]",
    ),
    "test_facts_are_the_same_wherever_found": (
        "            yield self._item(note)",
        '            yield attrs.evolve(self._item(note), facts=Facts(priority="High"))',
    ),
    "test_identity_is_who_logged_in": (
        '        return Identity(name="Robin Doe", id="robin", hosts=(HOST,))',
        '        return Identity(name="robin", id="Robin Doe", hosts=(HOST,))',
    ),
    "test_further_items_tell_each_fact": (
        "            timestamp=note.at,",
        '            timestamp=note.at, facts=Facts(priority="High" * (note.id == "NOTE-1")),',
    ),
    "test_recent_changes_leave_out_nothing": (
        "        for note in [each for each in NOTES.values() if each.at >= since]:",
        "        for note in [n for n in NOTES.values() if len(n.id) < 8 and n.at >= since]:",
    ),
    "test_other_forms_of_an_id_are_recognised": (
        '            id_forms=(f"https://{HOST}/NOTE-{{number}}",),',
        '            id_forms=("note {number}",),',
    ),
    "test_replies_read_alone_are_the_same": (
        "            return self._answers(NOTES[name])[int(number)]",
        "            return attrs.evolve(self._answers(NOTES[name])[int(number)], author='Robin')",
    ),
    "test_further_items_are_verbatim": (
        "            title=title,",
        '            title=title.replace("Colours", "Colors"),',
    ),
    "test_changed_item_is_read_anew": (
        "        item = self._item(NOTES[ref.id])",
        "        item = self.__dict__.setdefault(ref.id, self._item(NOTES[ref.id]))",
    ),
    "test_found_talk_is_part_of_its_thread": (
        "            yield self._item(note)",
        ("            yield attrs.evolve(self._item(note), role='talk', author='Robin')"),
    ),
    "test_mentions_are_recognised": (
        '_PAGE: Final = re.escape(f"https://{HOST}/")',
        '_PAGE: Final = "^" + re.escape(f"https://{HOST}/")',
    ),
    "test_pages_of_others_are_left_alone": (
        '_PAGE: Final = re.escape(f"https://{HOST}/")',
        '_PAGE: Final = "https://[a-z.]+/"',
    ),
    "test_other_texts_are_left_alone": (
        r'_NOTE: Final = re.compile(rf"(?<![\w/.-])(?:{_PAGE})?(NOTE-[0-9]{{1,9}})(?![\w-])")',
        r'_NOTE: Final = re.compile(rf"(?<![\w/.-])(?:{_PAGE})?([A-Z]{{2,9}}-[0-9]+)(?![\w-])")',
    ),
    "test_references_belong_to_the_account": (
        "        return [self._ref(name) for name in dict.fromkeys(_NOTE.findall(text))]",
        '        return [attrs.evolve(self._ref(n), account="ref") for n in _NOTE.findall(text)]',
    ),
    "test_recognising_touches_nothing": (
        "        return [self._ref(name) for name in dict.fromkeys(_NOTE.findall(text))]",
        "        return [self._ref(n) for n in _NOTE.findall(text) if not open(__file__).close()]",
    ),
    "test_any_text_is_survived": (
        "        return [self._ref(name) for name in dict.fromkeys(_NOTE.findall(text))]",
        "        return [self._ref(n) for n in _NOTE.findall(text.encode().decode())]",
    ),
    "test_long_texts_are_quick": (
        "        return [self._ref(name) for name in dict.fromkeys(_NOTE.findall(text))]",
        "        return [self._ref(n) for n in _NOTE.findall(re.sub(r'\\w*!', '', text))]",
    ),
    "test_recognised_items_can_be_read": (
        "        return [self._ref(name) for name in dict.fromkeys(_NOTE.findall(text))]",
        "        return [attrs.evolve(self._ref(n), kind='memo') for n in _NOTE.findall(text)]",
    ),
    "test_two_accounts_do_not_mix": (
        "        self._account = account",
        "        type(self)._account = account",
    ),
    "test_cancelled_calls_leave_nothing_behind": (
        "            await SYSTEM.sleep(0)",
        '            __import__("asyncio").ensure_future(SYSTEM.sleep(600))',
    ),
    "test_search_is_in_order": (
        "        for note in found[: query.limit]:",
        "        for note in found[::-1][: query.limit]:",
    ),
    "test_nothing_is_printed": (
        "        found = [note for note in NOTES.values() if note.contains(query.text)]",
        "        found = [n for n in NOTES.values() if n.contains(query.text)]; print(len(found))",
    ),
    "test_nothing_blocks": (
        "        found = [note for note in NOTES.values() if note.contains(query.text)]",
        "        found = [n for n in NOTES.values() if n.contains(query.text) or sleep(0)]",
    ),
    "test_known_item_is_verbatim": (
        "            for number, text in enumerate(note.answers)",
        "            for number, text in enumerate(map(str.upper, note.answers))",
    ),
    "test_thread_is_in_order": (
        "            for number, text in enumerate(note.answers)",
        "            for number, text in [*enumerate(note.answers)][::-1]",
    ),
}
#: Tests that need a vendor over HTTP, or a fact that is left out: shown to fail elsewhere, by
#: faults in a plugin that ``rove plugins new`` makes (tests/app/test_suite_faults.py).
OVER_HTTP = {
    "test_disconnected_login_is_refused",
    "test_reported_failures_have_their_errors",
    "test_guard_reaches_the_vendor",
    "test_lost_reply_leaves_one_comment",
    "test_lost_reply_leaves_one_work_item",
    "test_search_reads_every_page",
    "test_listing_reads_every_page",
    "test_search_keeps_to_the_fields_asked_for",
    "test_search_of_fields_needs_every_word",
    "test_search_tells_each_failure",
    "test_search_tells_a_failing_page",
    "test_detail_tells_a_failing_part",
    "test_containers_tell_each_failure",
    "test_search_checks_the_window_itself",
    "test_expired_page_is_no_end",
    "test_failed_listing_goes_on",
    "test_detail_tells_each_failure",
    "test_identity_tells_each_failure",
    "test_zone_of_the_machine_changes_nothing",
    "test_accounts_keep_their_own_connection",
    "test_login_is_renewed_twice",
    "test_refused_renewal_asks_for_a_login",
    "test_trouble_loses_no_login",
    "test_found_items_are_complete",
    "test_words_elsewhere_do_not_count",
    "test_search_of_fields_keeps_the_window",
}

#: A source with pages of a discussion is none of these: it was seen to fail by hand.
BY_HAND = {"test_discussion_reads_every_page", "test_work_and_item_agree"}

#: Shown with faults of shipped sources, in test_testing_author_faults.py.
BY_AUTHORS = {*AUTHOR_FAULTS}

#: They skip, with what is missing in the description, and gold is not reached.
OF_THE_DESCRIPTION = {
    "test_described_items_have_no_other_words",
    "test_parts_and_links_are_described",
    "test_every_fact_is_described",
    "test_described_items_tell_values_apart",
    "test_each_field_is_described",
    "test_days_sent_as_times_are_described",
}

#: Shown with the reference source in two notebooks.
OF_TWO_NOTEBOOKS = "test_recent_changes_of_several_containers_have_their_own"

#: The lines of the reference source that are other ones when it has two notebooks.
TWO_NOTEBOOKS = {
    '        return [Container(name="notebook")]': (
        '        return [Container(name="new"), Container(name="old")]'
    ),
    "            whole = attrs.evolve(self._item(note), thread=tuple(self._answers(note)))": """\
            notebook = "new" if note.id == "NOTE-3" else "old"
            if notebook not in scope.containers:
                continue
            whole = attrs.evolve(self._item(note), thread=tuple(self._answers(note)))""",
}

#: What is recorded of a source: shown to fail in test_recordings.py.
RECORDED = {
    "test_reading_is_as_recorded",
    "test_history_is_as_recorded",
    "test_failures_are_as_recorded",
    "test_changes_are_as_recorded",
}

#: Sources that nobody gets into: one line costs more than one test, so at least these must fail.
BROKEN = {
    "test_connecting_needs_no_login": (
        "    return ReferenceSource(account)",
        "    return ReferenceSource(account.name.site)",
    ),
    "test_login_gives_a_credential": (
        "        key = await login.ask_secret(KEY)",
        "        key = await login.ask_secret(KEYS)",
    ),
    "test_identity_names_somebody": (
        '        return Identity(name="Robin Doe", id="robin", hosts=(HOST,))',
        "        return None",
    ),
}

SUITES = """
import importlib
import itertools
import os
import attrs
import pytest
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from rove_core.testing import ExpectedItem, SourceTests, Vendor

@pytest.fixture(scope="class", autouse=True)
def _alone(request):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ROVE_LOAD_PLUGINS", request.cls.plugin)
        yield

class Facts(SourceTests):
    kind = "reference"
    known, known_kind, unknown = "NOTE-3", "note", "NOTE-999"
    query = "login"
    mentions = ("see NOTE-3.", "see https://notes.example/NOTE-3 (old)")
    expected = ExpectedItem(
        role="page",
        title="Login",
        timestamp=datetime(2024, 12, 15, 12, tzinfo=UTC),
        url="https://notes.example/NOTE-3",
        words=("Keys stay valid.",),
        thread=(
            ExpectedItem(
                timestamp=datetime(2024, 12, 15, 12, tzinfo=UTC), words=("Until when?",)
            ),
            ExpectedItem(
                timestamp=datetime(2024, 12, 15, 12, 1, tzinfo=UTC), words=("June.",)
            ),
        ),
    )
    more_expected = (ExpectedItem(id="NOTE-1", title="Colours"),)
    user = "Robin Doe"

    @pytest.fixture
    def vendor(self):
        notes = importlib.import_module(self.plugin).NOTES
        before = dict(notes)
        vendor = Vendor(
            answers={"key": "open-sesame"},
            settings={"titled": True},
            steps=steps(notes),
            there=lambda: {name: note.text for name, note in notes.items()},
        )
        yield nullcontext(vendor)
        notes.clear()
        notes.update(before)

def steps(notes):
    count = itertools.count(1)

    def put(note):
        rest = {name: each for name, each in notes.items() if name != note.id}
        notes.clear()
        notes.update({note.id: note, **rest})

    def edit(chance, name=""):
        number = next(count)
        note = notes[name or chance.choice(sorted(notes))]
        at = datetime(2025, 1, 1, tzinfo=UTC) + timedelta(hours=number)
        named = f"NOTE-{100 + number}" if name else note.id
        put(attrs.evolve(note, id=named, text=f"Text {number}", at=at))

    def add(chance):
        edit(chance, sorted(notes)[0])

    def delete(chance):
        if len(notes) > 2:
            del notes[chance.choice(sorted(notes))]

    return {"add": add, "copy": add, "edit": edit, "delete": delete}
"""


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Collection[str]]:
    """Give what the suite finds wrong with each mutant, by the name of its class there."""
    sources = [*MUTANTS.values(), *BROKEN.values()]
    text = Path(reference.__file__).read_text("utf-8")
    # Only a changed import can fail it, and a fresh interpreter costs more than all else here.
    fresh = "test_kind_is_described_by_data_alone"
    same = [n for n, (line, _) in enumerate(sources) if not line.startswith("import")]
    return verdicts_of(
        tmp_path_factory.mktemp("mutants"),
        [mutated(text, line, other) + AIDS for line, other in sources],
        suites=SUITES,
        options=[f"--deselect=test_mutants.py::Test{number}::{fresh}" for number in same],
    )


#: What some mutants use; each could stand in their one line, but nobody could read it.
AIDS = """
from contextlib import AbstractContextManager
from datetime import timezone

from time import sleep

from rove_core.facts import Facts

ELSEWHERE = timezone(timedelta(hours=9))

class Careless(AbstractContextManager):
    def __exit__(self, kind, *_):
        if kind is GeneratorExit:
            raise ValueError("not prepared to be left early")
"""


def test_each_standard_test_has_a_mutant() -> None:
    """No standard test is without the proof that it can fail."""
    watching = {"test_nothing_is_left_out_silently"}

    shown = {*MUTANTS, *BROKEN, *OF_WORK, OF_TWO_NOTEBOOKS}
    shown |= OVER_HTTP | BY_HAND | RECORDED | BY_AUTHORS | OF_THE_DESCRIPTION

    assert shown == set(standard_tests()) - watching


@pytest.mark.parametrize(("number", "test"), [*enumerate(MUTANTS)])
def test_mutant_fails_just_the_test_meant_for_it(
    verdicts: Mapping[str, Collection[str]], number: int, test: str
) -> None:
    """One line changed, one test failed, and at most those that compare all words or facts."""
    failed = set(verdicts.get(f"Test{number}", ()))

    assert test in failed
    assert failed - {test} <= {
        "test_known_item_is_verbatim",
        "test_a_copy_stays_equal_to_its_vendor",
        "test_stored_item_that_was_deleted_is_gone",
        "test_listing_keeps_since",
        "test_facts_are_the_same_wherever_found",
        "test_found_items_agree_with_themselves",
        "test_listed_items_agree_with_themselves",
        "test_other_forms_of_an_id_are_recognised",
        "test_replies_read_alone_are_the_same",
        "test_identity_is_who_logged_in",
        "test_addresses_of_items_are_recognised",
        "test_every_fact_is_described",
        *AUTHOR_FAULTS,
    }


@pytest.mark.parametrize(("number", "test"), [*enumerate(BROKEN, len(MUTANTS))])
def test_source_that_is_mostly_skipped_does_not_pass(
    verdicts: Mapping[str, Collection[str]], number: int, test: str
) -> None:
    """Where connecting or logging in fails, the test of just that fails with it."""
    assert test in verdicts.get(f"Test{number}", ())


def test_container_of_another_item_is_caught(tmp_path: Path) -> None:
    """Of two notebooks that are asked for together, the first is not the one of every note."""
    right = Path(reference.__file__).read_text("utf-8")
    for line, other in TWO_NOTEBOOKS.items():
        right = mutated(right, line, other)
    line = "            yield ListedChange(item=whole, whole=True, container=notebook)"
    wrong = mutated(right, line, line.replace("=notebook", "=scope.containers[0]"))

    failed = verdicts_of(tmp_path, [right, wrong], suites=SUITES, options=["-k", OF_TWO_NOTEBOOKS])

    assert failed == {"Test1": {OF_TWO_NOTEBOOKS}}
