"""The words of the interface are there in each language."""

import re

import pytest

from rove_folder import phrases
from rove_folder.words import LANGUAGES, Language, interface_words

ENGLISH = interface_words("en")


def test_five_languages_are_spoken() -> None:
    """They are those of the design."""
    assert set(LANGUAGES) == {"en", "it", "es", "fr", "de"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_is_complete(language: Language) -> None:
    """Each has the same keys, a text for each, and the same values to fill in."""
    words = interface_words(language)

    assert words.keys() == ENGLISH.keys()
    assert all(text.strip() == text and text for text in words.values())
    assert {key: _values(text) for key, text in words.items()} == {
        key: _values(text) for key, text in ENGLISH.items()
    }


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != "en"])
def test_each_language_is_its_own(language: Language) -> None:
    """Nearly nothing is said in the words of another language."""
    same = [key for key, text in interface_words(language).items() if text == ENGLISH[key]]

    assert len(same) <= 2


def test_what_the_design_shows_is_said() -> None:
    """Title, buttons, the four states of a folder, filters, the empty page, the errors."""
    shown = {
        *("title", "linkCta", "browse", "rescan", "unlink", "chooseFolder", "desktopOnly"),
        *("statusUnlinked", "statusIdle", "statusScanning", "statusError"),
        *("filterAll", "filterText", "filterImages", "filterPdf", "emptyTitle", "emptyBody"),
        *("errorTooBig", "errorTokens", "errorPaused", "errorFolderMissing", "relink"),
    }

    assert {f"projects.folder.{name}" for name in shown} <= ENGLISH.keys()


def test_the_errors_are_those_that_rove_raises() -> None:
    """What the interface says in English is what the errors say, word for word."""
    assert ENGLISH["projects.folder.errorTooBig"].format(tier="Free", count=200) == (
        phrases.too_big("free", 200)
    )
    assert ENGLISH["projects.folder.errorTokens"].format(date="D") == phrases.exhausted("D")
    assert ENGLISH["projects.folder.errorPaused"] == phrases.PAUSED
    assert ENGLISH["projects.folder.errorFolderMissing"].format(path="p") == phrases.folder_gone(
        "p"
    )


def _values(text: str) -> set[str]:
    return set(re.findall(r"\{\w+\}", text))
