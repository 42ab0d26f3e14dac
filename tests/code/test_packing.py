"""What is shown of the code that was found."""

from collections.abc import Mapping

from attrs import frozen

from rove_code.answer import CodeAnswer
from rove_code.answer_text import render
from rove_code.model import (
    Boost,
    CodeQuestion,
    DeclarationSite,
    Extent,
    FileVersion,
    Ranking,
    ScoredChunk,
    SignatureLine,
    Version,
)
from rove_code.packing import pack
from rove_code.parsing import language_of, parse

CONTAINER = '''\
"""Things that hold things."""


class Container:
    """Holds articles."""

    def add(self, article: str) -> None:
        """Put an article in."""
        self.articles.append(article)

    def clear(self) -> None:
        """Take all articles out."""
        self.articles = []
'''

NOTES = "\n".join(f"        self.note({number}, article)" for number in range(40))
STEPS = "\n".join(f"    step_{number}(basket)" for number in range(100))

BASKET = f'''\
"""What is to be bought."""

from shop.container import Container


class Basket(Container):
    """Articles that a person wants."""

    def add(self, article: str) -> None:
        """Put an article in, and say so."""
        super().add(article)
        print("added")
{NOTES}

    # Asked for by the page that shows the basket.
    def total(self) -> int:
        """Return what all of it costs."""
        article = sum(article.price for article in self.articles)
{NOTES}
        return article


def checkout(basket: Basket) -> None:
{STEPS}
    pay(basket)
{STEPS}
'''


@frozen
class Shop:
    """Files, and what is found in them: the chunks with these words, in this order."""

    files: Mapping[str, str]
    words: tuple[str, ...] = ()
    signatures: tuple[str, ...] = ()
    relevant: str = "pay"

    def asked(self, budget: int = 10_000, *boosted: Boost) -> CodeAnswer:
        """Return what is answered."""
        question = CodeQuestion("How does one pay?", budget, boosted=boosted)
        texts = list(self.files.values())
        packed = pack(self.ranking(), question, lambda _, file: texts[file])
        return render(packed, self.ranking(), question)

    def ranking(self) -> Ranking:
        """Return what was found."""
        files = tuple(FileVersion(path, path, len(text)) for path, text in self.files.items())
        parsed = [parse(text, language_of(path)) for path, text in self.files.items()]
        return Ranking(
            (Version("/shop", "workspace", "", files),),
            tuple(
                ScoredChunk(0, file, number, 1.0, f"says {word}")
                for word in self.words
                for file, text in enumerate(self.files.values())
                for number, chunk in enumerate(parsed[file].chunks)
                if word in text[chunk.place.start : chunk.place.end]
            ),
            tuple(
                SignatureLine(DeclarationSite(0, file, number), 1.0, f"is {name}")
                for name in self.signatures
                for file, each in enumerate(parsed)
                for number, declaration in enumerate(each.declarations)
                if declaration.name == name
            ),
            lambda _, file: parsed[file],
            lambda name: [
                DeclarationSite(0, file, number)
                for file, each in enumerate(parsed)
                for number, declaration in enumerate(each.declarations)
                if declaration.name == name
            ],
            lambda lines: [float(self.relevant in line) for line in lines],
            lambda text, _: float(self.relevant in text),
        )


def content(answer: CodeAnswer) -> str:
    """Return what stands between the content's tags."""
    return answer.rag_text.partition("<codeRag:content>\n")[2].partition("</codeRag:content>")[0]


def test_a_member_comes_with_its_doc_comment_and_below_its_class() -> None:
    """The class's signature stands before its member, and the comment on it too."""
    answer = Shop({"shop/basket.py": BASKET}, ("def total",)).asked()

    assert content(answer).startswith(
        "class Basket(Container):\n"
        "    # . . .\n"
        "    # Asked for by the page that shows the basket.\n"
        "    def total(self) -> int:\n"
        '        """Return what all of it costs."""\n'
    )


def test_a_class_is_named_once_above_its_members() -> None:
    """Two members of a class share the signature that stands above them."""
    answer = Shop({"shop/basket.py": BASKET}, ("def total", "def add")).asked()

    assert content(answer).count("class Basket(Container):") == 1
    assert content(answer).index("def add") < content(answer).index("def total")


def test_the_file_with_the_best_chunk_comes_first() -> None:
    """Files come in the order of what was found in them."""
    files = {"shop/basket.py": BASKET, "shop/container.py": CONTAINER}
    answer = Shop(files, ("def clear", "def total")).asked()

    assert answer.rag_text.index("shop/container.py:") < answer.rag_text.index("shop/basket.py:")


