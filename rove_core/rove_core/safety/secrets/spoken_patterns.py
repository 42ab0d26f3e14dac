"""Patterns of the places of passwords in sentences: behind a verb, in brackets, before the word."""

# ruff: noqa: RUF001  # the words and marks are those of many languages

import re
from typing import Final

from rove_core.safety.lazy_pattern import lazy_pattern
from rove_core.safety.secrets.spoken_words import (
    ADVERBS,
    AS_LOGIN_WORD,
    AS_USER,
    CHANGED_TO,
    DASHED_LOGIN_WORD,
    ENTER,
    FILLERS,
    IS_LOGIN_WORD,
    PURPOSES,
    VERBS,
    WITH,
)

#: What says what a password is: a mark, or a verb in one of the languages.
_MARK: Final = (
    r"\s?(?:\*{1,2}|__?|[`\"'][\])]?|</\w{1,8}>|\]|&nbsp;)?\s?"
    r"(?::=|[!=]==?|[:：=→]|[-=]+>|[—–-](?=\s))(?:\*\*|__)?"
)


def _choice(words: str) -> str:
    """Return a pattern of words without spaces in them, the longest first."""
    return "|".join(sorted(words.split(), key=len, reverse=True))


def _says(verbs: str, enter: str, adverbs: str) -> str:
    """Return a pattern of the words that say what a password is."""
    verb, entry, adverb = map(_choice, (verbs, enter, adverbs))
    return (
        rf"(?:,?\s(?:just )?(?:{entry})(?:\sin)?(?=\s)"
        rf"|,?(?:\s(?:it|this|that|es|das|cela|ça|on|это|to))?(?:\s(?:{verb})|['’]s)"
        rf"(?:\s(?:{adverb}))?:?(?=\s)"
        rf"|,?\s(?:{adverb})(?:\s(?:{adverb}|{verb}))?:?(?=\s))"
    )


_ASIAN: Final = (
    r"[ \t]?[\u2e80-\uffef]{0,12}?"
    r"\s?(?:として|は(?:引き続き|まだ|今も)?|には|が|가|이|を|為|为|还是|仍是|是|[改换]成了?|改为|设为|设成"
    r"|输入|用|로|는|은|를|을)\s?"
)
#: What is said of a password between its word and its mark: "(case sensitive)".
_REMARK: Final = r"(?:[ \t]?[(（][^()（）\n]{1,30}[)）])?"
_BETWEEN: Final = r"[\u2e80-\u3001\u3003-\uffef]{0,12}?(?:,?[ \t]+[^\s:：=]{1,48}+){0,8}?"
_VALUE: Final = (
    r"\s{0,8}(?:[-=]{3,}\s+|```\w{0,10}\s+)?(?:[>*-][ \t]+)?<?"
    r"(?:(?P<quote>\*\*|`|\"|'|«[ \u00a0\u202f]?|»|“|„|「|『)"
    r"(?P<quoted>[!-~\u00a1-\u024f]{4,64}?)(?:\*\*|[ \u00a0\u202f]?»|[\"'`”“«」』])"
    r"|(?P<bare>[!-~\u00c0-\u024f]{4,64}))"
)


def given(verbs: str = VERBS, enter: str = ENTER, adverbs: str = ADVERBS) -> re.Pattern[str]:
    """Return the pattern of a password that a sentence says, with these words in its verbs."""
    says = _says(verbs, enter, adverbs)
    return lazy_pattern(
        rf"{_REMARK}(?P<between>{_BETWEEN})(?:{_MARK}|{says}|{_ASIAN}){_VALUE}", re.IGNORECASE
    )


def behind_purpose(purposes: str = PURPOSES) -> re.Pattern[str]:
    """Return the pattern of a password behind what it is for: "ww van de server: X"."""
    says = _says(VERBS, ENTER, ADVERBS)
    return lazy_pattern(
        rf"(?:[ \t](?:{_choice(purposes)})(?:[ \t]+[^\s:：=]{{1,24}}){{1,4}}?)"
        rf"(?:{_MARK}|{says}){_VALUE}",
        re.IGNORECASE,
    )


def changed(to: str = CHANGED_TO) -> re.Pattern[str]:
    """Return the pattern of a password that another one was changed to."""
    return lazy_pattern(rf"{_BETWEEN}\s(?:{_choice(to)})(?=\s){_VALUE}", re.IGNORECASE)


