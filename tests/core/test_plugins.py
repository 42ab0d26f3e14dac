"""Loading plugins: whatever one of them does costs that one, and says whose it is and why."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import pytest
from attrs import field, frozen

from rove_core import CommonSettings, Identity, SourceHooks, SourceKind, hookimpl
from rove_core.errors import PluginFailed, RoveError, WrongCall
from rove_core.plugins.installed_plugins import BrokenPlugin
from rove_core.plugins.loader import inspect_kind, load_plugins, use_plugins
from rove_core.testing import reference

Install = Callable[..., None]

#: What is said of each module in hostile/.
REASONS = {
    "raises_at_import": "raises at import: RuntimeError: no luck today",
    "exits_at_import": "exits at import: SystemExit: 3",
    "needs_a_missing_module": "raises at import: ModuleNotFoundError: "
    "No module named 'a_module_that_nobody_has'",
    "prints_at_import": "prints at import: 'Welcome to my plugin!'",
    "wrong_signature": "wrong_signature.rove_sources takes project, the hook takes no arguments",
    "gives_no_list": "rove_sources gives a SourceKind, expected a list",
    "gives_names_only": "rove_sources gives a str, expected SourceKind objects",
    "forgets_the_marker": "forgets_the_marker.rove_sources lacks @hookimpl",
    "plain_function": "plain_function.rove_sections is a plain function, "
    "expected a coroutine function",
    "misplaced_hook": "misplaced_hook.rove_identity belongs on a source, not on the package; "
    "a package may only wrap it",
    "misspells_a_hook": "misspells_a_hook.rove_source is not a hook; did you mean 'rove_sources'?",
    "raises_in_a_hook": "rove_sources raises: KeyError: 'sources'",
    "exits_in_a_hook": "rove_sources exits: SystemExit: enough",
    "names_itself_badly": "rove_sources raises: ValueError: "
    "'name' must match regex '[a-z][a-z0-9-]*' ('My Wiki' doesn't)",
    "brings_a_name_twice": "provides the source 'twin' that brings-a-name-twice already provides",
    "takes_a_name": "provides the source 'reference', which belongs to reference",
}


@pytest.fixture(autouse=True)
def _only_those_of_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["reference", *(name.replace("_", "-") for name in REASONS)]
    names += ["acme", "newer", "shipped", "wood"]
    monkeypatch.setenv("ROVE_LOAD_PLUGINS", ",".join(names))


@pytest.fixture
def hostile(install_plugin: Install) -> None:
    """Install every bad plugin, and a good one in their midst."""
    install_plugin("reference", module=reference.__name__)
    for name in REASONS:
        text = (Path(__file__).parent / "hostile" / f"{name}.py").read_text("utf-8")
        install_plugin(name.replace("_", "-"), text=text)


def test_every_hostile_module_is_expected() -> None:
    """No bad plugin lies about that nobody loads."""
    files = {file.stem for file in (Path(__file__).parent / "hostile").glob("*.py")}

    assert files == set(REASONS)


@pytest.mark.usefixtures("hostile")
@pytest.mark.parametrize("name", REASONS)
def test_bad_plugin_is_named_with_its_reason(name: str) -> None:
    """A bad plugin is kept with its distribution, its version and what is wrong."""
    dashed = name.replace("_", "-")
    found = {plugin.name: plugin for plugin in load_plugins().broken}

    assert found[dashed] == BrokenPlugin(dashed, dashed, "1.0", REASONS[name])


@pytest.mark.usefixtures("hostile")
@pytest.mark.parametrize(
    ("kind", "message", "hint"),
    [
        (
            "raises-at-import",
            "the plugin 'raises-at-import' is broken: " + REASONS["raises_at_import"],
            "Report it to the plugin's author; see: rove --source-plugins",
        ),
        (
            "referense",
            (
                "no installed plugin provides the source 'referense'; "
                "available: reference; did you mean 'reference'?"
            ),
            "See what there is: rove --source-plugins",
        ),
        (
            "wiki",
            "no installed plugin provides the source 'wiki'; available: reference",
            "Write your own plugin: rove plugins new wiki",
        ),
    ],
)
def test_kind_that_is_not_there_says_why(kind: str, message: str, hint: str) -> None:
    """A broken plugin, a slip of the keyboard and a missing package each have a next step."""
    with pytest.raises(RoveError) as caught:
        load_plugins().kind(kind)

    assert (caught.value.message, caught.value.hint) == (message, hint)


@pytest.mark.usefixtures("hostile")
def test_good_plugin_works_among_bad_ones(capsys: pytest.CaptureFixture[str]) -> None:
    """The others are loaded as if nothing had happened, and nothing is printed."""
    plugins = load_plugins()

    assert [plugin.name for plugin in plugins.working] == ["reference"]
    assert plugins.kinds == {"reference": plugins.working[0].kinds[0]}
    assert capsys.readouterr().out == ""


@pytest.mark.usefixtures("hostile")
def test_bad_plugin_leaves_no_hook_behind() -> None:
    """What is broken is not asked again."""
    plugins = load_plugins()

    assert plugins.manager.get_plugins() == {sys.modules[reference.__name__]}


MEASURE = """
from rove_core import LocalProject, Operation, hookimpl

