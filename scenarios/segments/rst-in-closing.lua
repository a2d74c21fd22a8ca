-- Both ends have sent a FIN, and one still waits for the ACK of its FIN, in CLOSING or LAST_ACK.
-- All data has been read. After a RST here, that end does not know whether its last data arrived.
return {
  title = "RST in CLOSING and LAST_ACK",
  asks = "Which error does a program see if a RST arrives after both ends have closed?",
  source = "RFC 9293 section 3.10.7.4, second step",
  here = "ECONNRESET, and only in SO_ERROR: poll reports IN|ERR|HUP, and read returns 0. The "
    .. "program's last data and its FIN may not have arrived. Any Linux version.",
  why = "tcp_reset() in net/ipv4/tcp_input.c sets ECONNRESET in these states. As in CLOSE_WAIT, "
    .. "read(2) reports end of stream before the error. RFC 9293 does not report an error to the "
    .. "user in these two states.",
  tags = { "segments", "reset", "close" },

  run = function(lab)
    local kang, kodos = lab:pair()
    for index, state in ipairs { "LAST_ACK", "CLOSING" } do
      local port = 8080 + index
      local client, server = lab:connect(kang, kodos, {
        client = { "--repl" }, server = { "--repl" }, port = port,
      })
      if state == "LAST_ACK" then
        server:type "shutdown wr\n"
        lab:expect(client):in_state "CLOSE_WAIT"
        lab:expect(server):in_state "FIN_WAIT2"
      end
      local wire = lab:cut("kang > kodos", "tcp")
      client:type "shutdown wr\n"
      lab:expect(client):call("shutdown"):returns(0)
      if state == "CLOSING" then
        lab:expect(client):in_state "FIN_WAIT1"
        server:type "shutdown wr\n"
      end
      lab:expect(client):in_state(state)

      lab:connection(client):rst()
      lab:expect(client):in_state "CLOSED"
      client:type "poll in\nread\ngetsockopt SO_ERROR\n"
      lab:expect(client):call("poll"):reports "IN|ERR|HUP"
      lab:expect(client):call("read"):returns(0)
      lab:expect(client):call("getsockopt"):gives "ECONNRESET"
      wire:remove()
    end
  end,
}