def directly_behind(fillers: str = FILLERS) -> re.Pattern[str]:
    """Return the pattern of a password right behind the word, or on the next line."""
    return lazy_pattern(
        rf"(?:\*{{1,2}}|__?|`|</\w{{1,8}}>|[\]?!])?(?:[ \t](?:wi-?fi|wlan|вай-?фай|vpn|zip|pdf))?"
        rf"{_REMARK}(?:,?[ \t](?:{_choice(fillers)}))?(?=[\s「『“]){_VALUE}",
        re.IGNORECASE,
    )


def entered(as_user: str = AS_USER, joint: str = WITH) -> re.Pattern[str]:
    """Return the pattern of a password that somebody enters with, behind the user's name."""
    return lazy_pattern(
        rf"(?:-\w{{1,8}})?(?:[ \t](?:{_choice(as_user)})[ \t](?P<user>[\w.@+-]{{1,40}})"
        rf"|(?:[ \t](?:{_choice(as_user)}))?(?:[ \t][\w.@+-]{{1,40}}){{1,3}}?)"
        rf"[ \t](?:{_choice(joint)})[ \t][\"'`]?(?P<bare>[!-~]{{6,64}})",
        re.IGNORECASE,
    )


def used_as(joint: str = AS_LOGIN_WORD) -> re.Pattern[str]:
    """Return the pattern of a password before the word: "X as the password"."""
    return lazy_pattern(
        r"(?<!\S)[\"'`]?(?P<bare>[!-~]{6,64}?)[\"'`]?,?[ \t]"
        r"(?:(?:\w{1,12}[ \t])?"
        rf"(?:{_choice(joint)})[ \t]?"
        r"(?:\w{1,8}[ \t]){0,3}|(?<=[\"'`][ \t]))[\w-]{0,12}?$",
        re.IGNORECASE,
    )


def said_to_be(verbs: str = IS_LOGIN_WORD, dashed: str = DASHED_LOGIN_WORD) -> re.Pattern[str]:
    """Return the same with a verb, a dash or a bracket, which leave no doubt."""
    return lazy_pattern(
        r"(?<![!-~])[\"'`]?(?P<bare>[!-~]{6,64}?)[\"'`]?"
        rf"(?:,?[ \t]\(?(?:{_choice(verbs)})[ \t]"
        r"|\?[ \t](?:era|was|war|était|это)[ \t]"
        rf"|[ \t]?(?:[—–(（-]|->|→)[ \t]?(?:{_choice(dashed)})[ \t]"
        r"|[ \t]?(?:这|那)?(?:是|就是|が|は|이게|가|이)[ \t]?[\u2e80-\uffef]{0,6}[ \t]?)"
        r"(?:[\w'’]{1,8}[ \t]){0,2}[\w-]{0,12}?$",
        re.IGNORECASE,
    )


