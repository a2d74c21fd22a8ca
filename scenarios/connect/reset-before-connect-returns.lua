-- A RST can arrive between the SYN/ACK and the moment when the blocked program runs again. connect
-- then fails with an errno that connect(2) does not list.
return {
  title = "Reset before connect returns",
  asks = "What does connect(2) return if the connection is established and reset at once?",
  source = "connect(2); RFC 9293 section 3.10.7.4, second step",
  here = "-1 ECONNRESET: the connection was established and then lost. A port without a listener "
    .. "gives ECONNREFUSED instead. Any Linux version.",
  why = "tcp_reset() sets ECONNREFUSED only in SYN_SENT; here the state was ESTABLISHED for a "
    .. "moment. inet_stream_connect() finds the socket's error when it wakes up and returns it. A "
    .. "load balancer that accepts first and then finds no server looks like this to a client.",
  tags = { "connect", "reset" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("-l", 8080)
    local syn_ack = lab:hold("kodos > kang", "tcp")
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "SYN_SENT"
    lab:expect_packet("kodos > kang", "tcp", { fate = "held" })

    client:freeze() -- otherwise it may run between SYN/ACK and RST on a busy machine
    syn_ack:remove()
    lab:connection(client):rst()
    client:thaw()
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(client):in_state "CLOSED"
    lab:expect(client):call("connect"):fails "ECONNRESET"
  end,
}
