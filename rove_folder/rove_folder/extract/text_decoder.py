"""Decode text of unknown encoding."""

import codecs
import re
from typing import Final

from rove_folder.extract.content import UnreadableContent

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
#: What else is tried: encodings of several bytes, which random bytes rarely fit, then the others.
_EAST_ASIAN: Final = ("shift_jis", "euc_jp", "euc_kr", "gb18030", "big5")
_SINGLE: Final = ("cp1252", "cp1251", "koi8_r", "cp1253", "cp1250", "latin_1")
_UNICODE: Final = ("utf_8", "utf_8_sig", "utf_16", "utf_16_le", "utf_16_be", "utf_32")
#: How much of a file decides.
_SAMPLE: Final = 1 << 16
_CONTROLS: Final = bytes(set(range(32)) - {7, 8, 9, 10, 12, 13, 27})
_LETTERS: Final = re.compile(r"[^\W\d_]")
#: How common signs of each script are in texts of it: the most frequent ones tell most.
_COMMON: Final = {
    "shift_jis": re.compile("[\u3041-\u3093\u30a1-\u30f6\u3001\u3002\u4e00-\u9fa0]"),
    "euc_jp": re.compile("[\u3041-\u3093\u30a1-\u30f6\u3001\u3002\u4e00-\u9fa0]"),
    "euc_kr": re.compile("[\uac00-\ud7a3]"),
    "gb18030": re.compile("[\u4e00-\u9fa5\u3001\u3002\uff0c\uff1b\uff1a\uff01\uff1f]"),
    "big5": re.compile("[\u4e00-\u9fa5\u3001\u3002\uff0c\uff1b\uff1a\uff01\uff1f]"),
    "cp1251": re.compile("[\u0430-\u044f\u0451\u0454\u0456\u0457]"),
    "koi8_r": re.compile("[\u0430-\u044f\u0451]"),
    "cp1253": re.compile("[\u03ac-\u03ce]"),
    "cp1252": re.compile("[\xe0-\xf6\xf8-\xff\xdf\u2018-\u201e\u2026\u20ac\u2013\u2014]"),
    "cp1250": re.compile("[\u0105\u0107\u010d\u0119\u011b\u0142\u0144\u0159\u015b\u0161\u017e]"),
}
#: In which the names of an archive's parts are written, unless it says otherwise.
_OF_ARCHIVES: Final = "cp437"
#: Signs that a wrong guess makes of a right text: kana of half width, lone marks, rare letters.
_UNLIKELY: Final = re.compile(
    "[\uff61-\uff9f\u2500-\u257f\x80-\x9f\xa4\xa6\xa8\xac\xaf\xb1-\xb6\xb8-\xbf\ue000-\uf8ff]"
)
_KANA: Final = re.compile("[\u3041-\u3093\u30a1-\u30f6]")
#: The commonest signs of Chinese, simplified and traditional.
_CHINESE: Final = re.compile(
    "[\u7684\u4e00\u662f\u4e0d\u4e86\u5728\u4eba\u6709\u6211\u4ed6\u8fd9\u9019\u4e2d\u5927\u6765"
    "\u4f86\u4e0a\u56fd\u570b\u4e2a\u500b\u5230\u8bf4\u8aaa\u4eec\u5011\u4e3a\u70ba\u548c\u7528]"
)


def load_codecs() -> None:
    """Load the codecs of every encoding that is tried, while their modules can be opened."""
    # Not by decoding nothing: of an empty text Python looks no codec up.
    for encoding in (*_UNICODE, *_EAST_ASIAN, *_SINGLE, _OF_ARCHIVES):
        codecs.getincrementaldecoder(encoding)().decode(b"", final=True)


def decoded(data: bytes) -> str:
    """Return the text of some bytes.

    Raises:
        UnreadableContent: They are no text.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    if b"\0" in data[:_SAMPLE]:
        return _wide(data)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        if len(data) - error.start < 4 and "unexpected end" in error.reason:
            return data[: error.start].decode()
    sample = data[:_SAMPLE]
    if len(sample) - len(sample.translate(None, _CONTROLS)) > len(sample) // 100:
        raise UnreadableContent("Binary content")
    return data.decode(_likeliest(sample), "replace")


def _wide(data: bytes) -> str:
    """Decode text of two bytes a sign, or refuse: other text has no zero bytes."""
    even, odd = data[:_SAMPLE:2].count(0), data[1:_SAMPLE:2].count(0)
    encoding = "utf-16-be" if even > odd else "utf-16-le"
    half = len(data[:_SAMPLE]) // 2
    if min(even, odd) * 20 > half or max(even, odd) * 5 < half:
        raise UnreadableContent("Binary content")
    try:
        return data[: len(data) // 2 * 2].decode(encoding)
    except UnicodeDecodeError as error:
        raise UnreadableContent("Binary content") from error


def _likeliest(sample: bytes) -> str:
    """Return the encoding that explains most bytes of a sample."""
    best, most = "latin_1", 0.0
    for encoding in (*_EAST_ASIAN, *_SINGLE[:-1]):
        score = _score(sample, encoding)
        if score > most:
            best, most = encoding, score
    return best


def _score(sample: bytes, encoding: str) -> float:
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(sample)
    except UnicodeDecodeError:
        return 0.0
    foreign = [sign for sign in text if sign > "\x7f"]
    if not foreign:
        return 0.0
    signs = "".join(foreign)
    common = len(_COMMON[encoding].findall(signs)) - len(_UNLIKELY.findall(signs))
    score = common / len(foreign)
    if encoding in {"shift_jis", "euc_jp"}:
        score -= 0.0 if _KANA.search(signs) else 0.5
    if encoding in {"gb18030", "big5"}:
        score += 2.0 * len(_CHINESE.findall(signs)) / len(foreign) - 0.3
    if encoding in {"cp1251", "koi8_r", "cp1253"}:
        # In these languages most letters are foreign ones, and most of them are small.
        letters = len(_LETTERS.findall(text))
        score *= min(1.0, 2.0 * len(foreign) / max(letters, 1))
    return score
