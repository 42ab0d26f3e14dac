"""Group statements into topics: by thread and ticket, then by words."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from attrs import define, field, frozen

from rove_core._item_words import Role
from rove_core.build.compose.exchanges import moment
from rove_core.build.compose.headings import heading_of, is_current, title_of
from rove_core.build.compose.outline import Statement, Topic
from rove_core.build.gather.candidates import Key, key_of
from rove_core.build.rank.words import stems
from rove_core.items import ContextItem

#: Roles of items in or about code; each such item is a topic of its own.
CODE: Final[frozenset[Role]] = frozenset({"change", "commit", "code"})
_ABOUT_ONE_THING: Final = CODE | {"ticket", "talk"}

#: Minimum likeness of two groups about the same thing.
_ALIKE: Final = 0.24
#: Bonus for groups of which one names the other, and for those that say the same.
_NAMED: Final = 0.15
_COPIED: Final = 0.3
#: A topic with more statements than this takes no further thread.
_MOST: Final = 12
#: Weight of the words of a title, which say more than those below it.
_TITLE: Final = 2


@frozen(kw_only=True)
class PlacedTopic:
    """A topic of the existing document; its statements stay in it.

    Attributes:
        key: The topic's key.
        heading: Its heading.
        members: The keys of its statements.
    """

    key: Key
    heading: str
    members: frozenset[Key]


@define(eq=False)
class _Group:
    """Statements that stay together."""

    placed: PlacedTopic | None = None
    statements: list[Statement] = field(factory=list, init=False)
    words: Counter[str] = field(factory=Counter, init=False)
    vector: dict[str, float] = field(factory=dict, init=False)

    def add(self, statements: Iterable[Statement]) -> None:
        self.vector = {}
        for statement in statements:
            self.statements.append(statement)
            self.words.update(set(stems(statement.text)))
            self.words.update(dict.fromkeys(stems(title_of(statement)), _TITLE))

    @property
    def is_code(self) -> bool:
        return bool(self.statements) and self.statements[0].whole.role in CODE

    @property
    def has_ticket(self) -> bool:
        """Whether it contains a ticket: two tickets are kept apart, however similar they are."""
        return any(each.whole.role == "ticket" for each in self.statements)

    @property
    def weight(self) -> float:
        scores = sorted((each.score for each in self.statements), reverse=True)
        return sum(score / (at + 1) for at, score in enumerate(scores))


def arrange(
    ticket: ContextItem, statements: Sequence[Statement], previous: Sequence[PlacedTopic] = ()
) -> tuple[Topic, ...]:
    """Return the topics of all statements outside the ticket, most important first.

    Args:
        ticket: The ticket: its own statements are in no topic.
        statements: The statements of the document.
        previous: The topics of the existing document.
    """
    others = [each for each in statements if each.whole.ref != ticket.ref]
    groups = [_Group(placed=placed) for placed in previous]
    homes = {key: group for group in groups if group.placed for key in group.placed.members}
    for statement in others:
        if statement.key in homes:
            homes[statement.key].add([statement])
    rest = _cores([each for each in others if each.key not in homes])
    space = _Space([*groups, *rest])
    for core in sorted(rest, key=lambda group: -group.weight):
        home = _home(core, groups, space)
        if home is None:
            groups.append(core)
        else:
            home.add(core.statements)
    order = {each.key: at for at, each in enumerate(others)}
    for group in groups:
        group.statements.sort(key=lambda each: (moment(each.part), order[each.key]))
    return tuple(_topics([group for group in groups if group.statements], space, ticket))


def place(statements: Sequence[Statement], topics: Sequence[Topic]) -> list[int]:
    """Return the topic of each statement; ``len(topics)`` if none fits."""
    groups = [_Group() for _ in topics]
    for group, topic in zip(groups, topics, strict=True):
        group.add(topic.statements)
    cores = _cores(statements)
    space = _Space([*groups, *cores])
    found: dict[Key, int] = {}
    for core in cores:
        home = _home(core, groups, space)
        at = len(groups) if home is None else groups.index(home)
        found |= {each.key: at for each in core.statements}
    return [found[each.key] for each in statements]


class _Space:
    """Word weights over all groups."""

    def __init__(self, groups: Sequence[_Group]) -> None:
        stand_in = Counter(word for group in groups for word in group.words)
        self._weights = {
            word: math.log(1 + len(groups) / count) for word, count in stand_in.items()
        }

    def vector(self, group: _Group) -> Mapping[str, float]:
        """Return the normalised word weights of a group."""
        if not group.vector:
            raw = {
                word: (1 + math.log(count)) * self._weights.get(word, 0.0)
                for word, count in group.words.items()
            }
            length = math.sqrt(math.fsum(value * value for value in raw.values())) or 1.0
            group.vector = {word: value / length for word, value in raw.items()}
        return group.vector

    def likeness(self, one: _Group, other: _Group) -> float:
        """Return how similar the subjects of two groups are, from 0 to 1."""
        small, large = sorted((self.vector(one), self.vector(other)), key=len)
        return math.fsum(value * large[word] for word, value in small.items() if word in large)


def _cores(statements: Sequence[Statement]) -> list[_Group]:
    """Return statements that share a thread, ticket or chapter."""
    cores: dict[Key, _Group] = defaultdict(_Group)
    for statement in statements:
        place = statement.part if _is_chapter(statement) else statement.whole
        cores[key_of(place.ref)].add([statement])
    return list(cores.values())


def _is_chapter(statement: Statement) -> bool:
    """Return whether a statement is a chapter of a text that is about many things."""
    part, whole = statement.part, statement.whole
    return part.role == whole.role and whole.role not in _ABOUT_ONE_THING


def _home(core: _Group, groups: Sequence[_Group], space: _Space) -> _Group | None:
    """Return the group that a core joins, or None if it starts one."""
    if not _is_chapter(core.statements[0]):
        wholes = {each.whole.ref for each in core.statements}
        for group in groups:
            if any(each.whole.ref in wholes for each in group.statements):
                return group
    if core.is_code:
        return None
    near = [
        (space.likeness(core, group) + _tie(core, group), -at, group)
        for at, group in enumerate(groups)
        if not (group.is_code or (core.has_ticket and group.has_ticket))
        and 0 < len(group.statements) <= _MOST - len(core.statements)
    ]
    likeness, _, best = max(near, default=(0.0, 0, None))
    return best if likeness >= _ALIKE else None


def _tie(core: _Group, group: _Group) -> float:
    """Return the bonus for groups that name each other or say the same."""
    return _COPIED * _overlap(core, group) + _NAMED * (_names(core, group) or _names(group, core))


def _overlap(one: _Group, other: _Group) -> bool:
    keys = {key_of(copy.ref) for each in one.statements for copy in each.copies}
    theirs = {key_of(copy.ref) for each in other.statements for copy in each.copies}
    return bool(
        keys & {each.key for each in other.statements}
        or theirs & {each.key for each in one.statements}
    )


def _names(one: _Group, other: _Group) -> bool:
    named = {each.whole.ref.id for each in other.statements}
    linked = {link.ref.id for each in one.statements for link in each.whole.links}
    text = " ".join(each.text for each in one.statements)
    return bool(named & linked) or any(
        len(each) > 3 and each in text for each in named
    )  # shorter ids stand in words


def _topics(groups: Sequence[_Group], space: _Space, ticket: ContextItem) -> list[Topic]:
    taken = {ticket.title, *(group.placed.heading for group in groups if group.placed)}
    topics: list[Topic] = []
    for group in sorted(groups, key=lambda group: -group.weight):
        statements = tuple(group.statements)
        placed = group.placed
        key = placed.key if placed else statements[0].key
        if placed and is_current(placed.heading, statements):
            heading = placed.heading
        else:
            heading = heading_of(statements, space.vector(group), taken)
        taken.add(heading)
        topics.append(Topic(key=key, heading=heading, statements=statements))
    return topics
