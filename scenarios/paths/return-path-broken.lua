-- The two directions of a connection can use different paths, and one of them can fail alone. Here
-- the data arrives, but no ACK returns, and the sender gets an error.
local expect_give_up = include "gives_up.lib.lua"

return {
  title = "The return path is broken",
  asks = "What does a writer see if its data arrives but no ACK comes back?",
  source = "RFC 9293 section 3.8; RFC 1122 section 4.2.3.5",
  here = "ETIMEDOUT, although the other program has read every byte. The other end stays "
    .. "ESTABLISHED. Measured on Linux 6.18.",
  why = "A sender knows only what is acknowledged. The data may have arrived even if no ACK comes "
    .. "back: only an answer from the other program shows whether it did.",
  tags = { "paths", "router", "partition" },

  run = function(lab)
    local net = lab:network {
      links = { lan = {}, wan = {} },
      hosts = { kang = { "lan" }, gateway = { "lan", "wan" }, kodos = { "wan" } },
    }
    local client, server = lab:connect(net.kang, net.kodos)

    lab:cut("gateway > kang")
    client:type "pay 100 to kodos\n"
    local write = lab:expect(client):call("write"):returns(17)
    lab:expect(server):prints "pay 100 to kodos"
    expect_give_up(lab, client, net.kang, write)
    lab:expect(server):still_in_state "ESTABLISHED"
  end,
}
