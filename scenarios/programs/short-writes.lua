-- The kernel takes only a part of what a program sends, because the send buffer is nearly full.
-- That happens rarely in a test and often in production. The lab makes one call short.
local http = include "http.lib.lua"
local REQUEST = "a request of forty bytes, sent in pieces"
local PYTHON = [[
import socket, sys
text = sys.stdin.read().encode()
with socket.create_connection(("kodos", 8080)) as server:
    getattr(server, sys.argv[1])(text)
]]

return {
  title = "Short writes",
  asks = "Does a program send the rest when the kernel takes only a part of its data?",
  source = "send(2); RFC 9293 section 3.9.1.2 (SEND)",
  why = "send returns how many bytes the kernel has taken. That is no error: a program that does "
    .. "not check the number loses the rest and does not notice.",
  tags = { "programs" },
  needs = { "program python3", "program curl" },
  cases = {
    {
      name = "curl",
      title = "A short write of curl",
      here = "curl sends the rest with its next call. Measured with curl 7.88 on Linux 6.18.",
      command = { "curl", "-s", "-d", "@-", "http://kodos:8080/" },
      is_complete = true,
      answers = true,
    },
    {
      name = "python-sendall",
      title = "A short write of Python's sendall",
      here = "sendall sends the rest with its next call. Measured with Python 3.11 on Linux 6.18.",
      command = { "python3", "-c", PYTHON, "sendall" },
      is_complete = true,
    },
    {
      name = "python-send",
      title = "A short write of a program that ignores the result of send",
      here = "The server gets 10 bytes and the end of the stream, as if that were all. The program "
        .. "exits with 0. Measured with Python 3.11 on Linux 6.18.",
      command = { "python3", "-c", PYTHON, "send" },
    },
  },

  run = function(lab, case)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:run(case.command)
    client:inject("send", { bytes = 10 })
    client:type(REQUEST)
    client:close_stdin()
    local short = lab:expect(client):within(20):call("send"):returns(10)
    lab:check(short.injected, "the lab made it short", short.injected)
    lab:expect_packet("kang > kodos", "data", { length = 10 })
    if case.is_complete then
      lab:expect(client):call("send"):returns()
      lab:expect(server):prints(REQUEST)
    else
      lab:expect(server):prints(REQUEST:sub(1, 10))
      lab:expect(server):call("read"):returns(0)
      lab:check(server:output() == REQUEST:sub(1, 10), "the rest is lost", server:output())
    end
    if case.answers then http.answer(server, "the answer") end
    lab:expect(client):exits(0)
  end,
}