def test_of_a_long_function_what_matters_is_shown() -> None:
    """A function that there is no room for is cut to its signature and what the question is about.

    It ends where lines are left out, too.
    """
    answer = Shop({"shop/basket.py": BASKET}, ("def total",), relevant="(20,").asked(1000)

    assert "    def total(self) -> int:\n" in content(answer)
    assert "        self.note(20, article)\n" in content(answer)
    assert "        self.note(39, article)\n" not in content(answer)
    assert content(answer).endswith("        # . . .\n")
    assert [each.extent for each in answer.metadata.chunks if each.reason == "says def total"] == [
        Extent.PARTIAL
    ]


def test_further_files_are_shown_by_a_signature_each() -> None:
    """A file that nothing whole is shown of has a line with its path, if it is worth one."""
    files = {"shop/basket.py": BASKET, "shop/container.py": CONTAINER}
    answer = Shop(files, ("def total",), ("total", "clear")).asked()
    further = [each for each in answer.metadata.chunks if each.path == "shop/container.py"]

    assert "shop/container.py:11\n    def clear(self) -> None:\n" in answer.rag_text
    assert "shop/basket.py:" in answer.rag_text.partition("shop/container.py:11\n")[0]
    assert [each.extent for each in further] == [Extent.SIGNATURE]
    assert [each.reason for each in further] == ["is clear"]


def test_what_a_type_is_built_on_is_said() -> None:
    """A class that is shown comes with where its base is, and what it has from there."""
    files = {"shop/basket.py": BASKET, "shop/container.py": CONTAINER}
    answer = Shop(
        files, ('def add(self, article: str) -> None:\n        """Put an article in,',)
    ).asked()

    assert (
        "Basket extends Container (shop/container.py:4); overrides add; "
        "inherited from Container: clear</codeRag:metadata>" in answer.rag_text
    )


def test_a_type_is_said_to_be_built_on_another_wherever_there_is_room() -> None:
    """Each of several types comes with its base, as long as the budget has room left."""
    files = {
        "shop/container.py": CONTAINER,
        **{f"shop/bag{at}.py": f"class Bag{at}(Container):\n    size = {at}\n" for at in range(9)},
    }
    answer = Shop(files, ("(Container):",)).asked(6_000)

    for at in range(9):
        assert f"Bag{at} extends Container (shop/container.py:4)" in answer.rag_text


def test_one_file_leaves_room_for_others() -> None:
    """Until three files are shown, one takes no more than about three fifths of the budget."""
    long = "".join(f"def total{at}():\n{STEPS[:1000]}\n\n\n" for at in range(20))
    files = {"long.py": long, "b.py": "def total_b():\n    pass\n", "c.py": "def total_c(): pass\n"}
    answer = Shop(files, ("def total",)).asked(10_000)

    assert {each.path for each in answer.metadata.chunks if each.spans} == set(files)


def test_a_small_budget_shows_the_best_lines() -> None:
    """Of small neighbours the one that the question is about comes first."""
    text = "VAT = 19\n\nLIMIT = 100\n\n\ndef total():\n    return pay(VAT)\n" + "\n" * 3
    answer = Shop({"basket.py": text * 3}, ("def total",)).asked(260)

    assert "def total():" in content(answer)


def test_of_a_chunk_with_several_declarations_the_relevant_one_is_shown() -> None:
    """Neighbours that share a chunk are left out when something better needs the room."""
    names = ("total", "tax", "weight", "shipping")
    small = "".join(f"def {name}(basket):\n{STEPS[:200]}\n\n\n" for name in names)
    files = {
        "small.py": small.replace("tax(basket):\n", "tax(basket):\n    pay(basket)\n"),
        "other.py": f"def other(basket):\n    pay(basket)\n{STEPS[:600]}\n",
    }
    answer = Shop(files, ("def tax", "def other")).asked(1_600)

    assert "def tax(basket):" in answer.rag_text
    assert "def other(basket):" in answer.rag_text
    assert "def weight(basket):" not in answer.rag_text


def test_a_large_budget_shows_chunks_whole() -> None:
    """Where there is room, the neighbours of what is asked for are shown as well."""
    small = "def tax(basket):\n    pay(basket)\n\n\ndef weight(basket):\n    pass\n"
    shop = Shop({"small.py": f"{small}\n\ndef length(basket):\n    pass\n"}, ("def tax",))
    shown = [each for each in shop.asked(10_000).metadata.chunks if each.spans]

    assert [(at.start_line, at.end_line) for each in shown for at in each.spans] == [(1, 10)]


