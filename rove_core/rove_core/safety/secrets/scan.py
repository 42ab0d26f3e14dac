"""The scanner: look for cheap signs first, and match patterns only there."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from typing import Final

from attrs import frozen

from rove_core.safety.lazy_pattern import lazy_pattern
from rove_core.safety.secrets.manifests import manifest_secrets
from rove_core.safety.secrets.marked_secrets import WORDED
from rove_core.safety.secrets.named_secrets import NamedSecrets
from rove_core.safety.secrets.prefixed_tokens import prefixed_token
from rove_core.safety.secrets.rules import RULES
from rove_core.safety.secrets.secret_rule import SecretRule
from rove_core.safety.secrets.sign_finder import SignFinder
from rove_core.safety.secrets.spoken_passwords import SpokenPasswords
from rove_core.safety.secrets.views import LEAST_ENCODED, encoded, unbroken, views

#: How far before a sign a secret may begin that has it inside, and how far one may go on.
_BEFORE: Final = 100
_NEAR: Final = 600
#: No token with a prefix is shorter.
_SHORTEST_TOKEN: Final = 24
#: What is longer is no word.
_LONGEST_WORD: Final = 80
#: How many words are searched for each sign before the pattern of all signs is compiled.
_FEW_WORDS: Final = 100
#: Where a word begins: a secret of other words is none.
_START: Final = "(?<![A-Za-z0-9])"
#: What is long enough to be a secret with a form of its own.
_RUN: Final = lazy_pattern(r"[\w+/=.~$:%-]{12,}", re.ASCII)
#: The rest of a secret that was broken at the end of a line, with nothing else beside it.
_REST: Final = lazy_pattern(
    r"[\"']?\s*[+.\\]?\s*(?:\r?\n|\\n)[\s>|*#\"'+.]*([\w+/.~-]{6,}={0,2})"
    r"[\"',;]{0,2}[ \t]*(?=\r?\n|\\n|$)",
    re.ASCII,
)
#: The name of a number in a public key in JSON.
_PUBLIC_NUMBER: Final = lazy_pattern(r"\"[xyn]\"\s?:\s?\"$")
_DIGIT: Final = lazy_pattern("[0-9]")
_MIXED: Final = lazy_pattern("[A-Za-z].*[0-9]|[0-9].*[A-Za-z]")


@frozen
class SecretFound:
    """A secret in a text.

    Attributes:
        kind: What it is (``github_pat``).
        start: Where it begins.
        end: Where it ends.
    """

    kind: str
    start: int
    end: int


def search(text: str) -> Sequence[SecretFound]:
    """Return the secrets of a text in their order, none of them within another."""
    # The scanner takes its time to make, and most commands note an empty branch or summary.
    return _scanner().search(text) if text else ()


class Scanner:
    """Finds the secrets that some rules describe.

    Args:
        formed: Rules for secrets with a form of their own.
        worded: Rules for secrets that the words around them betray.
        named: Rules for values that are given to a name.
        spoken: Words of people for a password.
    """

    def __init__(
        self,
        formed: Sequence[SecretRule] = RULES,
        worded: Sequence[SecretRule] = WORDED,
        named: NamedSecrets | None = None,
        spoken: SpokenPasswords | None = None,
    ) -> None:
        self._formed = _by_sign(formed, 0, shortest=True)
        self._worded = _by_sign(worded, re.IGNORECASE, shortest=False)
        self._named = named or NamedSecrets()
        self._spoken = spoken or SpokenPasswords()
        self._word_signs = SignFinder(
            {*self._worded, *self._named.signs, *self._spoken.signs},
        )
        self._loose = {sign for rule in formed if rule.inside for sign in rule.signs}
        self._loose |= {sign for sign in self._formed if not sign[0].isalpha()}
        self._compared = 0
        # Words come again and again, and hardly any of them has a sign.
        self._signs_of_word = lru_cache(maxsize=16_384)(self._signs_in_word)
        self._token_of_word = lru_cache(maxsize=16_384)(prefixed_token)

    def search(self, text: str) -> Sequence[SecretFound]:
        """Return the secrets of a text in their order, none of them within another."""
        return _join_overlapping(self._everywhere(text))

    def _everywhere(self, text: str) -> Iterator[SecretFound]:
        runs = [run.span() for run in _RUN.finditer(text)]
        yield from self._scan_visible(text, runs)
        for view in views(text):
            for found in self._scan_plain(view.text):
                yield SecretFound(found.kind, *view.span(found.start, found.end))
        if any(end - start >= LEAST_ENCODED for start, end in runs):
            for plain, start, end in encoded(text):
                for found in self._scan_plain(plain):
                    yield SecretFound(found.kind, start, end)

    def _scan_plain(self, text: str) -> Iterator[SecretFound]:
        return self._scan_visible(text, [run.span() for run in _RUN.finditer(text)])

    def _scan_visible(self, text: str, runs: Iterable[tuple[int, int]]) -> Iterator[SecretFound]:
        """Yield the secrets that a text shows as they are."""
        yield from self._with_form(text, runs)
        lower = _lower(text)
        signs = self._word_signs.signs_in(lower)
        # In the order of the rules: where two find the same, the first gives it its kind.
        for sign, rules in self._worded.items():
            for place in _places(lower, sign) if sign in signs else ():
                yield from _match_rules(text, place, rules)
        yield from (SecretFound(*found) for found in self._named.search(text, lower, signs))
        yield from (SecretFound(*found) for found in self._spoken.search(text, lower, signs))
        yield from (SecretFound("secret", *span) for span in manifest_secrets(text))

    def _with_form(self, text: str, runs: Iterable[tuple[int, int]]) -> Iterator[SecretFound]:
        """Yield the secrets with a form of their own, whole or broken at the end of a line."""
        joined = 0
        for start, end in runs:
            run = text[start:end]
            short = end - start <= _LONGEST_WORD
            signed = self._signs_of_word(run) if short else self._signs_of(run)
            if signed:
                yield from self._scan_from_signs(text, start, signed)
            if end - start >= _SHORTEST_TOKEN and (token := self._token_of_word(run)):
                if _PUBLIC_NUMBER.search(text, max(0, start - 8), start):
                    continue
                yield SecretFound("token", start + token[0], start + token[1])
            if start < joined or not (signed or _DIGIT.search(run)):
                continue
            if view := unbroken(text, start, end, _NEAR):
                joined = start + _NEAR // 2
                for found in self._scan_from_signs(view.text, 0, self._signs_of(view.text)):
                    yield SecretFound(found.kind, *view.span(found.start, found.end))

    @cached_property
    def _signs(self) -> re.Pattern[str]:
        """The pattern of all signs; those of words stand at the start of one."""
        bound, loose = self._formed.keys() - self._loose, self._formed.keys() & self._loose
        return re.compile(f"{_START}{_trie(bound)}|{_trie(loose)}")

    def _signs_in_word(self, word: str) -> Sequence[tuple[int, str]]:
        """Return the signs in a word; the first few words are compared with each sign in turn.

        The pattern of all signs takes longer to compile than a quick command may take.
        """
        if self._compared < _FEW_WORDS:
            self._compared += 1
            if not any(sign in word for sign in self._formed):
                return ()
        return self._signs_of(word)

    def _signs_of(self, run: str) -> Sequence[tuple[int, str]]:
        return [(sign.start(), sign[0]) for sign in self._signs.finditer(run)]

    def _scan_from_signs(
        self, text: str, start: int, signs: Iterable[tuple[int, str]]
    ) -> Iterator[SecretFound]:
        for at, sign in signs:
            yield from _match_rules(text, start + at, self._formed[sign])


def _places(text: str, word: str) -> Iterator[int]:
    place = text.find(word)
    while place >= 0:
        yield place
        place = text.find(word, place + 1)


class _RuleInUse:
    """A rule with its patterns."""

    def __init__(self, rule: SecretRule, flags: int) -> None:
        self.rule = rule
        self._flags = flags

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The compiled pattern, made when a text first has one of the rule's signs.

        To compile the patterns of all rules takes longer than a quick command may take.
        """
        is_word = self.rule.inside or self.rule.signs[0][0].isalpha()
        pattern = f"{_START if is_word else ''}(?:{self.rule.pattern})(?![A-Za-z0-9])"
        return re.compile(pattern, self._flags | re.ASCII)

    def is_disproved(self, text: str, start: int) -> bool:
        """Return whether the word before a secret proves that it is none."""
        return bool(self.rule.unless) and bool(
            self._unless.search(text, max(0, start - _NEAR), start)
        )

    @cached_property
    def _unless(self) -> re.Pattern[str]:
        return re.compile(rf"(?:{self.rule.unless})\S*\Z", self._flags | re.ASCII)


