"""Exact answers about names, in each language that they can be followed in."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import pytest
from tests.code.asking import called
from tests.code.developer import Developer

from rove_code.exact_operations import print_exact
from rove_core.errors import NoCodeFound, WrongCall

if TYPE_CHECKING:
    from rove_code.exact.results import ExactAnswer

PYTHON = {
    "shop/__init__.py": "from shop.basket import Basket\n",
    "shop/basket.py": (
        "class Container:\n    def add(self, one):\n        pass\n\n\n"
        "class Basket(Container):\n    def add(self, one):\n        super().add(one)\n\n"
        "    def total(self):\n        return self.rate() * tax(1)\n\n"
        "    def rate(self) -> 'Rate':\n        return Rate()\n\n\n"
        "class Rate:\n    def of(self):\n        pass\n\n\n"
        "def tax(of):\n    return of\n\n\ndef make():\n    return Basket()\n"
    ),
    "shop/till.py": (
        "import shop.basket as goods\nfrom shop import Basket as Bag\n"
        "from shop.basket import *\n\n\n"
        "def pay(basket: Bag):\n    basket.total()\n    basket.rate().of()\n\n\n"
        "def give():\n    bag = Bag()\n    return bag.total()\n\n\n"
        "def more(thing):\n    make().total()\n    return thing.total(), goods.tax(2), tax(3)\n"
    ),
    "shop/other.py": "class Bill:\n    def total(self):\n        return 1\n\n\nBill().total()\n",
    "tests/test_till.py": "from shop.till import pay\n\n\ndef test_pay():\n    pay(None)\n",
}
TYPESCRIPT = {
    "src/basket.ts": (
        "export interface Priced { total(): number }\n"
        "export class Basket implements Priced { total() { return tax(1) } }\n"
        "export function tax(n: number) { return n }\n"
    ),
    "src/index.ts": "export { Basket as Bag } from './basket'\nexport * from './basket'\n",
    "src/till.ts": (
        "import { Bag, tax } from './index'\nimport * as goods from './basket.js'\n"
        "export function pay(b: Bag) { return b.total() + tax(2) + goods.tax(3) }\n"
        "const x = new Bag()\nx.total()\n"
    ),
}
SCRIPT = {
    "src/reply.js": "function Reply () {}\nmodule.exports = Reply\n",
    "src/server.js": "const Answer = require('./reply')\nfunction serve () { return Answer() }\n",
    "src/names.js": "function _enum () {}\nexport { _enum as enum }\n",
    "src/all.js": "export { enum as choice } from './names'\n",
    "src/user.js": (
        "import * as n from './names'\nimport { choice } from './all'\nn.enum()\nchoice()\n"
    ),
    "src/api.js": (
        "const api = { load () { return load() } }\nfunction load () {}\n"
        "const { load: other } = api\napi.load()\n"
    ),
}
MORE_TYPES = {
    "src/a.ts": (
        "export type Base = { max(): this }\nexport interface Text extends Base { cut(): this }\n"
        "export type Both = Text & { end(): void }\n"
        "export function many(t: Text, list: Both[]) {\n"
        "  t.max().cut()\n  for (const one of list) one.end()\n  list[0].cut()\n}\n"
    ),
}
INFERRED_TYPES = {
    "src/a.ts": (
        "export class Text { cut(): void {} }\n"
        "export const make = { text: (() => new Text()) as () => Text }\n"
        "const give = () => new Text()\n"
        "class Box<T extends Text> { held: T\n  use() { this.held.cut() }\n}\n"
        "function both<T extends Text>(one: T) { one.cut() }\n"
        "const methods = { own(this: Text) { this.cut() } }\n"
        "make.text().cut()\ngive().cut()\n"
    ),
    "src/b.ts": "export class Other { cut(): void {} }\nnew Other().cut()\n",
}
MORE_GO = {
    "go.mod": "module example.com/m\n",
    "m.go": (
        "package m\n\ntype Item struct{}\n\ntype Items []*Item\n\nfunc (i *Item) Run() {}\n\n"
        "type Other struct{}\n\nfunc (o Other) Run() {}\n\n"
        "func find() (int, *Item) { return 0, nil }\n\nfunc typed[T any](t T) T { return t }\n\n"
        "func use(all Items, some []Item) {\n"
        "\tfor _, one := range all {\n\t\tone.Run()\n\t}\n"
        "\tsome[1].Run()\n\t_, found := find()\n\tfound.Run()\n\ttyped[int](1)\n}\n\n"
        "func made(thing any) {\n\tfresh := new(Item)\n\tfresh.Run()\n"
        "\tnew(Other).Run()\n\tthing.(*Item).Run()\n}\n"
    ),
}
MORE_PYTHON = {
    "shop/__init__.py": "from shop.core import make as build\n",
    "shop/core.py": (
        "class Base:\n    def run(self):\n        pass\n\n\nclass Child(Base):\n    pass\n\n\n"
        "class Other:\n    def run(self):\n        pass\n\n\n"
        "def make() -> tuple[int, Child]:\n    return 1, Child()\n\n\n"
        "def use(many: list[Child], run=1):\n    for one in many:\n        one.run()\n"
        "    count, child = make()\n    child.run()\n    use(many, run=2)\n"
    ),
    "app.py": "from shop import build\n\nbuild()\n",
}
FOLLOWED = {
    "Reply": {("src/server.js:2", "import")},
    "_enum": {("src/user.js:3", "import"), ("src/user.js:4", "import")},
    "src/api.js#load": {("src/api.js:1", "import"), ("src/api.js:4", "import")},
    "Base.max": {("src/a.ts:5", "type")},
    "Text.cut": {("src/a.ts:5", "type"), ("src/a.ts:7", "type")},
    "Both.end": {("src/a.ts:6", "type")},
    "Item.Run": {(f"m.go:{line}", "type") for line in (19, 21, 23, 29, 31)},
    "Other.Run": {("m.go:30", "type")},
    "typed": {("m.go:24", "import")},
    "Child.run": {("shop/core.py:21", "type"), ("shop/core.py:23", "type")},
    "make": {("shop/core.py:22", "import"), ("app.py:3", "import")},
}
GO = {
    "go.mod": "module example.com/shop\n",
    "goods/basket.go": (
        "package goods\n\ntype Basket struct{}\n\n"
        "func (b *Basket) Total() int { return tax(1) }\n\n"
        "func New() *Basket { return &Basket{} }\n"
    ),
    "goods/tax.go": (
        "package goods\n\nfunc tax(n int) int { return n }\n\n"
        "type Priced interface { Total() int }\n"
    ),
    "till/till.go": (
        'package till\n\nimport "example.com/shop/goods"\n\n'
        "func Pay(b *goods.Basket) int { return b.Total() }\n\n"
        "func Give() int { b := goods.New(); return b.Total() }\n"
    ),
}
JAVA = {
    "src/shop/Basket.java": (
        "package shop;\npublic class Basket extends Container {\n"
        "  int total() { return Tax.of(1) + rate(); }\n  int rate() { return 1; }\n}\n"
    ),
    "src/shop/Container.java": "package shop;\nclass Container { }\n",
    "src/shop/Tax.java": "package shop;\nclass Tax { static int of(int n) { return n; } }\n",
    "src/till/Till.java": (
        "package till;\nimport shop.Basket;\nclass Till {\n"
        "  private final Basket held = new Basket();\n"
        "  int pay(Basket b) { return b.total() + held.total() + new Basket().total(); }\n}\n"
    ),
}
RUST = {
    "Cargo.toml": '[package]\nname = "shop"\n',
    "src/lib.rs": "mod basket;\nmod till;\n",
    "src/basket.rs": (
        "pub struct Basket {}\npub trait Priced { fn total(&self) -> i32; }\n"
        "impl Basket { pub fn new() -> Self { Basket {} } }\n"
        "impl Priced for Basket { fn total(&self) -> i32 { tax(1) } }\n"
        "pub fn tax(n: i32) -> i32 { n }\n"
    ),
    "src/till.rs": (
        "use crate::basket::{Basket, tax};\nuse crate::basket;\n"
        "fn pay(b: &Basket) -> i32 { b.total() + tax(2) + basket::tax(3) }\n"
        "fn give() -> i32 { let b = Basket::new(); b.total() }\n"
    ),
}


@pytest.fixture
def ask(ann: Developer, monkeypatch: pytest.MonkeyPatch) -> "Asker":
    """Return what asks about names in files."""
    monkeypatch.chdir(ann.folder)
    return Asker(ann)


class Asker:
    """Asks about names."""

    def __init__(self, ann: Developer) -> None:
        self._ann = ann

    def __call__(self, files: Mapping[str, str], asked: str, name: str) -> set[tuple[str, str]]:
        """Return the places that answer, with the line's number, and how sure each is."""
        for path, text in files.items():
            self._ann.write(path, text)
        answer: ExactAnswer = called(f"code_{asked}", name=name)
        return {(f"{each.path}:{each.line}", each.sure) for each in answer.places}


