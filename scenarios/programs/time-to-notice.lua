-- A client sends a request and waits for the answer. Each case has another way to end the wait.
local CLIENT = [[
import select, socket, sys
server = socket.create_connection((sys.argv[1], 8080))
if sys.argv[2] == "keepalive":
    server.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in (("KEEPIDLE", 1), ("KEEPINTVL", 1), ("KEEPCNT", 2)):
        server.setsockopt(socket.IPPROTO_TCP, getattr(socket, "TCP_" + option), value)
sys.stdin.readline()
server.sendall(b"request")
poll = select.poll()
poll.register(server, select.POLLIN)
if poll.poll(2000 if sys.argv[2] == "timer" else None):
    server.recv(100)
server.close()
]]

return {
  title = "How long a client takes to notice that its server is gone",
  asks = "How long after the power cut does a waiting client notice, and what tells it?",
  source = "tcp(7), TCP_KEEPIDLE; poll(2); RFC 9293 section 3.8.4 (keep-alives)",
  here = "With keepalive: after the idle time and the probes. With a timer of the program: after "
    .. "that. No frame tells the client in either case. Measured on Linux 6.18.",
  why = "The server acknowledged the request, so the client's kernel has nothing to retransmit, "
    .. "and a host without power sends nothing.",
  tags = { "programs", "power", "keepalive" },
  needs = { "program python3" },
  cases = {
    { name = "keepalive", seconds = 1 + 2 * 1, title = "Time to notice by keepalive" },
    { name = "timer", seconds = 2, title = "Time to notice by the program's own timer" },
  },

  run = function(lab, case)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:run("python3", "-c", CLIENT, kodos:address(), case.name)
    lab:expect(client):within(20):call("connect"):returns(0)
    lab:expect(server):call("accept"):returns()
    local acknowledged = lab:packet("kodos > kang", "ACK only", { fate = "delivered" })
    lab:when(acknowledged, function() kodos:power_off() end)
    client:type "\n"
    lab:expect(client):call("send"):returns(7)
    local notice = lab:expect(client):within(2 * case.seconds):notices()
    lab:expect_time(notice.after_fault, case.seconds, "noticing the power cut")
    lab:check(notice.after_frame == nil, "no frame tells the client", notice.after_frame)
    local is_timer = notice.call == "poll" and notice.result == 0
    lab:check(is_timer == (case.name == "timer"), "what tells it", notice.call)
    lab:expect(client):exits()
  end,
}
