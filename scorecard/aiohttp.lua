-- Python's aiohttp as it is: 5 minutes for a whole request. Two requests on one connection, with a
-- pause between them.
-- Packages: python3-aiohttp
local http = include "servers/http.lib.lua"
local CLIENT = [[
import asyncio, aiohttp
async def main():
    async with aiohttp.ClientSession() as session:
        for pause in (1, 0):
            async with session.get("http://SERVER/page") as answer:
                print(len(await answer.read()), flush=True)
            await asyncio.sleep(pause)
asyncio.run(main())
]]

return http.audit {
  title = "Python aiohttp",
  needs = { "program /usr/bin/python3" },
  client = { "/usr/bin/python3", "-c", CLIENT },
}
