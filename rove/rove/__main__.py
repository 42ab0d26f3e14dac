"""Start Rove."""

import sys


def main() -> int:
    """Run the command line and return its exit code."""
    from rove.cli import cli  # noqa: PLC0415  # Click is loaded only when it is needed

    return cli(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
