-- A NAT like AWS's: it forgets a connection that was idle for 350 s (2 s here), answers the next
-- segment from the inside with a RST, and drops what comes from the outside.
local middlebox = include "middlebox.lib.lua"

return {
  title = "A NAT that forgets after 350 s and resets, as AWS's NAT gateway does",
  asks = "What does a client behind AWS's NAT gateway see after a long silence?",
  source = "docs.aws.amazon.com, NAT gateways, troubleshooting: after 350 s of idleness, the NAT "
    .. "gateway returns a RST to the resources behind it that continue the connection, and sends "
    .. "no FIN",
  tags = { "clients", "nat", "nft", "keepalive" },
  cases = {
    {
      name = "client-writes",
      title = "A NAT that forgets and resets: the client writes after a long silence",
      here = "ECONNRESET at once: the claim holds. The server hears nothing, and stays "
        .. "ESTABLISHED. dnc behind nftables, measured on Linux 6.18.",
      why = "The NAT knows no connection for the segment, so it cannot translate it. A RST tells "
        .. "the client; the server's address is not involved.",
      expect = function(lab, client, server)
        client:type "are you there?\n"
        lab:expect(client):call("write"):returns(15)
        lab:expect_packet("gateway > kang", "tcp[tcpflags] & tcp-rst != 0")
        lab:expect(client):call("read"):fails "ECONNRESET"
        lab:expect(server):still_in_state "ESTABLISHED"
      end,
    },
    {
      name = "client-waits",
      title = "A NAT that forgets and resets: the server answers after a long silence",
      here = "Nothing: the RST does not help a client that waits. The answer is dropped, and the "
        .. "server gets ETIMEDOUT when its kernel gives up. The client waits without end. dnc "
        .. "behind nftables, measured on Linux 6.18.",
      why = "The NAT sends a RST only for what comes from the inside, and the client sends "
        .. "nothing.",
      expect = function(lab, client, server)
        local limit = lab:timer("r2", server)
        server:type "the answer\n"
        lab:expect(server):within(2 * limit):call("read"):fails "ETIMEDOUT"
        lab:expect(client):still_in_state "ESTABLISHED"
        lab:expect(client):still_runs()
      end,
    },
    {
      name = "late-keepalive",
      title = "A NAT that forgets and resets: the client's keepalive is longer than its timeout",
      keepalive = 3,
      here = "ECONNRESET at the first probe. So keepalive that comes too late does not keep the "
        .. "connection, but tells the client that it is gone. dnc behind nftables, measured on "
        .. "Linux 6.18.",
      why = "The probe comes from the inside, so the NAT answers it with a RST.",
      expect = function(lab, client)
        lab:expect_packet("gateway > kang", "tcp[tcpflags] & tcp-rst != 0")
        lab:expect(client):call("read"):fails "ECONNRESET"
      end,
    },
    {
      name = "keepalive",
      title = "A NAT that forgets and resets: the client's keepalive is shorter than its timeout",
      keepalive = 1,
      here = "The answer: keepalive of less than 350 s keeps the connection. dnc behind nftables, "
        .. "measured on Linux 6.18.",
      why = "Each probe and its answer cross the NAT, which then counts from zero again.",
      expect = function(lab, client, server)
        server:type "the answer\n"
        lab:expect(client):prints "the answer"
      end,
    },
  },

  run = function(lab, case)
    local net = middlebox.nat(lab)
    local options = case.keepalive and { "--keepalive", case.keepalive .. "/1/9" }
    local client, server = lab:connect(net.kang, net.kodos, { client = options })
    middlebox.wait_until_it_forgets(lab)
    case.expect(lab, client, server)
  end,
}
