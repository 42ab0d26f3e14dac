"""Sources of code: git repositories, plain folders, and clones."""

from rove_code.repositories.checkouts import checkout
from rove_code.repositories.opener import open_repository
from rove_code.repositories.repository import Commit, Repository

__all__ = ["Commit", "Repository", "checkout", "open_repository"]
