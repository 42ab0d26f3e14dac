"""Find, search and explain what was built, from code that is not async."""

from rove_core import Project, run_in_project


async def questions(rove: Project) -> None:
    """Ask for what is there, refresh it, and see how the project stands."""
    print((await rove.find("tb-123")).filename)
    for result in (await rove.search("tokens")).results:
        print(result.ticket_id, result.score, result.title)
    explained = await rove.explain("TB-123")
    found = {item.id: item for item in explained.items}
    print(found["northwind/backend#847"].reason)
    print((await rove.refresh("TB-123")).failures)
    print((await rove.status()).documents, "document(s)")


run_in_project(questions)
