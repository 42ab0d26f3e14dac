"""No package allows a version of a dependency that is known to be open to attack."""

import re
from typing import Any, Final

from packaging.requirements import Requirement
from packaging.version import Version

#: The first version without the holes that are known, and what they are.
SAFE: Final = {
    "h11": ("0.16", "CVE-2025-43859: chunks that end in anything are taken"),
    "cryptography": ("44.0.1", "CVE-2024-6119 and CVE-2024-12797 in the OpenSSL of its wheels"),
    "httpx": ("0.23", "CVE-2021-41945: a wrong host is taken from an address"),
}


def test_floors(package: str, project: dict[str, Any]) -> None:
    """Every dependency has a floor, and none lies below the first safe version."""
    extras = project.get("optional-dependencies", {}).values()
    for text in (*project.get("dependencies", ()), *(each for extra in extras for each in extra)):
        dependency = Requirement(text)
        if re.match("rove[-_]", dependency.name):
            continue
        floors = [Version(each.version) for each in dependency.specifier if each.operator == ">="]
        safe, why = SAFE.get(dependency.name, ("0", ""))

        assert floors, f"{package}: {dependency} has no floor"
        assert max(floors) >= Version(safe), f"{package}: {dependency}: {why}"
