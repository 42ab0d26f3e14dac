import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

from docs_src.blocks.command_line import helps
from docs_src.blocks.errors import coded
from docs_src.blocks.python_api import public_names
from docs_src.generate import DOCS, ROOT
from docs_src.sandbox import Sandbox

from rove import cli
from rove.flags import FLAGS
from rove.operations import build, own_operations
from rove.root_command import root
from rove_core import hookspecs, testing
from rove_core.plugins.hook_checks import PACKAGE_HOOKS, SOURCE_HOOKS
from rove_core.plugins.loader import load_plugins
from rove_core.project.settings import all_settings
from rove_core.project.settings.layers import EnvironmentLayer, variable

VARIABLE = re.compile(r"_?(?:ROVE|XDG|SSL|HTTPS?|ALL|NO|GH|GITHUB|SLACK|LINEAR|JIRA)_[A-Z_]*[A-Z]")

Reference: TypeAlias = Callable[[str], str]


def test_every_hook_is_there(reference: Reference) -> None:
    """Each hook of a package and of a source has a heading."""
    headings = "\n".join(_headings(reference("hooks.md")))
    hooks = (*PACKAGE_HOOKS, *SOURCE_HOOKS)

    assert [name for name in hooks if f"{name}(" not in headings] == []


def test_every_argument_of_a_hook_is_there(reference: Reference) -> None:
    """Each argument of a hook stands in the hook's heading."""
    headings = "\n".join(_headings(reference("hooks.md")))
    hooks = [getattr(hookspecs, name) for name in PACKAGE_HOOKS]
    hooks += SOURCE_HOOKS.values()
    missing = [
        (hook.__name__, argument)
        for hook in hooks
        for argument in hook.__code__.co_varnames[: hook.__code__.co_argcount]
        if argument != "self" and not re.search(rf"{hook.__name__}\(.*\b{argument}: ", headings)
    ]

    assert missing == []


def test_every_setting_is_there(reference: Reference) -> None:
    """Each setting has a row, with its variable."""
    rows = re.findall(r"^\| `(\w+)` .*?`(ROVE_\w+)`", reference("settings.md"), re.MULTILINE)
    settings = {
        (each.path[-1], variable(each)) for each in all_settings(load_plugins().sections).values()
    }

    assert settings - set(rows) == set()


def test_every_setting_has_the_variable_it_says() -> None:
    """The variable in the row of a setting is the one that is read."""
    for key, declared in all_settings().items():
        variables = {variable(declared): _some_value(key, declared.expected)}

        assert EnvironmentLayer(variables).find(declared), key


def test_every_setting_of_an_account_is_there(reference: Reference) -> None:
    """Each shipped kind of source has a table, with a row for each setting of its own."""
    page = reference("settings.md")
    missing = [
        (kind.name, name)
        for kind in load_plugins().kinds.values()
        for name in kind.settings.__annotations__
        if f"`{name}`" not in page.partition(f"### [sources.{kind.name}]")[2].partition("###")[0]
    ]

    assert missing == []


def test_settings_of_the_limits_are_settings() -> None:
    """What the page of limits calls a setting is one."""
    page = (DOCS / "explanation" / "limits.md").read_text("utf-8")
    named = set(re.findall(r"`(\w+\.\w+)`", page))

    assert named
    assert named - all_settings().keys() == set()


def test_every_error_is_there(reference: Reference) -> None:
    """Each code of an error has a heading."""
    headings = _headings(reference("errors.md"))

    assert [error.code for error in coded() if error.code not in headings] == []


def test_every_error_says_what_to_do() -> None:
    """Each error with a code knows a next step."""
    assert [error.code for error in coded() if not error.advice] == []


def test_every_flag_is_there(reference: Reference) -> None:
    """Each flag has a row."""
    page = reference("command-line.md")

    assert [flag for flag in FLAGS if f"| `{flag}" not in page] == []


def test_every_command_is_there(reference: Reference) -> None:
    """Each command has a heading."""
    headings = _headings(reference("command-line.md"))

    assert [name for name, _ in helps(root(), "rove") if name not in headings] == []


