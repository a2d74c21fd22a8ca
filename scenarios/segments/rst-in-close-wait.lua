-- The peer has said that it sends no more; our program has read the end of the stream and keeps
-- the socket. Then the peer resets it. The end of the stream hides the error.
return {
  title = "RST in CLOSE_WAIT",
  asks = "Which error does a program see that is reset after it has read the end of the stream?",
  source = "RFC 9293 section 3.10.7.4, second check; tcp_reset() in net/ipv4/tcp_input.c",
  here = "poll reports ERR|HUP; read returns 0 as before; SO_ERROR is EPIPE; a write dies of "
    .. "SIGPIPE. Any Linux.",
  why = "tcp_reset() makes the error EPIPE in CLOSE_WAIT: to read there is nothing wrong with the "
    .. "stream, it had its end; only writing has lost its use. read(2) says 0 because the "
    .. "stream's end comes before the error (SOCK_DONE in tcp_recvmsg_locked()).",
  tags = { "segments", "reset", "close" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("--on-stdin-eof", "shutdown", "-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"
    lab:expect(client):call("poll"):is_entered()
    server:close_stdin()
    lab:expect(client):call("read"):returns(0)
    lab:expect(client):in_state "CLOSE_WAIT"
    lab:expect(server):in_state "FIN_WAIT2"

    lab:connection(client):rst()
    lab:expect(client):in_state "CLOSED"
    lab:expect(client):call("poll"):reports "ERR|HUP"
    lab:expect(client):call("read"):returns(0)
    lab:expect(client):call("getsockopt"):gives "EPIPE"
    client:type "anybody?\n"
    lab:expect(client):call("write"):is_entered()
    lab:expect(client):killed_by "SIGPIPE"
    lab:expect(server):still_in_state "FIN_WAIT2"
  end,
}
