import subprocess
import sys

from docs_src.generate import ROOT


def test_every_page_is_as_the_code_is() -> None:
    """Nothing is stale: if this fails, run python -m docs_src.generate and look at the diff."""
    command = [sys.executable, "-m", "docs_src.generate", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603  # our own command

    assert (done.stdout, done.returncode) == ("", 0), done.stderr
