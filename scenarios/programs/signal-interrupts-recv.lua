-- A signal arrives while a program waits in recv(2). The lab injects EINTR instead, at exactly the
-- call that reads the answer.
local http = include "http.lib.lua"
local PYTHON = [[
import socket, sys
text = sys.stdin.read()
with socket.create_connection(("kodos", 8080)) as server:
    server.sendall(b"POST / HTTP/1.0\r\n\r\n" + text.encode())
    print(server.recv(1000).decode(), flush=True)
]]

return {
  title = "A signal interrupts recv",
  asks = "Does a program lose its answer because of a signal?",
  source = "signal(7), interruption of system calls; PEP 475; curl: lib/cf-socket.c, recv_plain()",
  why = "EINTR says nothing about the connection: the answer can still be read. A program that "
    .. "treats EINTR as a network failure fails at every signal: that of a timer, of a resized "
    .. "terminal, of a debugger.",
  tags = { "programs" },
  needs = { "program python3", "program curl" },
  cases = {
    {
      name = "python",
      title = "A signal interrupts recv of a Python program",
      here = "The program sees nothing: Python calls recv again. Measured with Python 3.11 "
        .. "on Linux 6.18.",
      command = { "python3", "-c", PYTHON },
    },
    {
      name = "curl",
      title = "A signal interrupts recv of curl",
      here = "curl prints the answer and exits with 0: it takes EINTR for EAGAIN, polls and reads "
        .. "again. Measured with curl 7.88 on Linux 6.18.",
      command = { "curl", "-s", "-d", "@-", "http://kodos:8080/" },
    },
  },

  run = function(lab, case)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:run(case.command)
    client:inject("recv", { errno = "EINTR", state = "ESTABLISHED" })
    client:type "question"
    client:close_stdin()
    lab:expect(server):within(20):prints "question"
    http.answer(server, "the answer")
    local interrupted = lab:expect(client):call("recv"):fails "EINTR"
    lab:check(interrupted.injected, "the lab made the error", interrupted.injected)
    local again = lab:expect(client):call("recv"):returns()
    lab:check(again.result > 0, "the same bytes come with the next call", again.result)
    lab:expect(client):prints "the answer"
    server:stop()
    lab:expect(client):exits(0)
  end,
}
