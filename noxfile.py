"""Every check of this project, one session each: ``nox -l`` lists them."""

import shutil
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from zipfile import ZipFile

import nox

nox.needs_version = ">=2025.5.1"
nox.options.default_venv_backend = "virtualenv"
nox.options.error_on_external_run = True
nox.options.error_on_missing_interpreters = False
nox.options.reuse_venv = "yes"
nox.options.sessions = ["tests", "lint", "typing", "docs"]

WORKSPACE = nox.project.load_toml("pyproject.toml")
CORE = nox.project.load_toml("rove_core/pyproject.toml")
PACKAGES = sorted(file.parent.name for file in Path().glob("rove*/pyproject.toml"))
SOURCES = [name[5:] for name in PACKAGES if name not in {"rove", "rove_core", "rove_sim"}]
#: Those the metadata names, and the one at hand, so that no machine tests nothing.
PYTHONS = sorted({*nox.project.python_versions(CORE), f"3.{sys.version_info.minor}"})


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """Run every test against the installed packages."""
    _install(session, *PACKAGES, group="test")
    session.run("pytest", *(session.posargs or ["-n", "2"]))


@nox.session(venv_backend="uv|virtualenv")
@nox.parametrize("source", SOURCES, ids=SOURCES)
def alone(session: nox.Session, source: str) -> None:
    """Install one source without its siblings, see that only it is found, and run its tests.

    The vendors in a box are no sibling: they bring no source, and tests talk to them.
    """
    _install(session, "rove_core", "rove_sim", f"rove_{source}", group="test")
    _check_found(session, "python", [source])
    # 5: no test of it was asked for, as with "-k compliance" where a package brings no source.
    session.run("pytest", f"tests/{source}", *session.posargs, success_codes=[0, 5])


@nox.session(venv_backend="uv|virtualenv")
def lint(session: nox.Session) -> None:
    """Check the code's style and form; ``nox -s lint -- --fix`` mends what can be mended."""
    session.install(*_group("lint"))
    session.run("ruff", "check", *session.posargs)
    session.run("ruff", "format", *([] if "--fix" in session.posargs else ["--check"]))


@nox.session(venv_backend="uv|virtualenv")
def typing(session: nox.Session) -> None:
    """Check the types of all there is, and that a plugin author's mistakes are found."""
    _install(session, *PACKAGES, group="typing")
    session.run("mypy", *session.posargs)
    session.run("pytest", "tests/typing")


@nox.session
def docs(session: nox.Session) -> None:
    """Compare the generated pages with the code, run every documented example, build the site."""
    _install(session, *PACKAGES, group="test")
    session.run("pytest", "tests/docs", *session.posargs)
    _site(session)


@nox.session(venv_backend="uv|virtualenv")
def site(session: nox.Session) -> None:
    """Build the pages as a site in build/site, and look for what came out garbled."""
    session.install(*_group("site"))
    _site(session)


@nox.session
def template(session: nox.Session) -> None:
    """Make a plugin of each kind, build, install, type-check and test it: all must be gold."""
    _install(session, *PACKAGES, group="typing")
    kinds = {"file": "file", "token": "token", "oauth": "oauth", "writes": "oauth --writes"}
    for kind, options in kinds.items():
        with tempfile.TemporaryDirectory() as folder:
            plugin = Path(folder, f"rove-wiki{kind}")
            made = ("plugins", "new", f"wiki{kind}", "--kind", *options.split())
            session.run("rove", *made, f"--folder={plugin}")
            with session.chdir(plugin):
                session.run("python", "-m", "build", "--no-isolation")
                session.install(*map(str, Path("dist").glob("*.whl")))
                session.run("mypy")
                session.run("pytest", *session.posargs)
                session.run("rove", "plugins", "check", f"rove-wiki{kind}", "--tests", "tests")


@nox.session
def build(session: nox.Session) -> None:
    """Build each package into dist/ and install ``rove[all]`` from there."""
    session.install(*_group("build"))
    dist = Path("dist")
    for old in dist.glob("rove*"):
        old.unlink()
    for package in PACKAGES:
        session.run("python", "-m", "build", "--no-isolation", "--outdir", "dist", package)
    for wheel in sorted(dist.glob("*.whl")):
        _check_contents(session, wheel)
    _install_all(session, dist)


@nox.session
def bench(session: nox.Session) -> None:
    """Measure: ``nox -s bench -- NAME``, or without a name list what can be measured."""
    _install(session, *PACKAGES)
    session.run("python", "-m", "benchmarks", *session.posargs)


@nox.session(venv_backend="uv|virtualenv")
def campaign(session: nox.Session) -> None:
    """Hunt for faults with generated worlds: ``nox -s campaign -- --seconds 120``."""
    _install(session, *PACKAGES)
    session.run("python", "-m", "benchmarks.campaign", *session.posargs)