GIVEN: Final = given()
FOR: Final = behind_purpose()
CHANGED: Final = changed()
NEXT: Final = directly_behind()
ENTERED: Final = entered()
#: The same before the verb: "mit root und X anmelden".
ENTERED_BEFORE: Final = lazy_pattern(
    r"(?:mit|met|with)[ \t](?P<user>[\w.@+-]{2,40})[ \t](?:und|en|and)[ \t]"
    r"[\"'`]?(?P<bare>[!-~]{6,64}?)[\"'`]?[ \t](?:zu[ \t])?$",
    re.IGNORECASE,
)
BEFORE: Final = used_as()
NAMED_BEHIND: Final = said_to_be()
#: What a password is for, and no thing that only begins with "password": "for the door".
PURPOSE: Final = lazy_pattern(
    rf"(?:,?\s(?:{_choice(PURPOSES)})(?:\s\S+){{1,7}}|[\u2e80-\uffef]{{0,3}})?",
    re.IGNORECASE,
)
#: What follows a value that a sentence or a clause ends with.
CLAUSE_END: Final = lazy_pattern(
    r"[\"'`*”»」』)]{0,2}(?:\s*(?:\Z|\n)|[.,;!。、，！]|[ \t][-–—(（]|[ \t]?[\u2e80-\uffef(（])"
)
MARKED: Final = lazy_pattern(
    rf"(?:{_MARK}|\s(?:is|it['’]s|es|è|é|est|ist)(?:\s(?:now|nu))?:?(?=\s)){_VALUE}", re.IGNORECASE
)
#: One at the end of the line, with what it is for between the word and it.
AFTER: Final = lazy_pattern(
    rf"(?:[ \t]+[^\s:：=]{{1,16}}){{1,4}}?[ \t]{_VALUE}(?=[.,;)]?\s*(?:\n|$))"
)
#: One in brackets: "the default password for staging (X)".
IN_BRACKETS: Final = lazy_pattern(
    r"(?:[ \t]+[^\s:：=(（]{1,24}){0,3}?[ \t]?[(（][\"'`]?(?P<bare>[!-'*-~]{6,64})[)）]"
)
#: The answer to a question: "the password? X".
ANSWER: Final = lazy_pattern(
    rf"[^\n?？.。:：]{{0,48}}[?？]\s{{0,3}}(?:\w{{1,5}},[ \t]|[\w. -]{{1,20}}:[ \t])?"
    rf"{_VALUE}(?=[.,;!)]?[ \t]*(?:\n|$))",
    re.IGNORECASE,
)
#: One that the verb follows, as in Japanese, Korean and Turkish: "パスワードを変えました、Xです".
VERB_BEHIND: Final = lazy_pattern(
    r"[^\n!-~。！？]{0,16}(?:[ \t,、][^\s:：=]{1,16}){0,2}?[ \t、,]{0,2}"
    r"(?P<quote>[\"'`「『“]?)(?P<bare>[!-&(-~]{5,64}?)[\"'`」』”]?[ \t]?"
    r"(?:です|でした|だ|になっ|に変|입니다|이에요|예요|였|로 |을 |를 |oldu|idi(?!\w)|yap|olarak)",
    re.IGNORECASE,
)
#: A password written to a word of a language that has no spaces.
ADJOINED: Final = lazy_pattern(
    r"(?<=[\u2e80-\uffef])[ \t]?(?P<bare>[!-~]{5,64})(?=[\s\u2e80-\uffef]|$)"
)
#: Whatever else stands in the line of such a word.
TOKENS: Final = lazy_pattern(r"(?<![!-~])[\"'`*(\[|<]{0,2}(?P<bare>[!-~]{8,64})")
PAIR: Final = lazy_pattern(
    r"(?:[ \t]\(\w{1,20}\))?(?:[ \t][\w.-]{1,20}){0,5}?[ \t]?"
    r"(?:[:：]|\b(?:is|are|sind|ist|son|es|sont|sono|são|zijn)\b)?[ \t]?[\"'`]?"
    r"(?P<user>(?!h1:)[\w.@+-]{2,40})[\"'`]?"
    r"(?:[ \t]?/[ \t]?|:)[\"'`]?(?P<bare>[!-~]{5,64})",
    re.ASCII | re.IGNORECASE,
)
#: The same with nothing but a slash between two spaces: a user's name, in small letters.
NAME_BEFORE: Final = lazy_pattern(r"(?<![\w/.-])[\"'`]?(?P<user>[a-z][a-z0-9._@+-]{1,39})[\"'`]?$")
VALUE_BEHIND: Final = lazy_pattern(r"[\"'`]?(?P<bare>[!-~]{6,64})")
#: One that a program compares with what it is given.
COMPARED: Final = lazy_pattern(
    r"[\"'`](?P<bare>[!-~]{6,64}?)[\"'`][ \t]?[!=]==?[ \t]?[\w.]{0,30}$", re.IGNORECASE
)
#: The same where nothing but the verb tells: "use X to log in".
USED: Final = lazy_pattern(
    r"(?:use|try|enter)[ \t][\"'`]?(?P<bare>[!-~]{6,64}?)[\"'`]?[ \t]to[ \t]$",
    re.IGNORECASE,
)
#: A user and a password joined by "and", before the word: "m.weber と X でログイン".
JOINED_BEFORE: Final = lazy_pattern(
    r"[\w.@-]{2,40}[\"'`]?[ \t]?(?:と|和|及|跟|与|와|과)[ \t]?[\"'`]?(?P<bare>[!-~]{5,64}?)[\"'`]?"
    r"[ \t]?(?:で|으로|로|来|即可)?[ \t]?$",
    re.ASCII,
)
#: What makes "pass" the short form of a password.
ARTICLE: Final = lazy_pattern(r"\b(?:the|my|our|la|le|il|el|die|das|het|a)[ \t]$", re.IGNORECASE)
#: Who is named before a password on the same line.
USER: Final = lazy_pattern(
    r"(?:user(?:name)?|login|account|benutzer(?:name)?|usuario|usuário|identifiant|utente|gebruiker"
    r"|логин|пользователь|kullanıcı|utilisateur|użytkownik|(?-i:ID|Id))\b[^\n]{0,40}$",
    re.IGNORECASE,
)
#: Data in base64 as far as a word in it.
BASE64: Final = lazy_pattern(r"[a-z0-9+/]{24}$")
