"""How a file is cut: what stands together, what is split, what is left over."""

import sys

import pytest
from tests.code.outlines import borders, outline

from rove_code.model import Role
from rove_code.parsing import parse
from rove_code.parsing.grammars import grammar_of


def function(name: str, lines: int, indent: str = "") -> str:
    """Return a function of so many lines."""
    body = "".join(f"{indent}    step({number})\n" for number in range(lines - 1))
    return f"{indent}def {name}():\n{body}"


def test_a_large_class_is_split_into_its_header_and_its_members() -> None:
    """What a class of more than 40 lines says before its members is a chunk of its own."""
    header = 'class Basket:\n    """Holds eggs."""\n\n    size = 3\n\n'
    members = function("add", 30, "    ") + "\n" + function("drop", 20, "    ")

    parsed = parse(header + members, "python")

    assert borders(parsed) == ["1-5 container", "6-36 declarations", "37-56 declarations"]
    assert [chunk.containers for chunk in parsed.chunks] == [(), ("Basket",), ("Basket",)]
    assert [chunk.declarations for chunk in parsed.chunks] == [(0,), (1,), (2,)]


def test_classes_in_classes_are_split_as_needed() -> None:
    """A large class in a large class has members of its own."""
    inner = "    class Inner:\n" + function("add", 45, "        ")

    parsed = parse("class Outer:\n" + inner, "python")

    assert borders(parsed) == ["1-1 container", "2-2 container", "3-47 declarations"]
    assert parsed.chunks[2].containers == ("Outer", "Inner")


def test_small_neighbours_stand_together() -> None:
    """Declarations are put together up to 25 lines."""
    text = "\n".join(function(f"step{number}", 9) for number in range(5))

    parsed = parse(text, "python")

    assert borders(parsed) == ["1-20 declarations", "21-40 declarations", "41-49 declarations"]


def test_a_very_long_function_is_cut_into_windows() -> None:
    """Each window of it shows the same declaration."""
    parsed = parse(function("run", 200), "python")

    assert {chunk.declarations for chunk in parsed.chunks} == {(0,)}
    assert parsed.chunks[0].role is Role.DECLARATIONS
    assert {chunk.role for chunk in parsed.chunks[1:]} == {Role.REST}
    assert max(chunk.place.last - chunk.place.first for chunk in parsed.chunks) < 50


def test_what_a_function_declares_for_itself_is_not_declared() -> None:
    """A function in a function is one of its steps."""
    parsed = parse("def outer():\n    def inner():\n        pass\n", "python")

    assert outline(parsed) == ["1-3 function outer"]


def test_a_very_long_function_has_members() -> None:
    """A function of more than 100 lines is known by the functions in it, too."""
    parsed = parse("def outer():\n" + function("inner", 110, "    "), "python")

    assert outline(parsed) == ["1-111 function outer", "2-111 function outer.inner"]


def test_long_statements_between_declarations_are_the_rest() -> None:
    """More than a few lines that declare nothing are a chunk without declarations."""
    text = function("first", 30) + "\nif x:\n" + "    step()\n" * 30 + "\n" + function("last", 30)

    parsed = parse(text, "python")

    assert borders(parsed) == ["1-31 declarations", "32-63 rest", "64-93 declarations"]


def test_a_few_lines_between_declarations_go_with_a_neighbour() -> None:
    """A heading among functions stands with the one after it."""
    text = function("first", 30) + "\n# Part two\n\n" + function("last", 30)

    parsed = parse(text, "python")

    assert borders(parsed) == ["1-31 declarations", "32-63 declarations"]


def test_without_a_grammar_a_file_is_cut_at_blank_lines() -> None:
    """Windows have about 40 lines and end where a blank line is near."""
    text = "\n".join("SELECT 1;\n" * 14 for _ in range(8))

    parsed = parse(text, "sql")

    assert borders(parsed) == ["1-45 rest", "46-90 rest", "91-119 rest"]


def test_a_grammar_that_is_not_installed_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of its language are cut like those of any unknown one."""
    monkeypatch.setitem(sys.modules, "tree_sitter_ruby", None)
    grammar_of.cache_clear()

    parsed = parse("class A\nend\n", "ruby")

    grammar_of.cache_clear()
    assert borders(parsed) == ["1-2 rest"]
    assert not parsed.declarations


def test_a_language_that_nobody_knows_is_text() -> None:
    """It keeps its name."""
    parsed = parse("class A {\n}\n", "klingon")

    assert borders(parsed) == ["1-2 rest"]
    assert parsed.language == "klingon"
