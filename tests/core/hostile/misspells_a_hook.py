from rove_core import hookimpl


@hookimpl
def rove_source() -> list[object]:
    return []
