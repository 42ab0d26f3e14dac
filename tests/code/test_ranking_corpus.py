"""What can be found, and what becomes of it when files change."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from tests.code.written import Written, found

from rove_code.model import Question
from rove_code.ranking.corpus import Corpus
from rove_code.ranking.rank import rank
from rove_code.ranking.words import terms

SHOP = {f"shop/part_{number}.py": f"def part_{number}():\n    pass\n" for number in range(40)}
BASKET = {**SHOP, "shop/basket.py": "class Basket:\n    def add(self, article):\n        pass\n"}


def texts_with(corpus: Corpus, word: str) -> int:
    """Count the chunks that have a word."""
    return int(corpus.find("body", np.array(terms(word), "<u4"))[1].size)


def ask(corpus: Corpus, text: str) -> list[str]:
    """Return the paths that are found for a question."""
    return found(rank(corpus, Question(text, budget=4000)))


def test_only_what_changed_is_looked_at_again() -> None:
    """A commit costs what its files cost."""
    before = Corpus.of([Written(SHOP)])
    after = Written(BASKET)

    Corpus.of([after], known=before)

    assert after.asked == ["shop/basket.py"]


def test_what_changed_is_found() -> None:
    """A file that came with a commit is there."""
    corpus = Corpus.of([Written(BASKET)], known=Corpus.of([Written(SHOP)]))

    assert ask(corpus, "basket") == ["shop/basket.py"]


def test_what_is_gone_is_not_found() -> None:
    """A file that a commit removed is not there, though its content is still known."""
    corpus = Corpus.of([Written(SHOP)], known=Corpus.of([Written(BASKET)]))

    assert texts_with(corpus, "article") == 0


def test_answers_do_not_depend_on_what_was_known_before() -> None:
    """A corpus that was brought up to date gives what a new one gives."""
    one = Corpus.of([Written(BASKET)], known=Corpus.of([Written(SHOP)]))
    other = Corpus.of([Written(BASKET)])
    question = Question("add a part to the basket", budget=4000)

    assert rank(one, question).scored == rank(other, question).scored


def test_another_process_reads_nothing_again(tmp_path: Path) -> None:
    """Segments are kept in a file."""
    Corpus.of([Written(SHOP)], folder=tmp_path)
    again = Written(SHOP)

    Corpus.of([again], folder=tmp_path)

    assert again.asked == []


def test_a_damaged_file_is_made_again(tmp_path: Path) -> None:
    """What cannot be read is only a copy."""
    Corpus.of([Written(SHOP)], folder=tmp_path)
    for path in tmp_path.iterdir():
        path.write_bytes(b"nonsense")

    assert ask(Corpus.of([Written(SHOP)], folder=tmp_path), "part_7")[:1] == ["shop/part_7.py"]


def test_what_was_left_there_is_removed(tmp_path: Path) -> None:
    """What an older Rove wrote, or one that was killed, is of no use to anybody."""
    Corpus.of([Written(SHOP)], folder=tmp_path)
    (kept,) = tmp_path.iterdir()
    for ending in (".0.0", ".1.1.4711"):
        kept.with_name(f"{kept.name.partition('.')[0]}{ending}").write_bytes(b"old")
    other = tmp_path / "another.1.1"
    other.write_bytes(b"of another repository")

    Corpus.of([Written({})], folder=tmp_path)
    Corpus.of([Written(BASKET)], folder=tmp_path)

    assert {kept, other} == set(tmp_path.iterdir())


def test_copies_of_a_file_are_all_found() -> None:
    """Equal content is looked at once, and stands at each of its paths."""
    text = "def pay():\n    pass\n"
    source = Written({"a/pay.py": text, "b/pay.py": text})

    corpus = Corpus.of([source])

    assert (len(source.asked), ask(corpus, "pay")) == (1, ["a/pay.py", "b/pay.py"])


def test_several_repositories_are_searched_as_one() -> None:
    """What is found says which repository it is of."""
    one = Written({"cart.py": "def fill():\n    pass\n"}, repository="/one")
    other = Written({"till.py": "def count_money():\n    pass\n"}, repository="/other")

    ranking = rank(Corpus.of([one, other]), Question("count money", budget=4000))

    assert [scored.repository for scored in ranking.scored] == [1]


@pytest.mark.parametrize("texts", [{}, {"notes.txt": " "}, {"empty.py": ""}])
def test_a_repository_may_have_nothing_to_find(texts: Mapping[str, str]) -> None:
    """Nothing is found, and nothing fails."""
    assert rank(Corpus.of([Written(texts)]), Question("pay for a basket", budget=100)).scored == ()
