-- curl waits for an answer that takes longer than the firewall between it and the server remembers.
local http = include "http.lib.lua"
local firewall = include "firewall.lib.lua"

return {
  title = "curl waits for a slow answer behind a firewall that forgets",
  asks = "Does curl get an answer that takes longer than the timeout of the firewall?",
  source = "curl(1), --keepalive-time; nf_conntrack-sysctl: nf_conntrack_tcp_timeout_established",
  tags = { "programs", "firewall", "nft", "keepalive" },
  needs = { "program curl" },
  cases = {
    {
      name = "without-keepalive",
      options = { "--no-keepalive" },
      title = "curl without keepalive, and a firewall that forgets",
      here = "No. The server sends its answer, and its kernel gives up on it after 15 minutes by "
        .. "default. curl 7.88 notices nothing, and waits without end. Measured on Linux 6.18.",
      why = "The firewall drops the answer and tells nobody. curl has nothing to send, so it "
        .. "never finds out.",
      expect = function(lab, client, server)
        local limit = lab:timer("r2", server)
        lab:expect(server):within(2 * limit):call("read"):fails "ETIMEDOUT"
        lab:expect(client):still_in_state "ESTABLISHED"
        lab:expect(client):still_runs()
      end,
    },
    {
      name = "with-keepalive",
      options = { "--keepalive-time", 1 },
      title = "curl with keepalive, and a firewall that forgets",
      here = "Yes, if --keepalive-time, 60 s by default, is shorter than the timeout of the "
        .. "firewall. curl 7.88, measured on Linux 6.18.",
      why = "Each probe and its answer cross the firewall, which then counts from zero again.",
      expect = function(lab, client)
        lab:expect(client):prints "slow answer"
        lab:expect(client):exits(0)
      end,
    },
  },

  run = function(lab, case)
    local kang, kodos = firewall.hosts(lab)
    local server = kodos:dnc("-l", 8080)
    local client = kang:run { "curl", "-s", "http://kodos:8080/", table.unpack(case.options) }
    lab:expect(server):prints "\r\n\r\n"
    lab:expect(client):in_state "ESTABLISHED"
    firewall.wait_until_it_forgets(lab)
    http.answer(server, "slow answer")
    case.expect(lab, client, server)
  end,
}
