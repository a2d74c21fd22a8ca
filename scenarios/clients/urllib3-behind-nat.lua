-- A Python program calls a function in the cloud, and waits minutes for its answer. It is behind
-- AWS's NAT gateway. boto3 needs the cloud, so urllib3, which boto3 uses, sets boto3's options.
local middlebox = include "middlebox.lib.lua"
local READ_TIMEOUT = 5
local CLIENT = [[
import socket, sys, urllib3
options = []
if len(sys.argv) > 2:
    options = [(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)]
if len(sys.argv) > 3:
    options.append((socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, int(sys.argv[3])))
pool = urllib3.PoolManager(socket_options=options, timeout=float(sys.argv[1]), retries=False)
try:
    print(pool.request("GET", "http://kodos:8080/").data, flush=True)
except urllib3.exceptions.HTTPError as error:
    print("failed:", error, flush=True)
]]

local function expect_read_timeout(lab, client, kodos)
  lab:expect(client):within(2 * READ_TIMEOUT):prints "Read timed out"
  lab:expect(kodos):in_state "ESTABLISHED"
end

return {
  title = "urllib3 waits for a slow answer behind AWS's NAT gateway",
  asks = "Does keepalive bring an answer that takes longer than the NAT's timeout?",
  source = "boto/boto3#2424: the answer of a call that takes longer than 350 s never comes, and "
    .. "the client runs into its read timeout; "
    .. "boto/botocore#2916: tcp_keepalive=True does not help",
  tags = { "clients", "nat", "nft", "keepalive" },
  needs = { "program python3" },
  cases = {
    {
      name = "default",
      options = {},
      expect = expect_read_timeout,
      title = "urllib3 without keepalive behind AWS's NAT gateway: a slow answer",
      here = "There is none: the claim holds. The NAT drops the answer, and the program waits for "
        .. "its read timeout. Without one it would wait without end. urllib3 2, measured on Linux "
        .. "6.18.",
      why = "The NAT forgot the connection while it was silent. Its RST is only for what comes "
        .. "from the inside, and the client sends nothing.",
    },
    {
      name = "keepalive",
      options = { "keepalive" },
      expect = expect_read_timeout,
      title = "urllib3 with SO_KEEPALIVE behind AWS's NAT gateway: a slow answer",
      here = "No: the claim holds. The first probe comes after tcp_keepalive_time, 2 hours by "
        .. "default. urllib3 2, measured on Linux 6.18.",
      why = "SO_KEEPALIVE alone leaves the times to the kernel.",
    },
    {
      name = "keepalive-idle",
      options = { "keepalive", 1 },
      title = "urllib3 with TCP_KEEPIDLE behind AWS's NAT gateway: a slow answer",
      here = "Yes, if TCP_KEEPIDLE is shorter than the NAT's timeout of 350 s. urllib3 2, measured "
        .. "on Linux 6.18.",
      why = "Each probe and its answer cross the NAT, which then counts from zero again.",
      expect = function(lab, client) lab:expect(client):prints "slow answer" end,
    },
  },

  run = function(lab, case)
    local net = middlebox.nat(lab)
    net.kang:sysctl("net.ipv4.tcp_keepalive_time", 7200)
    local server = net.kodos:dnc("-l", 8080)
    local client = net.kang:run("python3", "-c", CLIENT, READ_TIMEOUT, table.unpack(case.options))
    local outcome = lab:first {
      request = server:prints "\r\n\r\n", missing = client:prints "No module", within = 20,
    }
    if outcome == "missing" then lab:skip "the Python module urllib3 is not installed" end
    middlebox.wait_until_it_forgets(lab)
    server:type "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nslow answer"
    case.expect(lab, client, net.kodos)
  end,
}
