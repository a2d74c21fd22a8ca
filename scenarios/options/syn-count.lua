-- TCP_SYNCNT: the socket's own tcp_syn_retries, for a program that cannot wait two minutes to be
-- told that nobody is there.
return {
  title = "TCP_SYNCNT",
  asks = "How can one program give up connecting sooner than the rest of the system?",
  source = "tcp(7), TCP_SYNCNT; ip-sysctl, tcp_syn_retries, tcp_syn_linear_timeouts",
  here = "ETIMEDOUT as if tcp_syn_retries were 1, though it is 6; the linear timeouts are added to "
    .. "it, as always. Linux, measured on 6.18.",
  why = "tcp_write_timeout() takes icsk_syn_retries where it is not 0, in place of the sysctl.",
  tags = { "options", "connect" },

  run = function(lab)
    local kang = lab:pair()
    kang:sysctl("net.ipv4.tcp_syn_retries", 1)
    local gives_up_after = lab:timer("connect_timeout", kang)
    kang:sysctl("net.ipv4.tcp_syn_retries", 6)
    lab:cut("kang > kodos", "tcp")

    local client = kang:dnc("--repl")
    client:type("socket " .. lab.family .. "\nsetsockopt TCP_SYNCNT 1\nconnect kodos 8080\n")
    lab:expect(client):in_state "SYN_SENT"
    local connect = lab:expect(client):within(gives_up_after * 1.5 + 2):call("connect")
      :fails "ETIMEDOUT"
    lab:expect_time(connect.t - connect.entered, gives_up_after, "connect")
  end,
}
