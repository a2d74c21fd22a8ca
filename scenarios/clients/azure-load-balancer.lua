-- A load balancer like Azure's: it forgets a connection that was idle for 4 minutes (2 s here), and
-- drops the next segment without a word. An option makes it send a RST to both ends instead.
local middlebox = include "middlebox.lib.lua"

return {
  title = "A load balancer that forgets after 4 minutes, as Azure's does",
  asks = "What does a client behind Azure's load balancer see after a long silence?",
  source = "learn.microsoft.com, load-balancer-tcp-reset: by default the load balancer silently "
    .. "drops flows when their idle timeout of 4 minutes is reached; with TCP reset enabled, it "
    .. "sends a RST to both ends at that moment",
  tags = { "clients", "firewall", "nft", "keepalive" },
  cases = {
    {
      name = "silent",
      title = "A load balancer that forgets silently: the client writes after a long silence",
      here = "ETIMEDOUT, when the kernel gives up: after 15 minutes by default. The claim holds. "
        .. "dnc behind nftables, measured on Linux 6.18.",
      why = "Nobody answers, so the kernel retransmits until tcp_retries2 ends it. To the client, "
        .. "the load balancer looks like a server without power.",
      expect = function(lab, client)
        local limit = lab:timer("r2", client)
        client:type "are you there?\n"
        local write = lab:expect(client):call("write"):returns(15)
        local read = lab:expect(client):within(2 * limit):call("read"):fails "ETIMEDOUT"
        lab:expect_time(read.t - write.entered, limit, "giving up")
      end,
    },
    {
      name = "keepalive",
      title = "A load balancer that forgets: the client's keepalive is shorter than its timeout",
      client = { "--keepalive", "1/1/9" },
      here = "Its answer: keepalive of less than 4 minutes keeps the connection. dnc behind "
        .. "nftables, measured on Linux 6.18.",
      why = "Each probe and its answer cross the load balancer, which then counts from zero again.",
      expect = function(lab, client, server)
        client:type "are you there?\n"
        lab:expect(server):prints "are you there?"
        server:type "yes\n"
        lab:expect(client):prints "yes"
      end,
    },
    {
      name = "user-timeout",
      title = "A load balancer that forgets silently: the client has TCP_USER_TIMEOUT",
      client = { "--user-timeout", "500ms" },
      here = "ETIMEDOUT after TCP_USER_TIMEOUT: a short wait, but the connection is lost. dnc "
        .. "behind nftables, measured on Linux 6.18.",
      why = "TCP_USER_TIMEOUT replaces tcp_retries2. It sends nothing on an idle connection, so "
        .. "it does not keep it.",
      expect = function(lab, client)
        local limit = lab:timer("user_timeout", client)
        client:type "are you there?\n"
        local write = lab:expect(client):call("write"):returns(15)
        local read = lab:expect(client):within(2 * limit):call("read"):fails "ETIMEDOUT"
        lab:expect_time(read.t - write.entered, limit, "giving up")
      end,
    },
    {
      name = "tcp-reset",
      title = "A load balancer that resets both ends when it forgets",
      here = "ECONNRESET as soon as the load balancer forgets, before the client writes. The "
        .. "server learns of it, too. So a pool can drop the connection, and a server releases its "
        .. "locks. Forged RSTs to dnc, measured on Linux 6.18.",
      why = "A RST wakes a program that polls its idle connection. A program that does not look "
        .. "gets the error from its next call.",
      expect = function(lab, client, server, kang, kodos)
        lab:connection(kang):rst()
        lab:connection(kodos):rst()
        lab:expect(client):call("read"):fails "ECONNRESET"
        lab:expect(server):call("read"):fails "ECONNRESET"
      end,
    },
  },

  run = function(lab, case)
    local net = middlebox.silent(lab)
    local client, server = lab:connect(net.kang, net.kodos, { client = case.client })
    middlebox.wait_until_it_forgets(lab)
    case.expect(lab, client, server, net.kang, net.kodos)
  end,
}