def test_every_option_is_there(reference: Reference) -> None:
    """Each option stands in the help of its command."""
    page = reference("command-line.md")
    missing = [
        (name, option)
        for name, text in helps(root(), "rove")
        for option in re.findall(r"^  (--[\w-]+)", text, re.MULTILINE)
        if option not in page.partition(f"### {name}\n")[2].partition("###")[0]
    ]

    assert missing == []


def test_exit_codes_are_those_of_the_program(reference: Reference) -> None:
    """The table has each exit code that the program knows, and no other."""
    codes = {error.exit_code for error in coded()}
    codes |= {*vars(build)["_WORST_FIRST"], vars(cli)["_INTERRUPTED"]}
    table = re.findall(r"^\| (\d+) \|", reference("command-line.md"), re.MULTILINE)

    assert set(map(int, table)) == codes


def test_every_operation_is_there(reference: Reference) -> None:
    """Each operation has a heading."""
    headings = _headings(reference("operations.md"))

    assert [each.name for each in own_operations() if each.name not in headings] == []


def test_every_public_name_is_there(reference: Reference) -> None:
    """Each public name of the core has a row that says something."""
    rows = re.findall(r"^\| `(\w+)` \| \S", reference("python-api.md"), re.MULTILINE)

    assert set(public_names()) - set(rows) == set()


def test_there_are_few_public_names() -> None:
    """The contract stays small enough to be learned: at most 250 names."""
    assert len(public_names()) <= 250


def test_every_standard_test_is_there(reference: Reference) -> None:
    """Each test of the compliance suite has a row that says what holds."""
    rows = re.findall(r"^\| `(test_\w+)` \| \S", reference("compliance-suite.md"), re.MULTILINE)

    assert {name for name in dir(testing.SourceTests) if name.startswith("test_")} == set(rows)


def test_every_variable_is_there(reference: Reference) -> None:
    """Each variable that stands in the code by its name is explained."""
    known = reference("environment.md") + reference("settings.md")
    variables = {text for text in _texts() if VARIABLE.fullmatch(text)}

    assert "ROVE_DATA_DIR" in variables
    assert {name for name in variables if f"`{name}`" not in known} == set()


def test_every_file_is_there(reference: Reference, sandbox: Sandbox, connected: Path) -> None:
    """Whatever Rove leaves in a project and in the data directory is listed."""
    page = reference("files.md")
    sandbox.connect(connected)
    sandbox.run("rove --ticket TB-123; rove --help; rove --set-default-source jira")
    data = sandbox.home / ".local" / "share" / "rove"
    left = dict.fromkeys(data.rglob("*"), data)
    left |= dict.fromkeys((sandbox.project / ".rove").rglob("*"), sandbox.project)
    names = {str(path.relative_to(above)) for path, above in left.items() if path.is_file()}
    folder = re.compile(r"^((?:\.rove/)?(?:trust|documents|logins|asked))/.*")
    listed = {folder.sub(r"\1/", name) for name in names}

    assert "credentials.enc" in listed
    assert {name for name in listed if f"`{name}`" not in page} == set()


def _headings(page: str) -> list[str]:
    return re.findall(r"^#+ (.+)$", page, re.MULTILINE)


def _some_value(key: str, expected: str) -> str:
    """Return a text that a setting takes."""
    own = {
        "ai.api_base": "https://model.example",
        "ai.max_tokens": "2000",
        "ai.timeout": "30s",
        "embedding.api_base": "https://model.example",
        "embedding.max_tokens": "2000",
        "embedding.timeout": "5s",
        "context.max_tokens": "600",
    }
    of_type = {"a whole number": "3", "true or false": "true"}
    if key not in own and expected.startswith("a duration"):
        return "6h"
    choices: list[str] = re.findall(r'"(\w+)"', expected)
    return own.get(key) or of_type.get(expected) or [*choices, "jira"][0]


def _texts() -> Iterator[str]:
    """Yield every text in the code of the packages."""
    for file in ROOT.glob("rove*/rove*/**/*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value