def _match_rules(text: str, sign: int, rules: Iterable[_RuleInUse]) -> Iterator[SecretFound]:
    for each in rules:
        if found := _match(text, sign, each):
            yield found


def _match(text: str, sign: int, each: _RuleInUse) -> SecretFound | None:
    if not each.rule.inside:
        found = each.pattern.match(text, sign)
    else:
        found = each.pattern.search(text, max(0, sign - _BEFORE), sign + _NEAR)
    if not found or not found.start() <= sign < found.end():
        return None
    group = found.re.groups and 1
    if not each.rule.check(found[group]) or each.is_disproved(text, found.start(group)):
        return None
    return SecretFound(each.rule.kind, found.start(group), _end(text, found.end(group), each.rule))


def _end(text: str, end: int, rule: SecretRule) -> int:
    """Return the end of a secret that continues on further lines."""
    while ",}" in rule.pattern and (rest := _REST.match(text, end)):
        if not _MIXED.search(rest[1]):
            break
        end = rest.end(1)
    return end


def _join_overlapping(found: Iterable[SecretFound]) -> Sequence[SecretFound]:
    """Return the findings in order, with overlapping ones joined."""
    apart: list[SecretFound] = []
    for each in sorted(found, key=lambda each: (each.start, -each.end)):
        if apart and each.start < apart[-1].end:
            last = apart.pop()
            each = SecretFound(last.kind, last.start, max(last.end, each.end))  # noqa: PLW2901  # joined
        apart.append(each)
    return apart


