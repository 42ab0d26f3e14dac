"""Write the pages that a browser checks: the demo's, and pages made of every known attack.

Usage: python -m tests.app.browser.write_pages FOLDER (``nox -s browser`` does it)
"""

import shutil
import subprocess
import sys
from pathlib import Path

from tests.app.test_page import HOSTILE, NOON, PLACES

from rove.page import PageContent, render


def main(folder: Path) -> None:
    """Write the pages into a folder, and print their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in (*_hostile_pages(folder), _demo_page(folder)):
        sys.stdout.write(f"{file}\n")


def _hostile_pages(folder: Path) -> list[Path]:
    """Write a page for each place in a document, with every attack in that place."""
    files = []
    for number, place in enumerate(PLACES):
        # A file cannot hold half a surrogate pair.
        attacks = (attack.encode("utf-8", "replace").decode() for attack in HOSTILE)
        text = "# Context: X\n\n" + "\n\n".join(place.replace("{}", attack) for attack in attacks)
        content = PageContent(
            ticket_id="TB-1",
            title=HOSTILE[number],
            url="javascript:alert(1)",
            account="jira",
            last_updated=NOON,
            text=text,
            uses=(),
            searches={},
        )
        file = folder / f"hostile-{number}.html"
        file.write_text(render(content), "utf-8", errors="replace")
        files.append(file)
    return files


def _demo_page(folder: Path) -> Path:
    """Write the page of the demo's document."""
    rove = shutil.which("rove", path=str(Path(sys.executable).parent)) or "rove"
    project, file = folder / "demo", folder / "demo.html"
    if not (project / ".context").is_dir():
        subprocess.run([rove, "--demo", str(project)], check=True, capture_output=True)  # noqa: S603  # our own command
    opening = [rove, "open", "TB-123", "--no-browser", "--output", str(file.resolve())]
    subprocess.run(opening, check=True, capture_output=True, cwd=project)  # noqa: S603  # the same
    return file


if __name__ == "__main__":
    main(Path(sys.argv[1]))
