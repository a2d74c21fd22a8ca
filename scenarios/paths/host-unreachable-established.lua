-- The peer of an established connection dies behind its router. The ICMP error that ends a connect
-- does not end this connection: the problem may be temporary, so TCP keeps trying.
local expect_give_up = include "gives_up.lib.lua"

return {
  title = "The router reports the peer unreachable",
  asks = "Does an ICMP host unreachable error end an established connection?",
  source = "RFC 1122 section 4.2.3.9; RFC 5461",
  here = "No. TCP retransmits as long as usual, and then reports EHOSTUNREACH instead of "
    .. "ETIMEDOUT. Measured on Linux 6.18.",
  why = "Outside SYN_SENT tcp_v4_err() stores host unreachable as a soft error (sk_err_soft), "
    .. "which tcp_write_err() reports when the kernel gives up after tcp_retries2. The only "
    .. "immediate effect of the error is that it undoes the timer's last doubling (RFC 6069).",
  tags = { "paths", "router", "icmp" },

  run = function(lab)
    local net = lab:network {
      links = { lan = {}, wan = {} },
      hosts = { kang = { "lan" }, gateway = { "lan", "wan" }, kodos = { "wan" } },
      neighbours = "dynamic",
    }
    local client = lab:connect(net.kang, net.kodos)

    net.kodos:power_off()
    client:type "kodos, are you there?\n"
    local write = lab:expect(client):call("write"):returns(22)
    lab:expect_packet("gateway > kang",
      lab.family == 4 and "icmp[0] = 3 and icmp[1] = 1" or "icmp6 and ip6[40] = 1 and ip6[41] = 3",
      { within = lab:timer("r2", client) })
    lab:expect(client):still_in_state "ESTABLISHED"
    expect_give_up(lab, client, net.kang, write, "EHOSTUNREACH")
  end,
}
