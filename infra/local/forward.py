#!/usr/bin/env python3
"""Let containers reach programs that listen on this machine's loopback only:
python forward.py ADDRESS PORT…

Each connection to ADDRESS:PORT becomes one to 127.0.0.1:PORT.
"""

import asyncio
import sys


async def copy(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
        writer.write_eof()
    except OSError:
        writer.close()


async def forward(address, port):
    async def connected(reader, writer):
        try:
            there, back = await asyncio.open_connection("127.0.0.1", port)
            await asyncio.gather(copy(reader, back), copy(there, writer))
            back.close()
        finally:
            writer.close()

    server = await asyncio.start_server(connected, address, port)
    await server.serve_forever()


async def main(address, *ports):
    await asyncio.gather(*(forward(address, int(p)) for p in ports))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    asyncio.run(main(*sys.argv[1:]))
