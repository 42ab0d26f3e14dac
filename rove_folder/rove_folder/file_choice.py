"""Choose the manifest lines that fit a ticket, by their words."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log
from typing import Final

from attrs import frozen

#: How much a word that stands in a line again and again adds, and how much long lines lose.
_REPEATS: Final = 1.2
_LENGTH: Final = 0.75
#: A word tells files apart when no more of them have it than this share, or this many.
_RARE_SHARE: Final = 0.1
_RARE_FILES: Final = 2
_SHORTEST: Final = 4
#: Forms of one word begin alike.
_STEM: Final = 6
#: Words of five languages that say nothing of a subject.
_STOP_TEXT: Final = (
    "about after again also been before between could does each from have into just like made make"
    " more most much must need needs only other over same should some such than that their them"
    " then there these they this those until used uses using want were what when where which while"
    " will with without would your image file files table text rows columns"
    " aber alle auch dass dann dazu eine einem einen einer eines haben hier ihre kann kein keine"
    " mehr nach nicht noch oder sich sind sein seine soll ueber über unter wenn werden wird wurde"
    " alla alle anche che come con cosa dalla delle dello della deve dove essere nella nelle"
    " non ogni perché però prima quando quella quello questa questo sono sulla tutti tutto"
    " ante como contra cuando desde donde ella entre esta este están fuera hasta hace para pero"
    " porque puede según sino sobre también tiene todo todos"
    " ainsi alors après aussi avant avec avoir cela cette chez comme dans depuis donc elle elles"
    " encore être leur mais même nous pour quand sans selon sont sous très tous tout vers vous"
)
_STOP: Final = frozenset(_STOP_TEXT.split())


@frozen(kw_only=True)
class RankedLine:
    """A line, and how well it fits a question.

    Attributes:
        key: Which line it is.
        score: How well it fits; higher is better.
    """

    key: str
    score: float


def line_words(text: str) -> list[str]:
    """Return all words of a line in lower case."""
    return "".join(sign.lower() if sign.isalnum() else " " for sign in text).split()


def ranked_lines(question: str, lines: Mapping[str, str]) -> list[RankedLine]:
    """Return the lines that have a word of a question, best first (BM25); ties go by key."""
    words = {key: Counter(line_words(line)) for key, line in lines.items()}
    mean = sum(map(Counter.total, words.values())) / (len(words) or 1)
    word_counts = {
        word: sum(word in each for each in words.values()) for word in set(line_words(question))
    }
    ranked = []
    for key, counts in words.items():
        length = _REPEATS * (1 - _LENGTH + _LENGTH * counts.total() / (mean or 1))
        score = sum(
            _rarity(holds, len(words)) * counts[word] * (1 + _REPEATS) / (counts[word] + length)
            for word, holds in word_counts.items()
        )
        if score > 0:
            ranked.append(RankedLine(key=key, score=score))
    return sorted(ranked, key=lambda each: (-each.score, each.key))


def fitting_lines(
    title: str, text: str, lines: Mapping[str, str], *, names: Sequence[str] = ()
) -> list[str]:
    """Return the keys of the lines that are about a subject, best first.

    A line is when it has a name of the subject, or words that few lines have: two of the title,
    or one of the title and two of the text.

    Args:
        title: What the subject is called.
        text: What is said about it.
        lines: The lines, by key.
        names: What names the subject and nothing else, such as a ticket's id.
    """
    spelled = {key: line_words(line) for key, line in lines.items()}
    stems = {key: {word[:_STEM] for word in words} for key, words in spelled.items()}
    most = max(_RARE_FILES, int(_RARE_SHARE * len(lines)))
    counts = Counter(stem for each in stems.values() for stem in each)

    def search_stems(text: str) -> set[str]:
        words = {word for word in line_words(text) if len(word) >= _SHORTEST} - _STOP
        return {stem for word in words if counts[stem := word[:_STEM]] <= most}

    of_title, of_text = search_stems(title), search_stems(text)
    named = [" ".join(["", *line_words(name), ""]) for name in names if name]

    def fits(key: str) -> bool:
        if any(name in f" {' '.join(spelled[key])} " for name in named):
            return True
        shared = len(stems[key] & of_title)
        return shared > 1 or (shared == 1 and len(stems[key] & (of_text - of_title)) > 1)

    ranked = ranked_lines(" ".join([title, *names]), lines)
    return [each.key for each in ranked if fits(each.key)]


def _rarity(holds: int, total: int) -> float:
    return log(1 + (total - holds + 0.5) / (holds + 0.5))