@pytest.mark.parametrize(
    ("files", "name", "places"),
    [
        (
            PYTHON,
            "tax",
            {
                ("shop/basket.py:11", "import"),
                ("shop/till.py:18", "import"),
            },
        ),
        (
            PYTHON,
            "Basket.total",
            {("shop/till.py:7", "type"), ("shop/till.py:13", "type"), ("shop/till.py:17", "type")},
        ),
        (PYTHON, "Rate.of", {("shop/till.py:8", "type")}),
        (PYTHON, "Container.add", {("shop/basket.py:8", "type")}),
        (PYTHON, "Bill.total", {("shop/other.py:6", "type")}),
        (TYPESCRIPT, "tax", {("src/basket.ts:2", "import"), ("src/till.ts:3", "import")}),
        (TYPESCRIPT, "Basket.total", {("src/till.ts:3", "type"), ("src/till.ts:5", "type")}),
        (GO, "tax", {("goods/basket.go:5", "import")}),
        (GO, "Basket.Total", {("till/till.go:5", "type"), ("till/till.go:7", "type")}),
        (GO, "New", {("till/till.go:7", "import")}),
        (JAVA, "Tax.of", {("src/shop/Basket.java:3", "import")}),
        (JAVA, "Basket.rate", {("src/shop/Basket.java:3", "import")}),
        (JAVA, "Basket.total", {("src/till/Till.java:5", "type")}),
        (RUST, "tax", {("src/basket.rs:4", "import"), ("src/till.rs:3", "import")}),
        (RUST, "Basket.new", {("src/till.rs:4", "import")}),
        (RUST, "Basket.total", {("src/till.rs:3", "type"), ("src/till.rs:4", "type")}),
    ],
)
def test_callers_are_found_through_imports_and_types(
    ask: "Asker", files: Mapping[str, str], name: str, places: set[tuple[str, str]]
) -> None:
    """Each call is found, and none of another thing of the same name."""
    assert ask(files, "callers", name) == places


