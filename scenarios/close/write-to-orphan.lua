-- The server's program has closed its socket, and the client still writes. The server's kernel is
-- in FIN_WAIT2, but no program is left to read. It answers with a RST at once and does not wait for
-- tcp_fin_timeout.
return {
  title = "Write to an orphan in FIN_WAIT2",
  asks = "What happens to data sent on a connection that the peer's program has closed?",
  source = "RFC 1122 section 4.2.2.13; RFC 9293 section 3.6.1 (half-close); tcp(7)",
  here = "The write succeeds, and the RST comes back at once: poll reports ERR|HUP, read returns "
    .. "0, and SO_ERROR is EPIPE. The next write fails with EPIPE and raises SIGPIPE. Measured on "
    .. "Linux 6.18.",
  why = "With a tcp_fin_timeout of at most 60 s, the kernel keeps the orphan as a timewait socket "
    .. "in FIN_WAIT2. tcp_timewait_state_process() answers new data on it with a RST (TCP_TW_RST). "
    .. "The writer is in CLOSE_WAIT, for which tcp_reset() sets EPIPE.",
  tags = { "close", "reset", "orphan" },

  run = function(lab)
    local client, server = lab:connected {
      sysctls = { ["net.ipv4.tcp_fin_timeout"] = "60" },
      client = { "--ignore-sigpipe", "--on-error", "keep" },
    }

    server:stop "SIGINT"
    lab:expect(client):call("read"):returns(0)
    lab:expect(client):in_state "CLOSE_WAIT"
    lab:expect(server):in_state "FIN_WAIT2"

    client:type "anybody there?\n"
    lab:expect(client):call("write"):returns(15)
    lab:expect_packet("kodos > kang", "RST")
    lab:expect(client):call("poll"):reports "ERR|HUP"
    lab:expect(client):call("read"):returns(0)
    lab:expect(client):call("getsockopt"):gives "EPIPE"
    lab:expect(client):in_state "CLOSED"
    lab:expect(server):in_state "CLOSED"
    client:type "anybody?\n"
    lab:expect(client):call("write"):fails "EPIPE"
  end,
}
