-- What a program sees of injected errors, short calls and delays, and what the lab records. The
-- client evaluates each line of its input. libc's functions retry nothing, unlike Python's.
local CLIENT = [[
import ctypes, errno, select, signal, socket, sys, threading
signal.signal(signal.SIGUSR1, lambda *ignored: None)
signal.siginterrupt(signal.SIGUSR1, False)
libc = ctypes.CDLL(None, use_errno=True)
libc.recv.restype = libc.send.restype = libc.writev.restype = ctypes.c_ssize_t
buffer = ctypes.create_string_buffer(100)
class Buffer(ctypes.Structure):
    _fields_ = [("base", ctypes.c_char_p), ("length", ctypes.c_size_t)]
def connect(port): return socket.create_connection((sys.argv[1], port))
def raw(result): return errno.errorcode[ctypes.get_errno()] if result < 0 else result
def recv(s, flags=0): return raw(libc.recv(s.fileno(), buffer, 100, flags))
def writev(s, *texts):
    vector = (Buffer * len(texts))(*[Buffer(text, len(text)) for text in texts])
    return raw(libc.writev(s.fileno(), vector, len(texts))), [one.length for one in vector]
opened = []
def start(port): threading.Thread(target=lambda: opened.append(connect(port))).start()
def error(call):
    try: return call()
    except OSError as failure: return errno.errorcode[failure.errno]
s = connect(8080)
print("connected", flush=True)
for line in sys.stdin: print("=", eval(line), flush=True)
]]

