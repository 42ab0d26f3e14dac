"""Memories: stored, recalled, changed, replaced, put aside and forgotten."""

from datetime import timedelta

import pytest

from rove_core import Conflict, ItemNotFound, WrongCall, estimated_tokens
from rove_core.testing import VirtualClock
from rove_core.wire.json_text import json_text
from rove_core.wire.structure import to_json
from rove_memory.memory.answer import answer_of
from rove_memory.memory.decay import decay
from rove_memory.memory.draft import MemoryDraft
from rove_memory.memory.memories import Memories
from rove_memory.memory.model import MemoryItem, MemoryType
from rove_memory.memory.recall import RecallRequest, recall
from rove_memory.memory.text_index import check_index
from rove_memory.memory_settings import MemorySettings
from rove_memory.store import ProjectStore

TOKEN = "glpat-" + "Zx8Kq2Lm4Nv6Bt1Wd3Rf"  # made up


def _put(  # noqa: PLR0913  # a memory has these parts
    store: ProjectStore,
    key: str,
    content: str,
    *,
    memory_type: MemoryType = "decision",
    importance: int = 2,
    tags: tuple[str, ...] = (),
) -> MemoryItem:
    with store.writing() as db:
        return Memories(db=db, store=store).put(
            MemoryDraft(
                key=key,
                content=content,
                memory_type=memory_type,
                importance=importance,
                tags=tags,
            )
        )


def _recall(store: ProjectStore, question: str, **how: object) -> tuple[MemoryItem, ...]:
    with store.reading() as db:
        request = RecallRequest(question=question, **how)  # type: ignore[arg-type]  # one of its attributes
        return recall(Memories(db=db, store=store), request)


def _keys(items: tuple[MemoryItem, ...]) -> list[str]:
    return [item.key for item in items]


def test_a_question_in_other_forms_of_the_words(store: ProjectStore) -> None:
    """Endings, question words and the case of letters do not matter; the reason is told."""
    _put(store, "rotation", "Tokens are rotated every 15 minutes.")
    _put(store, "colour", "Buttons are green.")
    (found,) = _recall(store, "How often do we rotate the token?")

    assert (found.key, found.why) == ("rotation", "shares: rotate, token")


def test_names_are_found_by_their_parts(store: ProjectStore) -> None:
    """Whoever asks for a JSON file finds readJSONFile."""
    _put(store, "reader", "readJSONFile swallows errors")

    assert _keys(_recall(store, "json file")) == ["reader"]


def test_the_same_key_is_the_next_version(store: ProjectStore, clock: VirtualClock) -> None:
    """What was said before stays, with the time for which it held."""
    first = _put(store, "ttl", "15 minutes")
    clock.advance(timedelta(days=1).total_seconds())
    second = _put(store, "ttl", "5 minutes")
    with store.reading() as db:
        versions = Memories(db=db, store=store).versions(second)

    assert (first.id, second.version) == (second.id, 2)
    assert [one.content for one in versions] == ["15 minutes", "5 minutes"]
    assert versions[0].valid_to == versions[1].valid_from == second.updated_at


def test_as_of_a_time_it_says_what_it_said_then(store: ProjectStore, clock: VirtualClock) -> None:
    """A corrected memory does not coexist with the old one, and the old one can be asked for."""
    _put(store, "ttl", "The lifetime is 15 minutes")
    then = clock.now()
    clock.advance(timedelta(days=1).total_seconds())
    _put(store, "ttl", "The lifetime is 5 minutes")

    now = _recall(store, "lifetime")
    before = _recall(store, "lifetime", as_of=then)
    assert [item.content for item in (*now, *before)] == [
        "The lifetime is 5 minutes",
        "The lifetime is 15 minutes",
    ]


