"""Build a ticket's document, and say which sources failed."""

import asyncio
from pathlib import Path

from rove_core import open_project


async def main() -> None:
    """Build the document of TB-123 in this folder's project."""
    async with open_project(Path.cwd()) as rove:
        built = await rove.build("TB-123")
    print(built.document.title)
    print(built.document.path.name)
    for account, why in built.failures.items():
        print(f"{account} failed: {why}")


asyncio.run(main())