def test_names_are_followed_through_lists_results_and_other_names(ask: "Asker") -> None:
    """Elements, second results, what is made, aliases and defaults lead to what is declared."""
    files = {**SCRIPT, **MORE_TYPES, **MORE_GO, **MORE_PYTHON}
    assert {name: ask(files, "callers", name) for name in FOLLOWED} == FOLLOWED


def test_types_are_inferred(ask: "Asker") -> None:
    """What arrows give, what type parameters have to be, and a typed ``this`` tell a type."""
    found = ask(INFERRED_TYPES, "callers", "Text.cut")

    assert {at for at, _ in found} == {f"src/a.ts:{line}" for line in (5, 7, 8, 9, 10)}


@pytest.mark.parametrize(
    ("files", "name", "places"),
    [
        (PYTHON, "Container", {"shop/basket.py:6"}),
        (PYTHON, "Container.add", {"shop/basket.py:7"}),
        (TYPESCRIPT, "Priced", {"src/basket.ts:2"}),
        (GO, "Priced", {"goods/basket.go:3"}),
        (JAVA, "Container", {"src/shop/Basket.java:2"}),
    ],
)
def test_implementers_are_found(
    ask: "Asker", files: Mapping[str, str], name: str, places: set[str]
) -> None:
    """Of a type those that are built on it, of a method those that override it."""
    assert {at for at, _ in ask(files, "implementers", name)} == places