def _lower(text: str) -> str:
    """Return the text in lower case with unchanged positions."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(c.lower()[0] for c in text)


@cache
def _scanner() -> Scanner:
    return Scanner()


def _by_sign(
    rules: Sequence[SecretRule], flags: int, *, shortest: bool
) -> Mapping[str, Sequence[_RuleInUse]]:
    """Return the rules by their signs.

    Args:
        rules: The rules.
        flags: How their patterns are compiled.
        shortest: Whether of signs that begin alike only the shorter one is searched for.
    """
    signs = {sign for rule in rules for sign in rule.signs}
    by_sign: dict[str, list[_RuleInUse]] = {}
    for rule in rules:
        in_use = _RuleInUse(rule, flags)
        own = {_shortest_start(each, signs) for each in rule.signs} if shortest else rule.signs
        for sign in own:
            by_sign.setdefault(sign, []).append(in_use)
    return by_sign


def _shortest_start(word: str, signs: Collection[str]) -> str:
    """Return the shortest sign that a word begins with; at least the word itself is one."""
    starts = (word[:length] for length in range(1, len(word) + 1))
    return next(start for start in starts if start in signs)


def _trie(words: Iterable[str]) -> str:
    """Return a pattern of words that reads each of their common beginnings only once."""
    after: dict[str, list[str]] = {}
    for word in words:
        after.setdefault(word[:1], []).append(word[1:])
    if "" in after:
        return ""
    return f"(?:{'|'.join(re.escape(c) + _trie(rest) for c, rest in sorted(after.items()))})"
