-- One end has closed its sending direction and waits for the rest of the peer's data. A RST arrives
-- instead.
return {
  title = "RST in FIN_WAIT1 and FIN_WAIT2",
  asks = "Which error does a program see if a RST arrives after it has shut down its own "
    .. "direction?",
  source = "RFC 9293 section 3.10.7.4, second step",
  here = "read fails with ECONNRESET, whether the FIN was acknowledged (FIN_WAIT2) or not "
    .. "(FIN_WAIT1). Any Linux version.",
  why = "tcp_reset() in net/ipv4/tcp_input.c sets one of three errors: ECONNREFUSED in SYN_SENT, "
    .. "EPIPE in CLOSE_WAIT, and ECONNRESET in all other states.",
  tags = { "segments", "reset", "close" },

  run = function(lab)
    local kang, kodos = lab:pair()
    for index, state in ipairs { "FIN_WAIT1", "FIN_WAIT2" } do
      local port = 8080 + index
      local client = lab:connect(kang, kodos, {
        client = { "--on-stdin-eof", "shutdown" }, port = port,
      })
      lab:expect(client):call("poll"):is_entered()
      local silence = state == "FIN_WAIT1" and lab:cut("kang > kodos", "tcp port " .. port)
      client:close_stdin()
      lab:expect(client):call("shutdown"):returns(0)
      lab:expect(client):in_state(state)

      lab:connection(client):rst()
      lab:expect(client):in_state "CLOSED"
      lab:expect(client):call("poll"):reports "IN|ERR|HUP"
      lab:expect(client):call("read"):fails "ECONNRESET"
      if silence then silence:remove() end
    end
  end,
}
