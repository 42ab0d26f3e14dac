"""Split a file into chunks along its declarations."""

from collections.abc import Iterator, Sequence
from typing import Final

from attrs import evolve, frozen

from rove_code.model import Chunk, Role
from rove_code.parsing.declarations import DeclarationNode
from rove_code.parsing.lines import Lines
from rove_code.parsing.windows import windows


def chunks_of(lines: Lines, nodes: Sequence[DeclarationNode], head: int) -> Iterator[Chunk]:
    """Return the chunks of a file.

    Args:
        lines: The file.
        nodes: What it declares.
        head: The last line of what it begins with: imports, comments.
    """
    blocks = _ChunkCutter(lines).blocks(nodes, head)
    for block in _grouped(blocks, lines):
        parts = _parts(block, lines)
        for number, (first, last) in enumerate(parts):
            yield Chunk(
                lines.whole(first, last),
                Role.REST if number else block.role,
                block.declarations,
                block.containers,
            )


@frozen
class _Block:
    first: int
    last: int
    role: Role
    declarations: tuple[int, ...] = ()
    containers: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        return self.last - self.first + 1


class _ChunkCutter:
    """Assigns each line to a block."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._blocks: list[_Block] = []
        self._next = 1

    def blocks(self, nodes: Sequence[DeclarationNode], head: int) -> list[_Block]:
        """Return the blocks of a whole file."""
        if head:
            self._lay(head, Role.HEAD)
        self._lay_all(nodes, self._lines.count, ())
        return self._blocks

    def _lay_all(
        self, nodes: Sequence[DeclarationNode], last: int, containers: tuple[str, ...]
    ) -> None:
        for node in nodes:
            if node.last < self._next:
                self._add(node)
                continue
            if node.first > self._next:
                self._lay_gap(node.first - 1, containers, is_last=False)
            if _is_split(node, self._next):
                self._lay_container(node, containers)
            else:
                self._lay(node.last, Role.DECLARATIONS, _numbers(node), containers)
        if self._next <= last:
            self._lay_gap(last, containers, is_last=True)

    def _lay_container(self, node: DeclarationNode, containers: tuple[str, ...]) -> None:
        end = max(self._next, min(node.members[0].first - 1, node.last))
        self._lay(end, Role.CONTAINER, (node.number,), containers)
        self._lay_all(node.members, node.last, (*containers, node.declaration.name))

    def _lay_gap(self, last: int, containers: tuple[str, ...], *, is_last: bool) -> None:
        """Attach short gaps to a neighbouring chunk."""
        start = self._next
        self._extend(next((n for n in range(start, last + 1) if not self._is_blank(n)), last + 1))
        seen = sum(not self._is_blank(line) for line in range(self._next, last + 1))
        if seen > _SMALL_GAP or (self._next == 1 and is_last):
            self._lay(last, Role.REST, (), containers)
        elif self._next == start or is_last:
            self._extend(last + 1)

    def _extend(self, end: int) -> None:
        """Attach the lines before a line to the previous block."""
        if self._blocks and end > self._next:
            self._blocks[-1] = evolve(self._blocks[-1], last=end - 1)
            self._next = end

    def _is_blank(self, line: int) -> bool:
        return self._lines.is_blank(line)

    def _lay(
        self,
        last: int,
        role: Role,
        declarations: tuple[int, ...] = (),
        containers: tuple[str, ...] = (),
    ) -> None:
        self._blocks.append(_Block(self._next, last, role, declarations, containers))
        self._next = last + 1

    def _add(self, node: DeclarationNode) -> None:
        """Add a declaration that begins on the last line of the previous one."""
        block = self._blocks[-1]
        self._blocks[-1] = evolve(block, declarations=(*block.declarations, *_numbers(node)))


def _numbers(node: DeclarationNode) -> tuple[int, ...]:
    return tuple(each.number for each in node.all())


def _is_split(node: DeclarationNode, first: int) -> bool:
    return bool(node.members) and node.last - first + 1 > _LARGE


def _grouped(blocks: Sequence[_Block], lines: Lines) -> Iterator[_Block]:
    """Put small neighbours together."""
    current: _Block | None = None
    for block in blocks:
        joined = _joined(current, block, lines) if current else block
        if current and not joined:
            yield current
        current = joined or block
    if current:
        yield current


def _joined(left: _Block, right: _Block, lines: Lines) -> _Block | None:
    roles = {left.role, right.role}
    if not roles <= _GROUPED or left.containers != right.containers:
        return None
    place = lines.whole(left.first, right.last)
    if right.last - left.first >= _GROUP_LINES or place.end - place.start > _GROUP_CHARACTERS:
        return None
    role = Role.DECLARATIONS if Role.DECLARATIONS in roles else Role.REST
    declarations = (*left.declarations, *right.declarations)
    return _Block(left.first, right.last, role, declarations, left.containers)


def _parts(block: _Block, lines: Lines) -> list[tuple[int, int]]:
    if block.role is not Role.REST and block.size <= _LONGEST:
        return [(block.first, block.last)]
    return list(windows(lines, block.first, block.last))


_GROUPED: Final = frozenset({Role.DECLARATIONS, Role.REST})
#: A class or section of more lines than this is shown by its members.
_LARGE: Final = 40
#: What is longer is cut, though it be one declaration.
_LONGEST: Final = 160
_SMALL_GAP: Final = 3
_GROUP_LINES: Final = 25
_GROUP_CHARACTERS: Final = 1_200
