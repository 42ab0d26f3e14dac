"""The part of a person's file that Rove keeps: put in, brought up to date, and taken out again."""

from hypothesis import given
from hypothesis import strategies as st

from rove.agents.managed_block import InstallState, ManagedBlock, is_changed, taken_out

SECTION = ManagedBlock(b"## Rove\n\nUse it.\n")
NEWER = ManagedBlock(b"## Rove\n\nUse it well.\n")
SKILL = ManagedBlock(b"# Rove\n\nUse it.\n", b"---\nname: rove\n---\n")
NEWER_SKILL = ManagedBlock(b"# Rove\n\nUse it well.\n", b"---\nname: rove\ndescription: new\n---\n")

#: What people write, with line ends of any kind.
TEXTS = st.lists(st.sampled_from([b"a", b"# b", b"\n", b"\r\n", b"\xff", b"<!--", b" "])).map(
    b"".join
)


@given(TEXTS)
def test_taken_out_a_file_is_as_it_was(file: bytes) -> None:
    """Not one byte of it has changed."""
    assert taken_out(SECTION.put(file)) == file


@given(TEXTS, TEXTS)
def test_what_a_person_adds_stays(file: bytes, more: bytes) -> None:
    """It stands where it stood, after an update and after all is taken out."""
    edited = SECTION.put(file) + more

    assert taken_out(NEWER.put(edited)) == file + more


@given(TEXTS)
def test_it_is_there_once(file: bytes) -> None:
    """Put in again, it replaces what was put in before."""
    assert NEWER.put(NEWER.put(SECTION.put(file))) == NEWER.put(SECTION.put(file))
    assert NEWER.put(SECTION.put(file)).count(b"rove:begin") == 1


@given(TEXTS)
def test_it_is_current_when_put_in(file: bytes) -> None:
    """A file says what it was given, and a newer Rove sees that it is stale."""
    assert SECTION.state(SECTION.put(file)) is InstallState.CURRENT
    assert NEWER.state(SECTION.put(file)) is InstallState.STALE


def test_lines_end_as_those_of_the_file() -> None:
    """A file from Windows stays one."""
    assert b"Use it.\r\n" in SECTION.put(b"mine\r\n")


def test_a_change_between_the_marks_is_seen() -> None:
    """It is the person's from then on."""
    changed = SECTION.put(b"").replace(b"Use it", b"Never use it")

    assert SECTION.state(changed) is InstallState.CHANGED
    assert is_changed(changed)


def test_a_line_end_that_a_person_took_stays_taken() -> None:
    """Whoever closes the gap before the part keeps the end of their own last line."""
    closed = SECTION.put(b"mine\n").replace(b"mine\n\n", b"mine\n")

    assert taken_out(closed) == b"mine\n"


def test_a_file_of_roves_own_goes_whole() -> None:
    """Nothing of it is a person's."""
    assert taken_out(SKILL.whole()) is None


def test_the_head_of_its_own_file_is_brought_up_to_date() -> None:
    """As long as nobody has changed it."""
    assert NEWER_SKILL.put(SKILL.whole()) == NEWER_SKILL.whole()


def test_a_head_that_a_person_changed_stays() -> None:
    """The text below it is brought up to date all the same."""
    mine = SKILL.whole().replace(b"name: rove", b"name: mine")
    updated = NEWER_SKILL.put(mine)

    assert updated.startswith(b"---\nname: mine\n---\n<!-- rove:begin")
    assert taken_out(updated) == b"---\nname: mine\n---\n"


def test_a_persons_own_file_is_not_roves() -> None:
    """Where a file of Rove's own should be, one of somebody else's is seen as that."""
    assert SKILL.state(b"# My skill\n") is InstallState.FOREIGN


def test_no_file_is_missing() -> None:
    """What is not there is neither stale nor foreign."""
    assert SKILL.state(None) is InstallState.MISSING
