-- curl downloads a file. The server sends one half of it, and then loses its power.
local wait = include "wait.lib.lua"
local HALF = "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nfirst half"

return {
  title = "curl and a download that stalls",
  asks = "How long does curl wait for the rest of a file whose server has lost its power?",
  source = "curl/curl#8345: libcurl is stuck for more than 3 minutes after the network has gone, "
    .. "in spite of CURLOPT_TCP_KEEPALIVE with 60 s and 60 s",
  tags = { "clients", "power", "keepalive" },
  needs = { "program curl" },
  cases = {
    {
      name = "keepalive",
      options = { "--keepalive-time", 1 },
      title = "curl with keepalive: the server loses its power during a download",
      here = "Until the keepalive probes have gone unanswered: the wait ends, but 3 minutes are "
        .. "too short to see it. With curl's times it takes 60 s and nine times 60 s: 10 minutes. "
        .. "\"Recv failure: Connection timed out\", exit status 56. curl 7.88, measured on Linux "
        .. "6.18.",
      why = "curl sets TCP_KEEPIDLE and TCP_KEEPINTVL to --keepalive-time, and leaves the number "
        .. "of probes to the kernel: 9 by default.",
      expect = function(lab, client, heard)
        local limit = lab:timer("keepalive_timeout", client)
        wait.until_it_gives_up(lab, client, heard, limit)
        lab:expect(client):exits(56)
      end,
    },
    {
      name = "no-keepalive",
      options = { "--no-keepalive" },
      title = "curl without keepalive: the server loses its power during a download",
      here = "Without end. This is the default of libcurl, but not of curl. curl 7.88, measured on "
        .. "Linux 6.18.",
      why = "curl has acknowledged all that came, and has nothing to send.",
      expect = function(lab, client)
        lab:never(client, 3):exits()
        lab:expect(client):still_in_state "ESTABLISHED"
      end,
    },
    {
      name = "speed-time",
      options = { "--no-keepalive", "--speed-limit", 100, "--speed-time", 2 },
      title = "curl with --speed-time: the server loses its power during a download",
      here = "Until less than --speed-limit bytes per second have come for --speed-time, 2 s here: "
        .. "\"Operation too slow\", exit status 28. curl 7.88, measured on Linux 6.18.",
      why = "This is a timer of the program, so it also ends a download from a frozen server. A "
        .. "slow download that goes on is left alone, unlike with --max-time.",
      expect = function(lab, client, heard)
        lab:expect(client):within(20):prints "Operation too slow"
        local exit = lab:expect(client):exits(28)
        lab:expect_between(exit.t - heard.t, 2, 4, "--speed-time")
      end,
    },
  },

  run = function(lab, case)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:run { "curl", "-sSN", "http://kodos:8080/", table.unpack(case.options) }
    lab:expect(server):prints "\r\n\r\n"
    server:type(HALF)
    lab:expect(client):prints "first half"
    local heard = lab:expect_packet("kodos > kang", "data")
    lab:expect_packet("kang > kodos", "ACK only", { fate = "delivered" })
    lab:expect(client):in_state "ESTABLISHED"
    kodos:power_off()
    case.expect(lab, client, heard)
  end,
}