@nox.session(venv_backend="uv|virtualenv")
def browser(session: nox.Session) -> None:
    """Check the pages of ``rove open`` in Chromium with axe, and their HTML with vnu.

    Among them are pages made of every known attack. It needs Chromium, Node.js with npm, and Java.
    """
    names = ("chromium", "chromium-browser", "google-chrome")
    chromium = next(filter(None, map(shutil.which, names)), "")
    missing = [name for name in ("node", "npm", "java") if not shutil.which(name)]
    missing += [] if chromium else ["chromium"]
    if missing:
        session.skip(f"not installed: {', '.join(missing)}")
    _install(session, *PACKAGES, group="test")
    script = Path("tests/app/browser/check_pages.mjs").resolve()
    folder = Path(session.create_tmp()).resolve()
    writing = ("python", "-m", "tests.app.browser.write_pages", f"{folder}/pages")
    pages = str(session.run(*writing, silent=True)).split()
    with session.chdir(folder):
        run = partial(session.run, external=True)
        tools = ("playwright-core", "axe-core", "vnu-jar")
        run("npm", "install", "--no-fund", "--no-audit", "--prefix", ".", *tools)
        run("java", "-jar", *map(str, folder.rglob("vnu.jar")), "--errors-only", *pages)
        run("node", str(script), chromium, *pages)


@nox.session
def bump(session: nox.Session) -> None:
    """Give every package a new version and collect the news: ``nox -s bump -- 0.2.0``."""
    session.install(*_group("release"))
    session.run("python", ".ci/bump.py", *session.posargs)
    session.run("towncrier", "build", "--yes", "--version", *session.posargs)


def _site(session: nox.Session) -> None:
    session.install(*_group("site"))
    session.run("mkdocs", "build", "--quiet", "--strict", env={"NO_MKDOCS_2_WARNING": "1"})
    session.run("python", "-m", "docs_src.site_check", "build/site")


def _group(name: str) -> tuple[str, ...]:
    return nox.project.dependency_groups(WORKSPACE, name)


def _install(session: nox.Session, *packages: str, group: str | None = None) -> None:
    """Install packages as their users get them: built, not linked to the checkout.

    One hatchling for all, instead of a fresh one for each, takes a sixth of the time.
    """
    session.install(CORE["build-system"]["requires"][0], *(_group(group) if group else ()))
    extras = {"rove_core": "[testing]", "rove_code": "[languages]"} if group else {}
    folders = [f"./{name}{extras.get(name, '')}" for name in packages]
    options = ["--no-build-isolation"]
    if session.venv_backend == "uv":
        # It would link the workspace, and takes a folder for unchanged as its pyproject.toml is.
        options += ["--no-sources", *(f"--reinstall-package={name}" for name in packages)]
    session.install(*options, *folders)


def _check_contents(session: nox.Session, wheel: Path) -> None:
    package, version = wheel.name.split("-")[:2]
    allowed = (f"{package}/", f"{package}-{version}.dist-info/")
    strays = [name for name in ZipFile(wheel).namelist() if not name.startswith(allowed)]
    if strays:
        session.error(f"{wheel} holds files of others: {', '.join(strays)}")


def _install_all(session: nox.Session, dist: Path) -> None:
    """Install ``rove[all]`` into a fresh environment, all of ours from the wheels alone."""
    wheels = {wheel.name.split("-")[0]: wheel.resolve().as_uri() for wheel in dist.glob("*.whl")}
    with tempfile.TemporaryDirectory() as folder:
        ours = Path(folder, "ours.txt")
        ours.write_text("".join(f"{name} @ {uri}\n" for name, uri in wheels.items()), "utf-8")
        session.run("python", "-m", "venv", folder)
        run = partial(session.run, external=True, env={"ROVE_DATA_DIR": f"{folder}/data"})
        run(f"{folder}/bin/pip", "install", "-q", "-c", ours, f"rove[all] @ {wheels['rove']}")
        run(f"{folder}/bin/pip", "check")
        _check_found(session, f"{folder}/bin/python", SOURCES)
        run(f"{folder}/bin/rove", "--version")
        run(f"{folder}/bin/rove", "--demo", f"{folder}/demo")


def _check_found(session: nox.Session, python: str, sources: Sequence[str]) -> None:
    """Stop when other plugins are found than these."""
    ask = "from importlib.metadata import entry_points; print(*entry_points(group='rove').names)"
    found = str(session.run(python, "-c", ask, silent=True, external=True)).split()
    if set(found) != set(sources):
        session.error(f"found are {', '.join(found)}; expected were {', '.join(sources)}")
