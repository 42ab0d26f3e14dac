"""The pytest plugin: fixtures for who tests a plugin. To load it costs a run next to nothing."""

import pytest

for _module in ("account", "item", "kind", "login", "recognise", "search"):
    pytest.register_assert_rewrite(f"rove_core.testing.{_module}_tests")
pytest.register_assert_rewrite("rove_core.testing.suite")
