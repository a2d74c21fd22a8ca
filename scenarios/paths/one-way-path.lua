-- The way there and the way back need not be the same, and one of them can break alone. Then the
-- data arrives, and the sender is told that it has not.
return {
  title = "The way back is broken",
  asks = "What does a writer learn when its data arrives, but no acknowledgment comes back?",
  source = "RFC 9293 section 3.8; RFC 1122 section 4.2.3.5",
  here = "ETIMEDOUT, though the other program has read every byte; it stays ESTABLISHED. "
    .. "Measured on Linux 6.18.",
  why = "TCP's acknowledgment is all that the sender has. That data has not been acknowledged does "
    .. "not say that it has not arrived: only the application's own answer could.",
  tags = { "paths", "router", "partition" },

  run = function(lab)
    local net = lab:network {
      links = { lan = {}, wan = {} },
      hosts = { kang = { "lan" }, gateway = { "lan", "wan" }, kodos = { "wan" } },
    }
    local server = net.kodos:dnc("-l", 8080)
    local client = net.kang:dnc(net.kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    lab:cut("gateway > kang")
    local gives_up_after = lab:timer("retransmission_timeout", client)
    client:type "pay 100 to kodos\n"
    local write = lab:expect(client):call("write"):returns(17)
    lab:expect(server):prints "pay 100 to kodos"
    lab:expect(client):within(gives_up_after * 2):call("poll"):reports "IN|ERR|HUP"
    lab:expect(client):call("read"):fails "ETIMEDOUT"
    local gone = lab:expect(client):in_state "CLOSED"
    lab:expect_between(gone.t - write.t, lab:timer("retransmission_limit", net.kang),
      gives_up_after, "giving up")
    lab:expect(server):still_in_state "ESTABLISHED"
  end,
}
