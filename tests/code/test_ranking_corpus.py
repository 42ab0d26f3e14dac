"""What can be found, and what becomes of it when files change."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from tests.code.written import Written, found

from rove_code.model import CodeQuestion
from rove_code.ranking.corpus import CodeCorpus
from rove_code.ranking.rank import rank
from rove_code.ranking.words import terms

SHOP = {f"shop/part_{number}.py": f"def part_{number}():\n    pass\n" for number in range(40)}
BASKET = {**SHOP, "shop/basket.py": "class Basket:\n    def add(self, article):\n        pass\n"}


def texts_with(corpus: CodeCorpus, word: str) -> int:
    """Count the chunks that have a word."""
    return int(corpus.find("body", np.array(terms(word), "<u4"))[1].size)


def ask(corpus: CodeCorpus, text: str) -> list[str]:
    """Return the paths that are found for a question."""
    return found(rank(corpus, CodeQuestion(text, budget=4000)))


def test_only_what_changed_is_looked_at_again() -> None:
    """A commit costs what its files cost."""
    before = CodeCorpus.of([Written(SHOP)])
    after = Written(BASKET)

    CodeCorpus.of([after], previous=before)

    assert after.asked == ["shop/basket.py"]


def test_what_changed_is_found() -> None:
    """A file that came with a commit is there."""
    corpus = CodeCorpus.of([Written(BASKET)], previous=CodeCorpus.of([Written(SHOP)]))

    assert ask(corpus, "basket") == ["shop/basket.py"]


def test_what_is_gone_is_not_found() -> None:
    """A file that a commit removed is not there, though its content is still known."""
    corpus = CodeCorpus.of([Written(SHOP)], previous=CodeCorpus.of([Written(BASKET)]))

    assert texts_with(corpus, "article") == 0


def test_answers_do_not_depend_on_what_was_known_before() -> None:
    """A corpus that was brought up to date gives what a new one gives."""
    one = CodeCorpus.of([Written(BASKET)], previous=CodeCorpus.of([Written(SHOP)]))
    other = CodeCorpus.of([Written(BASKET)])
    question = CodeQuestion("add a part to the basket", budget=4000)

    assert rank(one, question).scored == rank(other, question).scored


def test_what_is_near_does_not_depend_on_what_was_known_before() -> None:
    """Of many that are equally near, the same ones are followed."""
    steps = {f"step_{n}.py": f"def step_{n}():\n    follow_{n}()\n" for n in range(100)}
    others = {f"follow_{n}.py": f"def follow_{n}():\n    pass\n" for n in range(100)}
    calls = "".join(f"    step_{n}()\n" for n in range(100))
    half = dict(list(steps.items())[50:])
    whole = {**steps, **others, "pay.py": f"def pay():\n{calls}"}
    question = CodeQuestion("pay", budget=100_000)

    one = CodeCorpus.of([Written(whole)], previous=CodeCorpus.of([Written(half)]))
    other = CodeCorpus.of([Written(whole)])

    assert rank(one, question).scored == rank(other, question).scored


def test_another_process_reads_nothing_again(tmp_path: Path) -> None:
    """Segments are kept in a file."""
    CodeCorpus.of([Written(SHOP)], folder=tmp_path)
    again = Written(SHOP)

    CodeCorpus.of([again], folder=tmp_path)

    assert again.asked == []


def test_a_damaged_file_is_made_again(tmp_path: Path) -> None:
    """What cannot be read is only a copy."""
    CodeCorpus.of([Written(SHOP)], folder=tmp_path)
    for path in tmp_path.iterdir():
        path.write_bytes(b"nonsense")

    assert ask(CodeCorpus.of([Written(SHOP)], folder=tmp_path), "part_7")[:1] == ["shop/part_7.py"]


def test_what_was_left_there_is_removed(tmp_path: Path) -> None:
    """What an older Rove wrote, a killed one or another version, is of no use to anybody."""
    CodeCorpus.of([Written({"till.py": "money = 1\n"})], folder=tmp_path)
    (last,) = tmp_path.iterdir()
    for ending in (".0.0", f"{last.suffix}.4711"):
        last.with_name(f"{last.name.partition('.')[0]}{ending}").write_bytes(b"old")
    other = tmp_path / "another.1.1"
    other.write_bytes(b"of another repository")

    CodeCorpus.of([Written(SHOP)], folder=tmp_path)

    kept = set(tmp_path.iterdir())
    assert len(kept) == 2
    assert {last, other} & kept == {other}


def test_what_comes_by_and_by_is_put_beside_what_there_is() -> None:
    """A repository that grows is never put in order as a whole again."""
    corpus = CodeCorpus.of([Written(SHOP)])
    for number in range(40, 60):
        texts = {f"shop/part_{each}.py": f"part_{each} = {each}\n" for each in range(40, number)}
        source = Written({**SHOP, **texts})
        corpus = CodeCorpus.of([source], previous=corpus)

        assert not SHOP.keys() & set(source.asked)
    assert ask(corpus, "part_45")[0] == "shop/part_45.py"


def test_a_segment_of_which_little_is_left_is_given_up() -> None:
    """What is left of it is put elsewhere, so that what is gone does not pile up."""
    left = dict(list(SHOP.items())[:10])

    corpus = CodeCorpus.of([Written(left)], previous=CodeCorpus.of([Written(SHOP)]))

    assert corpus.rows == 10


def test_a_disk_without_room_for_segments_is_no_error(tmp_path: Path) -> None:
    """They stay in memory, and the next process makes them again."""
    folder = tmp_path / "segments"
    folder.write_text("no folder", "utf-8")

    assert ask(CodeCorpus.of([Written(SHOP)], folder=folder), "part_7")[:1] == ["shop/part_7.py"]


def test_copies_of_a_file_are_all_found() -> None:
    """Equal content is looked at once, and stands at each of its paths."""
    text = "def pay():\n    pass\n"
    source = Written({"a/pay.py": text, "b/pay.py": text})

    corpus = CodeCorpus.of([source])

    assert (len(source.asked), ask(corpus, "pay")) == (1, ["a/pay.py", "b/pay.py"])


def test_several_repositories_are_searched_as_one() -> None:
    """What is found says which repository it is of."""
    one = Written({"cart.py": "def fill():\n    pass\n"}, repository="/one")
    other = Written({"till.py": "def count_money():\n    pass\n"}, repository="/other")

    ranking = rank(CodeCorpus.of([one, other]), CodeQuestion("count money", budget=4000))

    assert [scored.repository for scored in ranking.scored] == [1]


@pytest.mark.parametrize("texts", [{}, {"notes.txt": " "}, {"empty.py": ""}])
def test_a_repository_may_have_nothing_to_find(texts: Mapping[str, str]) -> None:
    """Nothing is found, and nothing fails."""
    assert (
        rank(CodeCorpus.of([Written(texts)]), CodeQuestion("pay for a basket", budget=100)).scored
        == ()
    )
