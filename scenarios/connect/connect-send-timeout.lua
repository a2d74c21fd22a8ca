-- A socket's own patience ends a blocking connect sooner than the kernel's, but it ends the call
-- only: the SYN stays out, the socket goes on connecting, and the errno is that of a connect that
-- is under way, not of one that timed out.
return {
  title = "SO_SNDTIMEO on connect",
  asks = "What does connect return when the socket's send timeout ends first?",
  source = "socket(7), SO_SNDTIMEO; connect(2), EINPROGRESS",
  here = "EINPROGRESS after the timeout, EALREADY after another when called again; then the "
    .. "handshake completes, and connect returns 0. Any Linux.",
  why = "inet_wait_for_connect() waits no longer than SO_SNDTIMEO; connect then says what it would "
    .. "say on a non-blocking socket. TCP's own timer (tcp_syn_retries) runs on.",
  tags = { "connect", "timeout", "socket-options" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("-l", 8080)
    local syn_ack = lab:hold("kodos > kang", "tcp")
    local patience = 0.3 * lab.second
    local client = kang:dnc("--repl")
    client:type("socket " .. lab.family .. "\n")
    client:type("setsockopt SO_SNDTIMEO " .. patience .. "s\n")
    client:type "connect kodos 8080\nconnect\n"
    local under_way = lab:expect(client):call("connect"):fails "EINPROGRESS"
    lab:expect_time(under_way.t - under_way.entered, patience, "the first connect")
    local again = lab:expect(client):call("connect"):fails "EALREADY"
    lab:expect_time(again.t - again.entered, patience, "the second connect")
    lab:expect(client):in_state "SYN_SENT"

    syn_ack:lift()
    lab:expect(client):in_state "ESTABLISHED"
    client:type "connect\n"
    lab:expect(client):call("connect"):returns(0)
  end,
}
