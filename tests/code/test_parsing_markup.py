"""What stands in prose, data and pages, seen by one sample of each."""

from tests.code.outlines import borders, outline, sample


def test_markdown() -> None:
    """Markdown declares these, and is cut between them."""
    parsed = sample(
        """
        ---
        title: x
        ---
        Intro with [a link](docs/x.md#a) and `src/a/b.py`, see https://x.org/a.md.

        # Eggs

        How.

        ## Cook

        See [home](../README.md), [it][1].

        ```python
        # not a heading
        ```

        Setext
        ------

        Text.

        # Other

        [1]: https://x.org

        Setext
        ======

        Sub
        ---
        x
        ### Deep
        """,
        "markdown",
    )

    assert outline(parsed) == [
        "6-22 section Eggs",
        "10-17 section Eggs.Cook",
        "18-22 section Eggs.Setext",
        "23-26 section Other",
        "27-33 section Setext",
        "30-33 section Setext.Sub",
        "33-33 section Setext.Sub.Deep",
    ]
    assert borders(parsed) == [
        "1-5 head",
        "6-26 declarations",
        "27-33 declarations",
    ]


def test_json() -> None:
    """JSON declares these, and is cut between them."""
    parsed = sample(
        """
        {
          "name": "x",
          "scripts": {
            "build": "node tools/build.js",
            "test": {
               "deep": 1
            }
          },
          "main": "index.js"
        }
        """,
        "json",
    )

    assert outline(parsed) == [
        "2-2 key name",
        "3-8 key scripts",
        "4-4 key scripts.build",
        "5-7 key scripts.test",
        "9-9 key main",
    ]
    assert borders(parsed) == [
        "1-10 declarations",
    ]


def test_yaml() -> None:
    """YAML declares these, and is cut between them."""
    parsed = sample(
        """
        # CI.
        name: ci
        on:
          # Pushes.
          push:
            branches: [main]
          pull_request:
        jobs:
          "test":
            steps:
              - uses: ./actions/run.yml
        ---
        other: 1
        """,
        "yaml",
    )

    assert outline(parsed) == [
        "1-2 key name, documented",
        "3-7 key on",
        "4-6 key on.push, documented",
        "7-7 key on.pull_request",
        "8-11 key jobs",
        "9-11 key jobs.test",
        "13-13 key other",
    ]
    assert borders(parsed) == [
        "1-13 declarations",
    ]


def test_toml() -> None:
    """TOML declares these, and is cut between them."""
    parsed = sample(
        """
        # Project.
        title = "x"

        # The project.
        [project]
        name = "x"
        readme = "README.md"
        deps = [
          "a",
        ]

        [[tool.x]]
        a = 1
        """,
        "toml",
    )

    assert outline(parsed) == [
        "1-2 key title, documented",
        "4-11 section project, documented",
        "6-6 key project.name",
        "7-7 key project.readme",
        "8-10 key project.deps",
        "12-13 section tool.x",
        "13-13 key tool.x.a",
    ]
    assert borders(parsed) == [
        "1-13 declarations",
    ]


def test_html() -> None:
    """HTML declares these, and is cut between them."""
    parsed = sample(
        """
        <!DOCTYPE html>
        <!-- Eggs. -->
        <html>
        <head>
          <title>Eggs</title>
          <script src="js/a.js"></script>
        </head>
        <body>
          <main id="top" class="wide">
            <section><p>Hi</p></section>
            <a href="docs/x.md">x</a>
          </main>
        </body>
        </html>
        """,
        "html",
    )

    assert outline(parsed) == [
        "2-14 element html, documented",
        "4-7 element html.head",
        "5-5 element html.head.title",
        "6-6 element html.head.script",
        "8-13 element html.body",
        "9-12 element html.body.main",
        "10-10 element html.body.main.section",
        "11-11 element html.body.main.a",
    ]
    assert borders(parsed) == [
        "1-1 head",
        "2-14 declarations",
    ]


def test_css() -> None:
    """CSS declares these, and is cut between them."""
    parsed = sample(
        """
        @charset "utf-8";
        @import "base.css";

        /* Basket. */
        .basket > a:hover, #top {
          color: red;
        }

        @media (max-width: 10px) {
          .basket { color: blue; }
        }
        @keyframes spin { from { top: 0 } }
        @font-face { font-family: x; }
        """,
        "css",
    )

    assert outline(parsed) == [
        "4-7 rule .basket > a:hover, #top, documented",
        "9-11 media (max-width: 10px)",
        "10-10 rule (max-width: 10px)..basket",
        "12-12 animation spin",
        "13-13 rule @font-face",
    ]
    assert borders(parsed) == [
        "1-3 head",
        "4-13 declarations",
    ]
