"""Standard tests of what a new or edited comment changes for those who read."""

# ruff: noqa: S101  # assert is how pytest speaks

from random import Random
from typing import ClassVar, Final

import pytest

from rove_core.items import ItemRef
from rove_core.testing.levels import MISSING, gold, silver
from rove_core.testing.list_tests import Copy
from rove_core.testing.scene import Scene
from rove_core.testing.source_under_test import logged_in
from rove_core.testing.work_tests import WorkTests
from rove_core.work.changes import NewComment

_KEY: Final = "rove-suite-0004"


class CommentTests(WorkTests):
    """Tests of comments on work items.

    Attributes:
        comment_edits: Whether the vendor says when a comment was last edited; needed for gold.
    """

    comment_edits: ClassVar[bool | None] = None

    @silver
    @logged_in("rove_list", "rove_add_comment")
    async def test_comment_is_listed(self, scene: Scene) -> None:
        """A copy of the account learns of it, and of its edit: the next listing brings the item."""
        ref, copy = self.work_ref(scene), Copy(scene)
        await copy.follow()
        pass_time = [*scene.vendor.steps.values()][:1]
        for words in ("Said since then", "Said otherwise"):
            await _comment(scene, ref, words)
            await copy.follow()

            assert words in copy.text(ref.id)
            for step in pass_time:
                step(Random(0))  # noqa: S311  # a history, not a secret

    @silver
    @logged_in("rove_item_detail", "rove_identity", "rove_add_comment")
    async def test_comment_has_its_author(self, scene: Scene) -> None:
        """A new comment is by whoever logged in, as the identity names them."""
        ref, words = self.work_ref(scene), "Said by whoever logged in"
        await _comment(scene, ref, words)
        thread = (await scene.detail(ref)).thread
        identity = scene.account.identity

        assert identity is not None
        assert [each.author for each in thread if words in each.content] == [identity.name]

    @gold
    @logged_in("rove_item_detail", "rove_add_comment")
    async def test_edited_comment_has_its_time(self, scene: Scene) -> None:
        """An edited comment is as old as its edit, where the vendor says when that was."""
        if self.comment_edits is None:
            pytest.skip(f"{MISSING}give comment_edits: whether the vendor keeps an edit's time")
        if not self.comment_edits:
            pytest.skip(f"the vendor of {scene.kind.name} does not say when a comment was edited")
        ref = self.work_ref(scene)
        pass_time = [*scene.vendor.steps.values()][:1]
        times = []
        for words in ("First words", "Second words"):
            await _comment(scene, ref, words)
            thread = (await scene.detail(ref)).thread
            times += [part.timestamp for part in thread if words in part.content]
            for step in pass_time:
                step(Random(0))  # noqa: S311  # a history, not a secret

        assert len(times) == 2
        assert times[0] < times[1]


async def _comment(scene: Scene, ref: ItemRef, words: str) -> None:
    await scene.awaited("rove_add_comment", ref=ref, comment=NewComment(content=words, key=_KEY))