def test_a_protocol_is_implemented_by_what_has_its_methods(ask: "Asker") -> None:
    """A class need not name the protocol that it fits."""
    files = {
        "a.py": "from typing import Protocol\n\n\n"
        "class Priced(Protocol):\n    def total(self): ...\n",
        "b.py": "class Basket:\n    def total(self):\n        return 1\n",
    }

    assert {at for at, _ in ask(files, "implementers", "Priced")} == {"b.py:1"}


def test_callees_are_the_declarations_that_are_called(ask: "Asker") -> None:
    """What a declaration calls elsewhere is not of this repository."""
    assert ask(PYTHON, "callees", "Basket.total") == {
        ("shop/basket.py:13", "type"),
        ("shop/basket.py:22", "import"),
    }


def test_tests_are_found_through_what_calls_a_declaration(ask: "Asker") -> None:
    """A test that calls the caller of a declaration tests that, too."""
    assert ask(PYTHON, "tests", "Basket.total") == {("tests/test_till.py:5", "import")}


def test_what_a_change_reaches(ask: "Asker") -> None:
    """An impact has callers, and theirs."""
    assert {("shop/till.py:7", "type"), ("tests/test_till.py:5", "import")} <= ask(
        PYTHON, "impact", "Basket.total"
    )


@pytest.mark.usefixtures("ask")
def test_edits_are_asked_about_at_once(ann: Developer) -> None:
    """``--diff`` asks about what was edited since the last commit, and nothing else."""
    for path, text in PYTHON.items():
        ann.write(path, text)
    ann.commit("Begin")
    ann.write("shop/basket.py", PYTHON["shop/basket.py"].replace("return of", "return of + 1"))

    answer: ExactAnswer = called("code_impact", diff=True)

    assert [each.name for each in answer.symbols] == ["tax"]
    assert ("shop/till.py", 18) in {(each.path, each.line) for each in answer.places}


def test_places_of_the_same_name_alone_are_counted(ask: "Asker") -> None:
    """A call on an object of unknown type is counted, and listed when it is asked for."""
    ask(PYTHON, "callers", "Basket.total")
    answer: ExactAnswer = called("code_callers", name="Basket.total")
    unsure: ExactAnswer = called("code_callers", name="Basket.total", unsure=True)

    assert answer.unsure == 1
    assert [each.sure for each in unsure.places].count("name") == 1


def test_a_constructor_is_called_by_its_class(ask: "Asker") -> None:
    """A call of the class's name counts for its constructor, sure or not."""
    files = {
        "a.py": "class Basket:\n    def __init__(self):\n        pass\n\n\nBasket()\n",
        "b.py": "def make(Basket):\n    return Basket()\n",
    }

    assert ask(files, "callers", "Basket.__init__") == {("a.py:6", "import")}
    unsure: ExactAnswer = called("code_callers", name="Basket.__init__", unsure=True)
    assert {(each.path, each.sure) for each in unsure.places} == {
        ("a.py", "import"),
        ("b.py", "name"),
    }