def test_what_was_replaced_is_found_no_more(store: ProjectStore) -> None:
    """It stays, says what replaced it, and cannot replace that in turn."""
    old, new = (
        _put(store, "cookie", "Use a cookie"),
        _put(store, "header", "Use a header, no cookie"),
    )
    with store.writing() as db:
        memories = Memories(db=db, store=store)
        memories.supersede(old, new, None)
        replaced = memories.named("cookie")
        with pytest.raises(Conflict):
            memories.supersede(new, old, None)

    assert _keys(_recall(store, "cookie")) == ["header"]
    assert replaced.superseded_by == "header"


def test_contradictions_are_shown_beside_each_other(store: ProjectStore) -> None:
    """Each of the two names the other."""
    one, other = _put(store, "utc", "Times are UTC"), _put(store, "local", "Times are local")
    with store.writing() as db:
        Memories(db=db, store=store).contradict(one, other, None)

    found = {item.key: item.contradicts for item in _recall(store, "times")}
    assert found == {"utc": ("local",), "local": ("utc",)}


def test_near_duplicates_are_one_hit(store: ProjectStore) -> None:
    """The same fact under many keys takes one place, which names the others."""
    for key in ("a", "b", "c"):
        _put(store, key, "Deploy on Tuesdays, never on Fridays!")
    (found,) = _recall(store, "when to deploy")

    assert sorted([found.key, *found.also]) == ["a", "b", "c"]


def test_recalling_changes_nothing(store: ProjectStore) -> None:
    """Only feedback counts as use."""
    item = _put(store, "ttl", "15 minutes")
    for _ in range(3):
        _recall(store, "minutes")
    with store.writing() as db:
        memories = Memories(db=db, store=store)
        before = memories.get(item.id).access_count
        memories.rate(item, "used")
        after = memories.get(item.id).access_count

    assert (before, after) == (0, 1)


def test_filters(store: ProjectStore) -> None:
    """By type, by any of some tags, and by importance."""
    _put(store, "a", "cache it", tags=("cache", "api"), importance=4)
    _put(store, "b", "cache never", memory_type="warning", tags=("db",))

    assert _keys(_recall(store, "cache", memory_type="warning")) == ["b"]
    assert _keys(_recall(store, "cache", tags=("api", "web"))) == ["a"]
    assert _keys(_recall(store, "cache", min_importance=3)) == ["a"]


def test_decay_puts_aside_what_nobody_needed(store: ProjectStore, clock: VirtualClock) -> None:
    """A dry run only tells; importance and use make it last longer; nothing is deleted."""
    _put(store, "trivia", "the office is green", importance=1)
    _put(store, "useful", "use tabs", importance=2)
    _put(store, "critical", "never drop the table", importance=5)
    clock.advance(timedelta(days=45).total_seconds())
    with store.writing() as db:
        memories = Memories(db=db, store=store)
        told = decay(memories, MemorySettings(), dry_run=True)
        between = memories.named("trivia").archived
        done = decay(memories, MemorySettings(), dry_run=False)
        aside = memories.named("trivia")

    assert (
        [each.key for each in told.archived] == [each.key for each in done.archived] == ["trivia"]
    )
    assert (between, aside.archived, done.kept) == (False, True, 2)
    assert _recall(store, "green") == ()
    assert _keys(_recall(store, "green", archived=True)) == ["trivia"]


def test_decay_keeps_as_many_of_a_type_as_the_settings_say(
    store: ProjectStore, clock: VirtualClock
) -> None:
    """Beyond that it archives what is nearest to decay, but nothing that never decays."""
    for importance in (5, 4, 1):
        _put(store, f"of {importance}", f"fact {importance}", importance=importance)
    _put(store, "a warning", "never", memory_type="warning", importance=1)
    clock.advance(timedelta(days=1).total_seconds())
    with store.writing() as db:
        settings = MemorySettings(max_items_per_type=1)
        report = decay(Memories(db=db, store=store), settings, dry_run=True)

    assert [each.key for each in report.archived] == ["of 1", "of 4"]


