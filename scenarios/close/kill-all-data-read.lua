-- A program is killed after it has read everything. Its kernel closes its sockets and sends a FIN.
-- To the peer, the crash looks like an orderly close.
return {
  title = "kill -9, all data read",
  asks = "Can the peer tell a crashed program from one that closed its connection?",
  source = "exit(2), signal(7); RFC 9293 section 3.6",
  here = "No. The peer gets a FIN, its read returns 0, and it enters CLOSE_WAIT. The killed "
    .. "program leaves an orphan in FIN_WAIT2. Measured on Linux 6.18.",
  why = "do_exit() closes all files of a process, however the process ends, and tcp_close() sends "
    .. "a FIN if all data was read. End of stream therefore does not mean that the message is "
    .. "complete. The protocol above TCP must say where a message ends.",
  tags = { "close", "crash" },

  run = function(lab)
    local client, server = lab:connected()

    server:kill()
    lab:expect(server):killed_by "SIGKILL"
    lab:expect_packet("kodos > kang", "FIN")
    lab:expect(client):call("poll"):reports "IN"
    lab:expect(client):call("read"):returns(0)
    lab:expect(client):in_state "CLOSE_WAIT"
    lab:expect(server):in_state "FIN_WAIT2"
  end,
}
