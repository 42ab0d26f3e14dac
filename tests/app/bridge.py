"""Let a program that knows only TCP talk to a socket: ``bridge.py SOCKET``; it prints its port."""

import asyncio
import sys
from contextlib import suppress


async def _bridge(path: str) -> None:
    async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65_536):
                writer.write(data)
                await writer.drain()
        writer.close()

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_unix_connection(path)
        await asyncio.gather(pass_on(reader, back), pass_on(there, writer))

    server = await asyncio.start_server(connect, "127.0.0.1", 0)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await server.serve_forever()


asyncio.run(_bridge(sys.argv[1]))
