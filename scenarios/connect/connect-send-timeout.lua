-- SO_SNDTIMEO limits how long a blocking connect waits. It ends only the call: the socket keeps
-- connecting. The errno is EINPROGRESS; a program that expects ETIMEDOUT misreads it.
return {
  title = "SO_SNDTIMEO on connect",
  asks = "What does connect return when the socket's send timeout expires?",
  source = "socket(7), SO_SNDTIMEO; connect(2), EINPROGRESS",
  here = "EINPROGRESS after the timeout. Called again, connect fails with EALREADY after another "
    .. "timeout. When the handshake is complete, connect returns 0. Any Linux version.",
  why = "inet_wait_for_connect() waits no longer than SO_SNDTIMEO. connect then returns the errno "
    .. "of a non-blocking connect. TCP's own timer (tcp_syn_retries) keeps running.",
  tags = { "connect", "timeout", "socket-options" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("-l", 8080)
    local syn_ack = lab:hold("kodos > kang", "tcp")
    local send_timeout = 0.3 * lab.second
    local client = kang:dnc("--repl")
    client:type("socket\n")
    client:type("setsockopt SO_SNDTIMEO " .. send_timeout .. "s\n")
    client:type "connect kodos 8080\nconnect\n"
    local first = lab:expect(client):call("connect"):fails "EINPROGRESS"
    lab:expect_time(first.t - first.entered, send_timeout, "the first connect")
    local second = lab:expect(client):call("connect"):fails "EALREADY"
    lab:expect_time(second.t - second.entered, send_timeout, "the second connect")
    lab:expect(client):in_state "SYN_SENT"

    syn_ack:remove()
    lab:expect(client):in_state "ESTABLISHED"
    client:type "connect\n"
    lab:expect(client):call("connect"):returns(0)
  end,
}
