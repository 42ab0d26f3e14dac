"""Start Rove: answer at once what agents ask most, and leave the rest to Click."""

import sys

from rove import fast


def main() -> int:
    """Run the command line and return its exit code."""
    answer = fast.answer(sys.argv[1:])
    if answer is None:
        from rove.cli import cli  # noqa: PLC0415  # Click takes longer than the whole answer

        return cli(sys.argv[1:])
    try:
        sys.stdout.buffer.write(answer)
        sys.stdout.flush()
    except OSError:
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