return {
  title = "Injected into system calls",
  asks = "Does a program see exactly what a script injects, and nothing else?",
  tags = { "test" },
  needs = { "program python3" },
  cases = { { name = "errors" }, { name = "short" }, { name = "delays" }, { name = "where" },
    { name = "refused" } },

  run = function(lab, case)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:run("python3", "-c", CLIENT, kodos:address())
    lab:expect(client):within(20):prints "connected\n"
    lab:expect(server):in_state "ESTABLISHED"
    lab:expect(client):call("connect"):returns(0)
    lab:expect_packet("kang > kodos", "SYN")
    local function says(code, answer)
      client:type(code .. "\n")
      lab:expect(client):prints("= " .. answer)
    end
    local function injected(call)
      lab:check(call.injected == true, call.call .. " is marked", call.injected)
    end
    local function as_usual(call)
      lab:check(call.injected == nil, call.call .. " is not marked", call.injected)
    end

    if case.name == "errors" then
      client:inject("recv", { errno = "EINTR", nth = 2 })
      server:type "one\n"
      says("recv(s)", "4")
      server:type "two\n"
      lab:expect_packet("kodos > kang", "data")
      lab:expect_packet("kodos > kang", "data")
      says("recv(s)", "EINTR")
      says("recv(s)", "4")
      as_usual(lab:expect(client):call("recv"):returns(4))
      injected(lab:expect(client):call("recv"):fails "EINTR")
      as_usual(lab:expect(client):call("recv"):returns(4))
      -- Python makes the call again (PEP 475), and its program sees nothing.
      client:inject("recv", { errno = "EINTR", times = 2 })
      server:type "three\n"
      says("s.recv(100)", "b'three\\n'")
      injected(lab:expect(client):call("recv"):fails "EINTR")
      injected(lab:expect(client):call("recv"):fails "EINTR")
      as_usual(lab:expect(client):call("recv"):returns(6))
      -- An error that the kernel knows nothing of: the connection goes on.
      client:inject("send", { errno = "ECONNRESET" })
      says("error(lambda: s.send(b'lost'))", "ECONNRESET")
      local notice = lab:expect(client):notices()
      injected(notice)
      lab:check(notice.after_fault == nil, "no fault of the lab caused it", notice.after_fault)
      says("s.send(b'kept')", "4")
      lab:expect(server):prints "kept"
      client:inject("poll", { errno = "EINTR" })
      server:type "four\n"
      says("select.select([s], [], [])[0] == [s]", "True")
      injected(lab:expect(client):call("poll"):fails "EINTR")
      lab:expect(client):wakes "IN"
      local rule = client:inject("recv", { errno = "EIO" })
      rule:remove()
      says("recv(s)", "5")
    end

    if case.name == "short" then
      client:inject("send", { bytes = 3 })
      says("s.sendall(b'123456789')", "None")
      injected(lab:expect(client):call("send"):returns(3))
      as_usual(lab:expect(client):call("send"):returns(6))
      lab:expect(server):prints "123456789"
      lab:expect_packet("kang > kodos", "data", { length = 3 })
      -- A call that asks for no more is none that can be short.
      client:inject("send", { bytes = 5 })
      says("s.send(b'12345')", "5")
      says("writev(s, b'ab', b'cd', b'efg')", "(5, [2, 2, 3])")
      says("writev(s, b'ab', b'cd', b'efg')", "(7, [2, 2, 3])")
      client:inject("sendmsg", { bytes = 3 })
      says("s.sendmsg([b'hi', b'jk'])", "3")
      says("s.sendmsg([b'hi', b'jk'])", "4")
      lab:expect(server):prints "12345abcdeabcdefghijhijk"
      client:inject("recv", { bytes = 1 })
      server:type "xyz"
      says("s.recv(100)", "b'x'")
      says("s.recv(100)", "b'yz'")
      -- The buffer has less than the limit: the kernel's own answer.
      client:inject("recv", { bytes = 50 })
      server:type "xyz"
      injected(lab:expect(client):call("recv"):returns(1))
      lab:expect(client):call("recv"):returns(2)
      says("recv(s)", "3")
      as_usual(lab:expect(client):call("recv"):returns(3))
      -- A signal interrupts a call that waits, and the kernel makes it again: it is as short.
      client:inject("recv", { bytes = 2 })
      client:type "s.recv(100)\n"
      lab:expect(client):call("recv"):is_entered()
      client:signal "SIGUSR1"
      server:type "xyz"
      lab:expect(client):prints "= b'xy'"
      injected(lab:expect(client):call("recv"):returns(2))
    end

    if case.name == "delays" then
      local second_server = kodos:dnc("-l", 8081)
      lab:expect(second_server):call("listen"):returns(0)
      client:inject("connect", { delay = 0.3 })
      says("start(8081) or s.send(b'meanwhile')", "9") -- one line: the delay waits for no script
      local sent = lab:expect(client):call("send"):returns(9)
      local connected = lab:expect(client):call("connect"):returns(0)
      lab:check(connected.t - connected.entered >= 0.3, "it takes 0.3 s",
        connected.t - connected.entered)
      lab:check(connected.injected_delay == 0.3, "the delay is recorded", connected.injected_delay)
      as_usual(connected)
      local syn = lab:expect_packet("kang > kodos", "SYN")
      lab:check(syn.t - connected.entered >= 0.3, "the kernel is asked later")
      lab:check(sent.t < syn.t, "the other thread goes on")
      -- A delay and an error go together; the error comes at the end.
      client:inject("send", { delay = 0.2, errno = "ENOBUFS" })
      says("error(lambda: s.send(b'lost'))", "ENOBUFS")
      local failed = lab:expect(client):call("send"):fails "ENOBUFS"
      injected(failed)
      lab:check(failed.t - failed.entered >= 0.2, "it fails late", failed.t - failed.entered)
      -- A host loses its power, and a program ends, in the middle of a delay.
      client:inject("send", { delay = 3600 })
      client:type "s.send(b'never')\n"
      lab:expect(client):call("send"):is_entered()
      client:kill()
      lab:expect(client):killed_by "SIGKILL"
    end

    if case.name == "where" then
      local first = lab:connection(client)
      local second_server = kodos:dnc("-l", 8081)
      lab:expect(second_server):call("listen"):returns(0)
      says("(other := connect(8081))", "<socket.socket fd=")
      local second = lab:connection(client)
      lab:check(second.remote_port == 8081, "it is the second one", second.remote_port)
      client:inject("send", { errno = "ENOBUFS", on = second })
      says("s.send(b'one')", "3")
      says("error(lambda: other.send(b'two'))", "ENOBUFS")
      says("s.send(b'three')", "5")
      client:inject("send", { errno = "EPIPE", on = first, after_bytes = 13 })
      says("s.send(b'four')", "4")
      says("other.send(b'12345678901234')", "14")
      says("s.send(b'5')", "1")
      says("error(lambda: s.send(b'six'))", "EPIPE")
      client:inject("recv", { errno = "EIO", state = "CLOSE_WAIT" })
      second_server:type "hello\n"
      says("other.recv(100)", "b'hello\\n'")
      lab:expect(second_server):prints "12345678901234"  -- unread data would make a RST
      second_server:stop()
      lab:expect(client):in_state "CLOSE_WAIT"
      server:type "hello\n"
      says("s.recv(100)", "b'hello\\n'")
      says("error(lambda: other.recv(100))", "EIO")
      says("other.recv(100)", "b''")
    end

    if case.name == "refused" then
      local function refuses(words, what)
        local done, complaint = pcall(what)
        lab:check(not done and complaint:find(words, 1, true) ~= nil, words, complaint)
      end
      refuses("dnc makes and records its calls itself", function()
        server:inject("recv", { errno = "EINTR" })
      end)
      local unwatched = kang:run("sleep", 60, { watch = false })
      refuses("without `watch = false`", function()
        unwatched:inject("recv", { errno = "EINTR" })
      end)
      refuses("a connection of kodos", function()
        client:inject("recv", { errno = "EINTR", on = lab:connection(server) })
      end)
      local rule = client:inject("recv", { errno = "EIO" })
      rule:remove()
      refuses("already removed", function() rule:remove() end)
      client:close_stdin()
      lab:expect(client):exits(0)
      refuses("exited with status 0", function() client:inject("recv", { errno = "EINTR" }) end)
    end
  end,
}