async def {name}(rove: LocalProject) -> None:
    \"\"\"Measure.\"\"\"

@hookimpl
def rove_operations():
    return [Operation({name}, command="measure")]
"""


@pytest.mark.parametrize("second", ["acme", "wood"])
def test_a_shipped_package_keeps_its_commands(
    install_plugin: Install, monkeypatch: pytest.MonkeyPatch, second: str
) -> None:
    """Whoever takes one is broken, whatever its name and that of its operation."""
    monkeypatch.setattr("rove_core.plugins.loader.SHIPPED", {"shipped"})
    install_plugin("shipped", text=MEASURE.format(name="measure"))
    install_plugin(second, text=MEASURE.format(name="another"))

    plugins = load_plugins()

    assert [each.distribution for each in plugins.working] == ["shipped"]
    assert [each.error for each in plugins.broken] == [
        "provides the command 'measure' that shipped already provides"
    ]


def test_unknown_hook_is_only_a_note(install_plugin: Install) -> None:
    """A hook that a newer Rove may have does not stop a plugin."""
    install_plugin(
        "newer",
        text="from rove_core import hookimpl\n\n@hookimpl\ndef rove_dream(sheep): return sheep\n",
    )

    (plugin,) = load_plugins().working

    assert plugin.notes == ("rove_dream: made for a newer rove-core",)


def test_unreadable_announcement_is_told(install_plugin: Install) -> None:
    """A distribution whose entry points are no INI is broken; the others are found."""
    install_plugin("reference", module=reference.__name__)
    install_plugin("acme", text="")
    announcement = Path(sys.path[0], "acme-1.0.dist-info", "entry_points.txt")
    announcement.write_text("[rove]\nno equals sign\n")

    plugins = load_plugins()

    assert [(plugin.name, plugin.distribution) for plugin in plugins.broken] == [("acme", "acme")]
    assert plugins.broken[0].error.startswith("its entry_points.txt cannot be read: ")
    assert list(plugins.kinds) == ["reference"]


def test_only_named_plugins_are_loaded(
    install_plugin: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``ROVE_LOAD_PLUGINS`` limits what is imported; empty, it lets nothing in."""
    install_plugin("reference", module=reference.__name__)
    monkeypatch.setenv("ROVE_LOAD_PLUGINS", "")

    plugins = load_plugins()

    assert (plugins.working, plugins.broken) == ((), ())


def test_entry_point_must_name_a_module(install_plugin: Install) -> None:
    """An entry point that leads to a function is told."""
    install_plugin("acme", module=f"{reference.__name__}:rove_sources")

    (plugin,) = load_plugins().broken

    assert plugin.error == "its entry point names a function, not a module"


def test_program_may_bring_its_own_modules() -> None:
    """A program can use plugins that nobody has installed."""
    plugins = use_plugins([reference])

    assert list(plugins.kinds) == ["reference"]


def test_unknown_kind_is_told_with_what_to_install() -> None:
    """Who asks for a kind that nobody brings is told how to get it."""
    with pytest.raises(WrongCall, match="available: reference") as caught:
        use_plugins([reference]).kind("jira")

    assert caught.value.hint == "Install it with: pip install rove-jira"


def test_right_kind_passes_inspection() -> None:
    """A kind whose sources keep the contract is inspected without a word."""
    inspect_kind(use_plugins([reference]).kind("reference"))


