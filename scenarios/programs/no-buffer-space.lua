-- send(2) fails with ENOBUFS: the kernel has no memory for the call. The connection still works.
local PYTHON = [[
import socket, sys
text = sys.stdin.read().encode()
with socket.create_connection(("kodos", 8080)) as server:
    try: server.sendall(text)
    except OSError as error: print(error, flush=True)
    server.sendall(text)
]]

return {
  title = "No buffer space for send",
  asks = "What does a program do when send fails although its connection works?",
  source = "send(2), ENOBUFS",
  why = "The error is about one call. The connection is ESTABLISHED as before, and the same call "
    .. "succeeds later. For curl, every error of send except EAGAIN and EINTR ends the transfer.",
  tags = { "programs" },
  needs = { "program python3", "program curl" },
  cases = {
    {
      name = "curl",
      title = "send of curl fails with ENOBUFS",
      here = "curl sends nothing more, closes the connection with a FIN, and exits with 55. "
        .. "Measured with curl 7.88 on Linux 6.18.",
      command = { "curl", "-sS", "-d", "@-", "http://kodos:8080/" },
    },
    {
      name = "python",
      title = "send of a Python program fails with ENOBUFS, and it tries again",
      here = "The program gets an OSError. Its second try arrives, on the same connection. "
        .. "Measured with Python 3.11 on Linux 6.18.",
      command = { "python3", "-c", PYTHON },
      tries_again = true,
    },
  },

  run = function(lab, case)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:run(case.command)
    client:inject("send", { errno = "ENOBUFS" })
    client:type "hello"
    client:close_stdin()
    local failed = lab:expect(client):within(20):call("send"):fails "ENOBUFS"
    lab:check(failed.injected, "the lab made the error", failed.errno)
    lab:expect(client):prints "No buffer space available"
    if case.tries_again then
      lab:expect(client):call("send"):returns(5)
      lab:expect(server):prints "hello"
      lab:expect(client):exits(0)
    else
      lab:expect_packet("kang > kodos", "FIN")
      lab:expect(client):exits(55)
      lab:check(server:output() == "", "the server has read nothing", server:output())
    end
  end,
}