@pytest.mark.parametrize(
    ("only", "places"),
    [
        ({"kind": ("test",)}, {"tests/test_till.py"}),
        ({"path": ("shop",)}, {"shop/basket.py", "shop/till.py"}),
        ({"language": ("go",)}, set[str]()),
    ],
)
def test_places_are_chosen_by_file(
    ask: "Asker", only: Mapping[str, tuple[str, ...]], places: set[str]
) -> None:
    """Of what is affected, what stands in the files that may answer is listed."""
    ask(PYTHON, "refs", "Basket")
    answer: ExactAnswer = called("code_impact", name="pay", **only)
    users: ExactAnswer = called("code_callers", name="Basket.rate", **only)

    assert {each.path for each in (*answer.places, *users.places)} == places


def test_a_cut_answer_says_so(ask: "Asker") -> None:
    """An answer with fewer lines than there are places has their number."""
    ask(PYTHON, "refs", "Basket")
    answer: ExactAnswer = called("code_refs", name="Basket", limit=1)

    assert len(answer.places) == 1
    assert answer.total > 1


def test_a_name_that_is_not_declared_is_not_found(ask: "Asker") -> None:
    """A wrong name is an error with a next step; no name at all is a wrong call."""
    with pytest.raises(NoCodeFound, match="no declaration of 'nowhere'"):
        ask({"a.py": "x = 1\n"}, "callers", "nowhere")
    with pytest.raises(NoCodeFound) as error:
        ask({"a.py": "def nowhere_else():\n    pass\n"}, "callers", "nowhere_els")
    assert error.value.hint == "Similar names: nowhere_else"
    with pytest.raises(WrongCall, match="missing: a name"):
        called("code_impact")


def test_an_inherited_member_is_found_by_the_class_that_has_it(ask: "Asker") -> None:
    """It is the declaration of the class that it comes from."""
    ask(MORE_PYTHON, "symbol", "Child")
    answer: ExactAnswer = called("code_symbol", name="Child.run")

    assert [each.name for each in answer.symbols] == ["Base.run"]


@pytest.mark.usefixtures("ask")
def test_changes_between_versions_are_listed(ann: Developer) -> None:
    """What was added, changed and removed since a version, declaration by declaration."""
    ann.write("a.py", "def one():\n    return 1\n\n\ndef two():\n    return 2\n")
    ann.commit("Begin")
    ann.git("tag", "v1")
    ann.write("a.py", "def one():\n    return 11\n\n\ndef three():\n    return 3\n")
    ann.write("Readme.md", "# Shop\n")

    changes = called("code_changes", since="v1")

    assert [(each.how, each.name) for each in changes.changed] == [
        ("changed", "one"),
        ("added", "three"),
        ("removed", "two"),
        ("added", "Shop"),
    ]
    texts = called("code_changes", since="v1", kind=("document",))
    assert [each.name for each in texts.changed] == ["Shop"]


@pytest.mark.parametrize("name", ["a\nrove: fake.py", "b\x1b[31m.py", "c\u202e.py", "d\u2028.py"])
def test_names_of_files_stay_in_their_line(ask: "Asker", name: str) -> None:
    """A file may be called anything: what is printed of it neither begins a line nor obeys."""
    file = "def wombat():\n    return other()\n\n\ndef other():\n    pass\n"
    assert ask({name: file}, "callers", "other")

    for asked in ("code_symbol", "code_callers"):
        text = print_exact(called(asked, name="other"))

        assert all(line.isprintable() for line in text.split("\n"))
        assert "\nrove: " not in text


ALIASED = {
    "src/immer.ts": (
        "class Immer { produce(base: number) { return base } }\n"
        "const immer = new Immer()\nexport const produce = immer.produce\n"
    ),
    "src/use.ts": "import { produce } from './immer'\nproduce(1)\n",
}


@pytest.mark.parametrize("name", ["Immer.produce", "src/immer.ts#produce"])
def test_a_constant_that_names_a_function_is_an_alias(
    ann: Developer, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Its calls are listed for the function, and for the constant."""
    for path, text in ALIASED.items():
        ann.write(path, text)
    monkeypatch.chdir(ann.folder)

    found = called("code_callers", name=name)

    assert ("src/use.ts", 2) in {(each.path, each.line) for each in found.places}