@frozen
class Demanding:
    """Settings that cannot be left alone."""

    token: str = field()


@frozen
class Foldered:
    """Settings of a type that no file of settings can hold."""

    folder: Path = Path()


class Hasty(SourceHooks):
    """A source that answers before it is awaited."""

    @hookimpl
    def rove_identity(self) -> Identity:  # type: ignore[override]  # what is tested
        """Answer at once."""
        return Identity(name="Robin")


class Misspelt(SourceHooks):
    """A source that would never be searched."""

    @hookimpl
    async def rove_serch(self, query: object) -> None:
        """Search."""

    @hookimpl
    async def rove_identity(self) -> Identity:
        """Answer."""
        return Identity(name="Robin")


def _kind(
    connect: Callable[..., SourceHooks], settings: type = CommonSettings
) -> "SourceKind[CommonSettings]":
    return SourceKind(name="acme", title="Acme", settings=settings, connect=connect)


def _explode(*_: object) -> SourceHooks:
    raise KeyError("site")


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (
            _kind(lambda *_: Hasty()),
            "Hasty.rove_identity is a plain function, expected a coroutine function",
        ),
        (_kind(_explode), "acme: KeyError: 'site'"),
        (
            _kind(lambda *_: Misspelt()),
            "Misspelt.rove_serch is not a hook; did you mean 'rove_search'",
        ),
        (_kind(lambda *_: Hasty(), dict), "the settings of 'acme' are dict, not an attrs class"),
        (_kind(lambda *_: Hasty(), Demanding), "the settings of 'acme' lack a default"),
        (
            _kind(lambda *_: Hasty(), Foldered),
            "the settings of 'acme': folder: .*Path.* is not a type that a setting can have: use ",
        ),
    ],
    ids=[
        "plain",
        "connect raises",
        "misspelt",
        "settings are a dict",
        "settings lack a default",
        "type",
    ],
)
def test_wrong_kind_is_told_by_inspection(kind: "SourceKind[CommonSettings]", reason: str) -> None:
    """What only a connected source shows is found without connecting to anything."""
    with pytest.raises(PluginFailed, match=reason):
        inspect_kind(kind)


def test_installed_wheel_is_found_and_gone_when_uninstalled(tmp_path: Path) -> None:
    """A third party's wheel is there after ``pip install`` and not after ``pip uninstall``."""
    pytest.importorskip("pip")
    python = _environment(tmp_path / "venv")
    wheel = _wheel(tmp_path)

    _run(
        sys.executable, "-m", "pip", "--python", python, "install", "--no-index", "--no-deps", wheel
    )
    installed = _run(python, "-c", LIST)
    _run(sys.executable, "-m", "pip", "--python", python, "uninstall", "--yes", "acme-rove")
    uninstalled = _run(python, "-c", LIST)

    assert (installed, uninstalled) == ("acme acme-rove 2.5\n", "")


LIST = """
from rove_core.plugins.loader import load_plugins
for plugin in load_plugins().working:
    print(plugin.name, plugin.distribution, plugin.version)
"""


def _environment(folder: Path) -> str:
    """Return the interpreter of an environment of its own."""
    _run(sys.executable, "-m", "venv", "--without-pip", str(folder))
    return str(folder / "bin" / "python")


def _run(*command: str) -> str:
    env = os.environ | {"ROVE_LOAD_PLUGINS": "acme", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    if "pip" not in command:
        env["PYTHONPATH"] = os.pathsep.join(sys.path)
    return subprocess.check_output(command, env=env, text=True, stderr=subprocess.STDOUT)  # noqa: S603  # our own words


def _wheel(folder: Path) -> str:
    path, info = folder / "acme_rove-2.5-py3-none-any.whl", "acme_rove-2.5.dist-info"
    files = {
        "acme_rove.py": '"""A plugin that brings nothing yet."""\n',
        f"{info}/METADATA": "Metadata-Version: 2.1\nName: acme-rove\nVersion: 2.5\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": "[rove]\nacme = acme_rove\n",
    }
    record = "".join(f"{name},,\n" for name in [*files, f"{info}/RECORD"])
    with ZipFile(path, "w") as wheel:
        for name, text in {**files, f"{info}/RECORD": record}.items():
            wheel.writestr(name, text)
    return str(path)
