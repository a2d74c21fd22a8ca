-- The peer has closed its direction. The program has read end of stream but keeps its socket open.
-- Then the peer resets the connection. End of stream hides the error from read(2).
return {
  title = "RST in CLOSE_WAIT",
  asks = "Which error does a program see if a RST arrives after it has read end of stream?",
  source = "RFC 9293 section 3.10.7.4, second step; tcp_reset() in net/ipv4/tcp_input.c",
  here = "EPIPE, and only in SO_ERROR: poll reports ERR|HUP, and read returns 0 as before. A write "
    .. "kills the program with SIGPIPE. Any Linux version.",
  why = "In CLOSE_WAIT tcp_reset() sets EPIPE: the reader already has the whole stream, only "
    .. "writing has become impossible. read(2) returns 0 because end of stream comes before the "
    .. "error (SOCK_DONE in tcp_recvmsg_locked()).",
  tags = { "segments", "reset", "close" },

  run = function(lab)
    local client, server = lab:connected { server = { "--on-stdin-eof", "shutdown" } }
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
