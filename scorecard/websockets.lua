-- Python's websockets as it is: a ping every 20 s, with a limit of 20 s for its answer.
-- Packages: python3-websockets
local audit = include "tcplab/audit/audit.lib.lua"
local SERVER_TEXT = [[
import asyncio, websockets
async def serve(client):
    async for text in client:
        await asyncio.sleep(0.3)
        await client.send("x" * 65536)
async def main():
    async with websockets.serve(serve, None, 8080):
        await asyncio.Future()
asyncio.run(main())
]]
local CLIENT = [[
import asyncio, websockets
async def main():
    async with websockets.connect("ws://SERVER:8080") as server:
        for pause in (1, 0):
            await server.send("hello")
            print(len(await server.recv()), flush=True)
            await asyncio.sleep(pause)
asyncio.run(main())
]]

return audit {
  title = "Python websockets",
  needs = { "program /usr/bin/python3" },
  server = { "/usr/bin/python3", "-c", SERVER_TEXT, name = "server" },
  port = 8080,
  client = { "/usr/bin/python3", "-c", CLIENT },
}
