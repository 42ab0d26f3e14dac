"""Start Rove: answer at once what agents ask most, and leave the rest to Click."""

import sys

from rove import fast

_INTERRUPTED = 130


def main() -> int:
    """Run the command line and return its exit code."""
    try:
        answer = fast.answer(sys.argv[1:])
        if answer is not None and _written(answer):
            return 0
        from rove.cli import cli  # noqa: PLC0415  # Click takes longer than the whole answer

        return cli(sys.argv[1:])
    except KeyboardInterrupt:  # Even while something is still being imported.
        return _INTERRUPTED


def _written(answer: bytes) -> bool:
    """Print an answer; where that fails, the command line proper knows what to say."""
    if sys.stdout is None:
        return False
    try:
        sys.stdout.buffer.write(answer)
        sys.stdout.flush()
    except OSError:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