def test_a_large_answer_reads_no_file_that_it_has_no_room_for() -> None:
    """A file is read when its turn comes, not before."""
    shop = Shop({f"{at:02}.py": f"def total():\n{STEPS}" for at in range(60)}, ("def total",))
    read: list[int] = []

    def text(_: int, file: int) -> str:
        read.append(file)
        return list(shop.files.values())[file]

    pack(shop.ranking(), CodeQuestion("How does one pay?", 10_000), text)

    assert 59 not in read


def test_a_small_answer_reads_no_file_that_it_has_no_room_for() -> None:
    """Only the best chunks are split and compared with each other."""
    shop = Shop({f"{at:02}.py": f"def total():\n{STEPS}" for at in range(60)}, ("def total",))
    read: list[int] = []

    def text(_: int, file: int) -> str:
        read.append(file)
        return list(shop.files.values())[file]

    pack(shop.ranking(), CodeQuestion("How does one pay?", 4_000), text)

    assert 59 not in read


def test_a_small_answer_goes_on_with_further_chunks_while_there_is_room() -> None:
    """Many short declarations fit into a small answer."""
    shop = Shop({f"{at:02}.py": "def total(): pay()\n" for at in range(30)}, ("def total",))

    assert shop.asked(6_500).rag_text.count("def total") > 20


def test_a_path_cannot_look_like_a_caption() -> None:
    """A path that could be read as a path with its lines is written as JSON."""
    files = {"a:1-2 @0-3 wombat.py": "def total():\n    pass\n"}
    answer = Shop(files, ("def total",)).asked()

    assert '<codeRag:metadata>"a:1-2 @0-3 wombat.py":1-2 @0-' in answer.rag_text


def test_a_boosted_file_comes_first_and_whole() -> None:
    """What is asked for by name is shown, whatever was found."""
    files = {"shop/basket.py": BASKET, "shop/container.py": CONTAINER}
    answer = Shop(files, ("def total",)).asked(10_000, Boost("shop/container.py"))

    assert content(answer) == CONTAINER
    assert "asked for by name" in {each.reason for each in answer.metadata.chunks}


def test_a_boosted_declaration_may_come_without_its_body() -> None:
    """Of a class without its implementation its signatures and comments are shown."""
    boost = Boost("shop/container.py", "Container", whole=False)
    answer = Shop({"shop/container.py": CONTAINER}).asked(10_000, boost)

    assert "def clear(self) -> None:" in content(answer)
    assert "Take all articles out." in content(answer)
    assert "self.articles = []" not in content(answer)


def test_a_boosted_declaration_is_found_by_the_end_of_its_path() -> None:
    """A member's own name is enough."""
    boost = Boost("shop/basket.py", "total")
    answer = Shop({"shop/basket.py": BASKET}).asked(10_000, boost)

    assert "def total(self)" in content(answer)
    assert "def checkout" not in content(answer)


def test_a_boost_that_is_nowhere_is_named() -> None:
    """A path or a declaration that is not there is said to be unknown."""
    boosts = (Boost("shop/none.py"), Boost("shop/basket.py", "none"))
    answer = Shop({"shop/basket.py": BASKET}).asked(10_000, *boosts)

    assert answer.metadata.boosts_unknown == boosts
    assert not answer.rag_text


def test_of_boosts_that_do_not_fit_the_first_lines_are_shown() -> None:
    """Boosts are shown in their order as far as there is room, and the answer says so."""
    boosts = (Boost("shop/basket.py"), Boost("shop/container.py"))
    files = {"shop/basket.py": BASKET, "shop/container.py": CONTAINER}
    answer = Shop(files).asked(2000, *boosts)

    assert answer.metadata.boosts_cut == boosts
    assert content(answer).startswith('"""What is to be bought."""\n')
    assert 1900 < answer.metadata.used <= 2000


def test_a_file_that_cannot_be_read_is_left_out() -> None:
    """What vanished since it was found is not shown, and nothing else suffers."""
    shop = Shop({"shop/basket.py": BASKET, "shop/container.py": CONTAINER}, ("def",))
    texts = {0: None, 1: CONTAINER}
    packed = pack(shop.ranking(), CodeQuestion("", 10_000), lambda _, file: texts[file])

    assert [each.path for each in packed.excerpts] == ["shop/container.py"]


def test_what_there_was_no_room_for_is_listed() -> None:
    """A chunk that was found and not shown is in the metadata, with its place and its reason."""
    total = Boost("shop/basket.py", "total")
    taken = Shop({"shop/basket.py": BASKET}).asked(10_000, total).metadata.used
    answer = Shop({"shop/basket.py": BASKET}, ("def add",)).asked(taken + 270, total)
    left_out = [each for each in answer.metadata.chunks if each.extent is Extent.ELIDED]

    assert [each.reason for each in left_out] == ["says def add"]
    assert [each.spans for each in left_out] == [()]
