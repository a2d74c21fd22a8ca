-- What an event loop sees of one connect: under way, already under way, done, done already. Each
-- answer is the state of the handshake, which the wire holds here until it has been asked for.
return {
  title = "A non-blocking connect, asked again",
  asks = "What does connect return on a non-blocking socket: before, during, and after?",
  source = "connect(2), EINPROGRESS, EALREADY, EISCONN; POSIX connect()",
  here = "EINPROGRESS, EALREADY while the handshake lasts, 0 the first time after it, then "
    .. "EISCONN. poll for OUT says when. Any Linux.",
  why = "__inet_stream_connect() in net/ipv4/af_inet.c keeps a state of the socket beside TCP's: "
    .. "SS_CONNECTING until a connect has told of the success. That is why 0 comes once, where "
    .. "other systems say EISCONN at once; a portable program takes both for success.",
  tags = { "connect", "non-blocking", "poll" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("-l", 8080)
    local syn_ack = lab:hold("kodos > kang", "tcp")
    local client = kang:dnc("--repl")
    client:type("socket " .. lab.family .. " nonblock\n")
    client:type "connect kodos 8080\nconnect\npoll out 0s\n"
    lab:expect(client):call("connect"):fails "EINPROGRESS"
    lab:expect(client):call("connect"):fails "EALREADY"
    lab:expect(client):call("poll"):returns(0)
    lab:expect(client):in_state "SYN_SENT"

    client:type "poll out\n"
    lab:expect(client):call("poll"):is_entered()
    syn_ack:lift()
    lab:expect(client):call("poll"):returns(1, "OUT")
    client:type "getsockopt SO_ERROR\nconnect\nconnect\n"
    lab:expect(client):call("getsockopt"):returns(0)
    lab:expect(client):call("connect"):returns(0)
    lab:expect(client):call("connect"):fails "EISCONN"
    lab:expect(client):in_state "ESTABLISHED"
  end,
}