def test_a_report_on_decay_names_as_many_as_an_answer_holds(
    store: ProjectStore, clock: VirtualClock
) -> None:
    """It counts them all."""
    for number in range(200):
        _put(store, f"{'a-long-name-' * 12}{number}", "the office is green", importance=1)
    clock.advance(timedelta(days=45).total_seconds())
    with store.reading() as db:
        told = decay(Memories(db=db, store=store), MemorySettings(), dry_run=True)

    assert told.decayed == 200
    assert 0 < len(told.archived) < 200


def test_a_secret_is_never_kept(store: ProjectStore) -> None:
    """No column and no file holds it."""
    _put(store, "login", f"the robot logs in with {TOKEN}")
    known = store.registered()
    assert known
    path = store.database(known).path
    held = b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))

    assert TOKEN.encode() not in held


def test_the_index_follows_every_change(store: ProjectStore, clock: VirtualClock) -> None:
    """After additions, changes and removals it equals what is stored."""
    for number in range(20):
        _put(store, f"key-{number % 12}", f"content {number} of key-{(number + 1) % 12}")
        clock.advance(timedelta(minutes=1).total_seconds())
    with store.writing() as db:
        memories = Memories(db=db, store=store)
        memories.forget(memories.named("key-3"))
        memories.archive(memories.named("key-4"))
        check_index(db)

    assert "key-3" not in _keys(_recall(store, "content", limit=50))


def test_an_unknown_key_names_what_is_near(store: ProjectStore) -> None:
    """A slip of the finger is answered with the key that was meant."""
    _put(store, "token-rotation", "15 minutes")
    with store.reading() as db, pytest.raises(ItemNotFound) as caught:
        Memories(db=db, store=store).named("token-rotatoin")

    assert "token-rotation" in caught.value.message


@pytest.mark.parametrize(
    ("key", "content", "importance"), [("", "x", 2), ("k", " ", 2), ("k", "x", 0), ("k", "x", 6)]
)
def test_what_may_not_be_kept(store: ProjectStore, key: str, content: str, importance: int) -> None:
    """Empty texts and other importances than 1 to 5 are refused, and nothing is stored."""
    with pytest.raises(WrongCall):
        _put(store, key, content, importance=importance)

    assert _recall(store, "x") == ()


def test_the_longest_texts_fit_the_budget(store: ProjectStore) -> None:
    """What does not fit is cut, says so, and names the command that shows it."""
    for number in range(8):
        _put(store, f"long-{number}", f"token {number} " + f"word{number} " * 4_000)
    found = _recall(store, "token", max_tokens=1_000)

    assert 0 < sum(len(item.content) for item in found) < 4 * 1_000
    assert "rove memory show" in found[-1].content


def test_many_short_memories_fit_the_budget(store: ProjectStore) -> None:
    """All that is told of a memory counts, its keys and times too, and not its words alone."""
    with store.writing() as db:
        memories = Memories(db=db, store=store)
        for number in range(100):
            memories.put(
                MemoryDraft(
                    key=f"k{number}",
                    content=f"tokens {number}",
                    memory_type="pattern",
                    summary="short " * (300 if number % 10 == 0 else 1),
                )
            )
        found = recall(memories, RecallRequest(question="tokens", limit=100))

    assert len(found) > 10
    assert estimated_tokens(json_text(to_json(found))) <= 8_000


def test_a_memory_with_very_long_tags_is_shown(store: ProjectStore) -> None:
    """Its names are cut, and counted, to leave room for the text."""
    names = [f"{number} {'tag ' * 40}" for number in range(100)]
    draft = MemoryDraft(
        key="k", content="text " * 100, memory_type="pattern", tags=names, related_items=names
    )
    with store.writing() as db:
        item = Memories(db=db, store=store).put(draft)

    shown = answer_of(item)

    assert shown.content == item.content
    assert len(shown.tags) + len(shown.related_items) + shown.names_left_out == 200
