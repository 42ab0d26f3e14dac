"""The words beside passwords in sentences: each finds one, and is missed when it is gone."""

# ruff: noqa: RUF001  # the words and marks are those of many languages

import re
from collections.abc import Callable, Iterator
from typing import Final

import pytest
from attrs import frozen

from rove_core.safety.secrets import find_secrets
from rove_core.safety.secrets import spoken_patterns as patterns
from rove_core.safety.secrets import spoken_words as words
from rove_core.safety.secrets.scan import Scanner

PASSWORD: Final = "Sommer2025"  # noqa: S105  # opens nothing
#: A word for each entry that is a pattern.
EXAMPLES: Final = {
    r"sigue\ssiendo": "sigue siendo",
    "c['’]est": "c'est",
    r"continua\ssendo?": "continua sendo",
    "był[oa]?": "była",
    "был[оа]?": "был",
    "c['’]è": "c'è",
    r"è\stornata": "è tornata",
    r"had\sbeen": "had been",
    r"['’]ve\sbeen": "'ve been",
    r"have\sbeen": "have been",
    "tape[rz]?": "tapez",
    "saisi[a-z]*": "saisissez",
    "utilise[rz]?": "utilisez",
    "pongan?": "pongan",
    "escrib[a-z]*": "escriba",
    "usa[rn]?": "usar",
    "digit[aeo][a-z]*": "digite",
    "inseri[a-z]*": "inserisci",
    "scriv[a-z]*": "scrivi",
    "geben?": "geben",
    "verwende[nt]?": "verwendet",
    "wpis[a-z]*": "wpisz",
    "введи[а-я]*": "введите",
    "используй[а-я]*": "используйте",
    "ввод[а-яі]*": "вводь",
    "використовуй[а-я]*": "використовуйте",
    "neu(?:es)?": "neues",
    r"po\sprostu": "po prostu",
    r"remplacée?\spar": "remplacé par",
    r"replaced\s(?:by|with)": "replaced with",
    r"ersetzt\sdurch": "ersetzt durch",
    r"vervangen\sdoor": "vervangen door",
    "del?": "del",
    r"en\stant\sque": "en tant que",
    "that['’]?s": "that's",
    r"das\sist": "das ist",
}


@frozen
class WordList:
    """A list of words in a pattern.

    Attributes:
        words: The words, as in the pattern.
        pattern: Makes the pattern with other words.
        sentence: What stands beside the word for a password; ``{}`` is a word of the list.
    """

    words: str
    pattern: Callable[[str], re.Pattern[str]]
    sentence: str

    def entries(self) -> Iterator[str]:
        """Yield each word by itself."""
        for entry in self.words.split():
            yield from [entry] if "(" in entry else entry.split("|")

    def finds(self, entry: str, among: str) -> bool:
        """Return whether the pattern with some words finds the password beside one of them."""
        text = self.sentence.format(EXAMPLES.get(entry, entry))
        found = self.pattern(among).match(text)
        return found is not None and found["bare"] == PASSWORD


LISTS: Final = {
    "verbs": WordList(words.VERBS, lambda some: patterns.given(verbs=some), " {} Sommer2025"),
    "what one enters": WordList(
        words.ENTER, lambda some: patterns.given(enter=some), " {} Sommer2025"
    ),
    "adverbs": WordList(words.ADVERBS, lambda some: patterns.given(adverbs=some), " {} Sommer2025"),
    "fillers": WordList(words.FILLERS, patterns.directly_behind, ", {} Sommer2025"),
    "changed to": WordList(words.CHANGED_TO, patterns.changed, " {} Sommer2025"),
    "purposes": WordList(words.PURPOSES, patterns.behind_purpose, " {} VPN: Sommer2025"),
    "as a user": WordList(
        words.AS_USER, lambda some: patterns.entered(as_user=some), " {} a b c with Sommer2025"
    ),
    "with": WordList(
        words.WITH, lambda some: patterns.entered(joint=some), " as admin {} Sommer2025"
    ),
    "used as": WordList(words.AS_LOGIN_WORD, patterns.used_as, "Sommer2025 {} "),
    "is": WordList(
        words.IS_LOGIN_WORD, lambda some: patterns.said_to_be(verbs=some), "Sommer2025, {} "
    ),
    "behind a dash": WordList(
        words.DASHED_LOGIN_WORD,
        lambda some: patterns.said_to_be(dashed=some),
        "Sommer2025 — {} ",
    ),
}
ENTRIES: Final = [(name, entry) for name, some in LISTS.items() for entry in some.entries()]


@pytest.mark.parametrize(("name", "entry"), ENTRIES)
def test_each_word_of_a_list(name: str, entry: str) -> None:
    """The password is found beside the word, and not when the list lacks it."""
    some = LISTS[name]
    others = " ".join(other for other in some.entries() if other != entry)

    assert some.finds(entry, among=some.words)
    assert not some.finds(entry, among=others)


#: A sentence for each place of a password, that no other place explains.
PLACES: Final = {
    "ADJOINED": "账号root,密码Sommer2025",
    "AFTER": "pwd for prod db Sommer2025",
    "ANSWER": "the pass again? Sommer2025",
    "ARTICLE": "what was the pass for the db? Sommer2025",
    "BEFORE": "usa Sommer2025 como clave",
    "CHANGED": "das Passwort wurde auf Sommer2025 gesetzt",
    "CLAUSE_END": "the password is 746860 (old)",
    "COMPARED": "return 'winter77x' == opts.password",
    "ENTERED": "entra con admin y Sommer2025",
    "ENTERED_BEFORE": "einfach mit root und Sommer2025 anmelden",
    "FOR": "la contra del GitLab es Sommer2025",
    "GIVEN": "密码：Sommer2025",
    "IN_BRACKETS": "the default password for staging (Winter77)",
    "JOINED_BEFORE": "m.weber と `SakuraShiro667` でログインできます",
    "MARKED": "PSK: Sommer2025",
    "NAMED_BEHIND": "okno9430 — это пароль рута",
    "NAME_BEFORE": "admin / Sommer2025 로 로그인하세요",
    "NEXT": "Şifre Sommer2025",
    "PAIR": "账号: admin/Sommer-2025",
    "PURPOSE": "la clave del servidor es SEVILLA-4844.",
    "TOKENS": "你用 Kx7#mPq2vL 这个密码登录就行",
    "USED": "use Sommer2025 to log in as root",
    "USER": "username: ann pass winterzeit9",
    "VALUE_BEHIND": "admin / Sommer2025 로 로그인하세요",
    "VERB_BEHIND": "パスワードは変わらず Sommer2025 です",
}
#: A text in base64 that has no password in it.
DATA: Final = "QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFB+pw=Xk9mNb4zTq"
NEVER: Final = re.compile("(?!)")


def test_each_place_has_a_sentence() -> None:
    """No pattern stands there that is not tested."""
    public = {name for name in vars(patterns) if name.isupper() and name[0] != "_"}
    of_words = {name for name in vars(words) if name.isupper()}

    assert public - of_words == PLACES.keys() | {"BASE64"}


@pytest.mark.parametrize("name", PLACES)
def test_each_place(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A password is found in each place, and not by a scanner that lacks the pattern."""
    assert find_secrets(PLACES[name])

    monkeypatch.setattr(patterns, name, NEVER)

    assert not Scanner().search(PLACES[name])


def test_words_in_base64(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two letters of encoded data are no word for a password; only the pattern tells."""
    assert not find_secrets(DATA)

    monkeypatch.setattr(patterns, "BASE64", NEVER)

    assert Scanner().search(DATA)
