"""What an account of code may set; there is nothing to log in to."""

from attrs import frozen


@frozen(kw_only=True)
class CodeSettings:
    """The settings of code retrieval.

    A project's file that nobody vouched for sets none of them: they say what is read.

    Attributes:
        folder: The repository: an absolute path, one below ``~``, or one in the project.
        also: Further repositories that may be asked over HTTP, written in the same way.
        clone_from: The hosts from which repositories may be cloned over HTTP (``github.com``).
    """

    folder: str = "."
    also: tuple[str, ...] = ()
    clone_from: tuple[str, ...] = ()
