"""A mirror of each vendor holds what the vendor has, and nothing else."""

import os
import re
import shutil
from pathlib import Path
from random import Random

import pytest
from attrs import evolve
from tests.vendors.mirrored import (
    SECRET_WORD,
    Copying,
    KilledError,
    content,
    copying,
    killed_at,
)

from rove_core.mirror.mirror import Mirror
from rove_core.mirror.search import TimeRange, rows_with_text
from rove_core.mirror.update_limits import FOR_A_BUILD, IN_BACKGROUND
from rove_sim.server import Response

pytestmark = pytest.mark.anyio

VENDORS = ("asana", "azure", "github", "jira", "linear", "slack")
#: Histories of each vendor, catch-ups of each, and kills during each of these: some, or at every
#: write with ROVE_EVERY_KILL; and the seed of the first history.
_EXAMPLES = int(os.environ.get("ROVE_EXAMPLES", "60"))
HISTORIES, CATCH_UPS, KILLS = max(1, _EXAMPLES // 60), 3, max(4, _EXAMPLES // 15)
#: Histories with failing listings, and updates before each comparison in them.
STORIES = 3
_FIRST_SEED = int(os.environ.get("ROVE_SEED", "0"))
SEEDS = range(_FIRST_SEED, _FIRST_SEED + HISTORIES)
EVERY_KILL = bool(os.environ.get("ROVE_EVERY_KILL"))
NEVER = 1_000_000
#: Requests of a build after which nothing is new, of two containers, as docs/ has them: soon after
#: both were listed, and later.
CATCH_UP_REQUESTS = {"asana": 3, "azure": 2, "github": 1, "jira": 2, "linear": 2, "slack": 3}
LISTING_REQUESTS = {"asana": 3, "azure": 3, "github": 6, "jira": 5, "linear": 5, "slack": 3}


@pytest.mark.parametrize("name", VENDORS)
async def test_a_mirror_equals_its_vendor(name: str, tmp_path: Path) -> None:
    """After each update, whatever changed and at whichever write an earlier one was killed.

    In the last turn a container gets another name, and then nobody may read it any more.
    """
    for seed in SEEDS:
        chance = Random(seed)  # noqa: S311  # a history, not a secret
        async with copying(name) as it:
            mirror = it.mirror(tmp_path / f"{seed}.db", it.site.containers)
            for turn in range(CATCH_UPS):
                for _ in range(chance.randint(1, 5)):
                    steps = it.site.changes.steps()
                    steps[chance.choice(sorted(steps))](chance)
                await assert_equal_after_updates(it, mirror, chance, f"{seed}-{turn}")
                assert_found(mirror, it.site.changes.there)
            if it.site.rename:
                it.site.rename(seed)
                await assert_equal_after_updates(it, mirror, chance, f"{seed}-renamed")
            it.site.hide()
            await assert_equal_after_updates(it, mirror, chance, f"{seed}-hidden")


async def assert_equal_after_updates(
    it: Copying, mirror: Mirror, chance: Random, called: str
) -> None:
    """Update a mirror, and copies of it with kills; each then has what a new mirror gets."""
    fresh = it.mirror(mirror.path.with_name(f"{called}-fresh.db"), it.site.containers)
    assert (await it.update(fresh)).failure is None
    for number in await kills_of(it, mirror, chance):
        assert await survived(it, mirror, number) == content(fresh), (called, number)
    assert (await it.update(mirror)).failure is None
    assert content(mirror) == content(fresh), called


async def kills_of(it: Copying, mirror: Mirror, chance: Random) -> list[int]:
    """Return at which writes to kill an update: at the first, at the last, at some between."""
    copy = copied(mirror, "counted")
    with killed_at(NEVER) as writes:
        await it.update(copy)
    last = len(writes) - 1
    if EVERY_KILL:
        return [*range(last + 1)]
    between = chance.sample(range(last + 1), k=min(KILLS, last + 1))
    return sorted({0, last, *between})


async def survived(it: Copying, mirror: Mirror, write: int) -> object:
    """Return what a copy of a mirror has after a kill and another update."""
    copy = copied(mirror, f"killed-{write}")
    with killed_at(write), pytest.raises(KilledError):
        await it.update(copy)
    assert (await it.update(copy)).failure is None
    return content(copy)


def copied(mirror: Mirror, name: str) -> Mirror:
    """Return a copy of a mirror in a folder of its own."""
    folder = mirror.path.parent / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for each in files_of(mirror):
        shutil.copy(each, folder)
    return Mirror(mirror.account, folder / mirror.path.name)


def files_of(mirror: Mirror) -> list[Path]:
    """Return the files of a mirror."""
    return [*mirror.path.parent.glob(f"{mirror.path.name}*")]


def assert_found(mirror: Mirror, there: dict[str, str]) -> None:
    """Find each item by the words that it has now."""
    with mirror.reading() as db:
        ids = dict(db.execute("SELECT row, id FROM items").fetchall())
        for name, words in there.items():
            found = {ids[row] for row in rows_with_text(db, f'"{words}"', TimeRange(), 50)}
            assert name in found, words


@pytest.mark.parametrize("name", VENDORS)
async def test_only_what_was_chosen_is_sent(name: str, tmp_path: Path) -> None:
    """No answer of the vendor has a word of the container that was not chosen."""
    async with copying(name) as it:
        mirror = it.mirror(tmp_path / "mirror.db", it.site.containers[:1])
        for _ in range(2):
            assert (await it.update(mirror)).failure is None
            it.clock.advance(86_401)
        answers = [str(each.response.value) for each in it.site.vendor.exchanges]

    assert len(content(mirror)) == 1
    assert [each for each in answers if SECRET_WORD in each] == []


@pytest.mark.parametrize("name", VENDORS)
async def test_only_what_was_chosen_is_requested(name: str, tmp_path: Path) -> None:
    """No request names the other container, even to find out what may be read."""
    async with copying(name) as it:
        one, both = it.site.containers[:1], it.site.containers
        requests: list[list[str]] = []
        for number, chosen in enumerate((one, both)):
            mirror, before = it.mirror(tmp_path / f"{number}.db", chosen), it.requests()
            assert (await it.update(mirror)).failure is None
            it.clock.advance(86_401)
            assert (await it.update(mirror)).failure is None
            requests.append(it.requests()[len(before) :])
    other = re.compile(rf"\b{both[1].rpartition('/')[2]}\b")

    named = [[each for each in some if other.search(each)] for some in requests]
    assert named[0] == []
    assert named[1]


@pytest.mark.parametrize(
    ("after", "requests"), [(600, CATCH_UP_REQUESTS), (7_200, LISTING_REQUESTS)]
)
@pytest.mark.parametrize("name", VENDORS)
async def test_an_update_asks_only_once_what_may_be_read(
    name: str, after: int, requests: dict[str, int], tmp_path: Path
) -> None:
    """Whether two containers are listed one after the other, or their recent changes at once."""
    async with copying(name) as it:
        mirror = it.mirror(tmp_path / "mirror.db", it.site.containers)
        await it.update(mirror)
        it.clock.advance(after)
        before = len(it.site.vendor.exchanges)
        assert (await it.update(mirror, FOR_A_BUILD)).failure is None
        asked = [each.request for each in it.site.vendor.exchanges[before:]]

    if name != "github":  # The listing itself tells that a repository may not be read.
        assert sum(map(it.site.lists_containers, asked)) == 1
    assert len(asked) == requests[name]


@pytest.mark.parametrize("name", VENDORS)
async def test_a_build_finds_all_that_is_new_or_changed(name: str, tmp_path: Path) -> None:
    """Soon after the containers were listed; what is gone may stay until they are listed again."""
    for seed in SEEDS:
        chance = Random(seed)  # noqa: S311  # a history, not a secret
        async with copying(name) as it:
            mirror = it.mirror(tmp_path / f"{seed}.db", it.site.containers)
            assert (await it.update(mirror)).failure is None
            for turn in range(CATCH_UPS):
                steps = it.site.changes.steps()
                steps[chance.choice(sorted(steps))](chance)
                it.clock.advance(360)
                assert (await it.update(mirror, FOR_A_BUILD)).failure is None
                fresh = it.mirror(tmp_path / f"{seed}-{turn}.db", it.site.containers)
                assert (await it.update(fresh)).failure is None
                had, wanted = content(mirror), content(fresh)
                assert {each: had.get(each) for each in wanted} == wanted, (seed, turn)
            assert (await it.update(mirror)).failure is None
            assert content(mirror) == content(fresh), seed


@pytest.mark.parametrize("name", VENDORS)
async def test_a_listing_compares_what_others_stored(name: str, tmp_path: Path) -> None:
    """Items that builds, failed listings and listings during a check stored may be gone later."""
    for seed in (each * STORIES + story for each in SEEDS for story in range(STORIES)):
        chance = Random(seed)  # noqa: S311  # a history, not a secret
        async with copying(name) as it:
            mirror = it.mirror(tmp_path / f"{seed}.db", it.site.containers)
            it.site.vendor.conduct = evolve(it.site.vendor.conduct, page_size=chance.randint(1, 3))
            assert (await it.update(mirror)).failure is None
            for turn in range(CATCH_UPS):
                for _ in range(STORIES):
                    await some_changes(it, chance)
                    await some_update(it, mirror, chance)
                await some_changes(it, chance)
                for _ in range(2):  # The first one may only end a listing that failed before.
                    it.clock.advance(900)
                    assert (await it.update(mirror)).failure is None
                fresh = it.mirror(tmp_path / f"{seed}-{turn}.db", it.site.containers)
                assert (await it.update(fresh)).failure is None
                assert content(mirror) == content(fresh), (seed, turn)


async def some_changes(it: Copying, chance: Random) -> None:
    """Change some items, soon or not so soon after one another."""
    it.site.changes.longest = chance.choice([30, 4_000])
    for _ in range(chance.randint(1, 4)):
        steps = it.site.changes.steps()
        steps[chance.choice(sorted(steps))](chance)


async def some_update(it: Copying, mirror: Mirror, chance: Random) -> None:
    """Update a mirror for a build, or in the background, where requests may begin to fail."""
    limits = chance.choice([FOR_A_BUILD, IN_BACKGROUND])
    it.clock.advance(chance.choice([10, 400, 8 * 86_400]))
    it.faults.left = chance.choice([None, chance.randint(1, 15)])
    await it.update(mirror, limits)
    it.faults.left = None


@pytest.mark.parametrize("name", VENDORS)
async def test_a_build_forgets_at_once_what_may_not_be_read_any_more(
    name: str, tmp_path: Path
) -> None:
    """Soon after the containers were listed, too."""
    async with copying(name) as it:
        mirror = it.mirror(tmp_path / "mirror.db", it.site.containers)
        await it.update(mirror)
        it.clock.advance(600)
        it.site.hide()

        assert (await it.update(mirror, FOR_A_BUILD)).lost == it.site.containers[1:]


@pytest.mark.parametrize("name", ["asana", "jira", "linear", "slack"])
async def test_a_container_that_only_some_may_read_is_private(name: str) -> None:
    """So that it is copied only if a person names it."""
    async with copying(name, private=True) as it:
        containers = await it.accounts.containers(it.name)

    assert {each.name: each.private for each in containers} == {
        it.site.containers[0]: False,
        it.site.containers[1]: True,
    }


@pytest.mark.parametrize("answer", [Response({}, 404), Response({"ok": True})], ids=str)
@pytest.mark.parametrize("name", VENDORS)
async def test_a_missing_list_of_containers_loses_nothing(
    name: str, answer: Response, tmp_path: Path
) -> None:
    """The update fails, and the next one goes on; of GitHub, no request gets its answer."""
    async with copying(name) as it:
        mirror = it.mirror(tmp_path / "mirror.db", it.site.containers)
        await it.update(mirror)
        before = content(mirror)
        it.clock.advance(86_401)
        it.broken.append(answer)
        broken = [await it.update(mirror, limits) for limits in (FOR_A_BUILD, IN_BACKGROUND)]
        kept = content(mirror)
        it.broken.clear()
        done = await it.update(mirror)

    assert ([each.lost for each in broken], kept) == ([(), ()], before)
    assert None not in [each.failure for each in broken]
    assert (done.failure, content(mirror)) == (None, before)


@pytest.mark.parametrize("name", VENDORS)
async def test_what_may_no_longer_be_read_is_gone_with_the_next_update(
    name: str, tmp_path: Path
) -> None:
    """Even at the start of a build: no word of it is in any file of the mirror."""
    async with copying(name) as it:
        mirror = it.mirror(tmp_path / "mirror.db", it.site.containers)
        await it.update(mirror)
        before = len(content(mirror))
        it.site.hide()
        it.clock.advance(600)
        done = await it.update(mirror, FOR_A_BUILD)

    assert (before, len(content(mirror))) == (2, 1)
    assert (done.lost, done.failure) == (it.site.containers[1:], None)
    files = [each.read_bytes() for each in files_of(mirror)]
    assert [each for each in files if SECRET_WORD.encode() in each] == []
