"""Where code is: git repositories, folders without git, and copies of what is elsewhere."""

from rove_code.repositories.checkouts import checkout
from rove_code.repositories.opener import open_repository
from rove_code.repositories.repository import Commit, Repository

__all__ = ["Commit", "Repository", "checkout", "open_repository"]
