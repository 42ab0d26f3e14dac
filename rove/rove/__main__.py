"""Entry point: answer the most frequent questions at once, and hand the rest to Click."""

import atexit
import os
import sys

from rove import fast, isolation

_INTERRUPTED = 130


def run() -> None:
    """Run the command line, and end this process at once.

    To take its modules apart takes Python as long as some answers.
    """
    code = main()
    threads = sys.modules.get("threading")
    if threads and threads.active_count() > 1:
        sys.exit(code)  # It waits for them.
    atexit._run_exitfuncs()  # noqa: SLF001  # as Python itself does
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, OSError, ValueError):  # It is closed, and nobody reads it.
            continue
    os._exit(code)


def main() -> int:
    """Run the command line and return its exit code."""
    try:
        answer = fast.answer(sys.argv[1:])
        if answer is not None and _write_answer(answer):
            return 0
        from rove.collector import spare_the_collector  # noqa: PLC0415  # as with Click

        spare_the_collector()
        from rove.cli import cli  # noqa: PLC0415  # Click takes longer than the whole answer

        isolation.want_isolation()
        code = cli(sys.argv[1:])
        isolation.end_isolated(code)
    except KeyboardInterrupt:  # Even while something is still being imported.
        return _INTERRUPTED
    return code


def _write_answer(answer: bytes) -> bool:
    """Write an answer without buffers; on failure Click prints it or reports the error."""
    try:
        return os.write(sys.stdout.fileno(), answer) == len(answer)
    except (AttributeError, OSError):  # Python has no standard output when it is closed.
        return False


if __name__ == "__main__":
    run()
