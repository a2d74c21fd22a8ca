-- Small writes cost a segment each. Nagle's algorithm holds them back while one is on its way, and
-- so adds a round trip to a program that writes a request in pieces.
local talk = include "talk.lib.lua"

return {
  title = "Nagle's algorithm",
  asks = "A program writes three small pieces. When do they go out?",
  source = "RFC 9293 section 3.7.4, RFC 896; tcp(7), TCP_NODELAY",
  here = "The first at once, the others together when the first is acknowledged. With TCP_NODELAY "
    .. "each goes out at once. Any Linux version.",
  why = "tcp_nagle_check() in net/ipv4/tcp_output.c holds a segment that is not full while a "
    .. "small one is unacknowledged.",
  tags = { "peer", "nagle" },
  cases = {
    { name = "on", before = "", after = { "twothree" } },
    { name = "off", before = "setsockopt TCP_NODELAY on\n", at_once = { "two", "three" },
      title = "Nagle's algorithm, turned off" },
  },

  run = function(lab, case)
    local server, conn = talk.accepted(lab, nil, talk.long_rto(lab))
    server:type(case.before .. "write one\nwrite two\nwrite three\n")
    conn:expect { data = "one" }
    lab:expect(server):call("write"):returns(3)
    lab:expect(server):call("write"):returns(3)
    lab:expect(server):call("write"):returns(5)
    for _, data in ipairs(case.at_once or {}) do conn:expect { data = data } end
    conn:expect_nothing(0.1)
    conn:ack()
    for _, data in ipairs(case.after or {}) do conn:expect { data = data } end
    conn:expect_nothing(0.1)
  end,
}
