-- The rows of docs/timeouts.md with the times of its advice, on hosts whose time jumps. Clients
-- wait side by side, each with another setting. ss(8) shows what their kernels know, at two moments
-- of the wait. timeout_rows_test.cc compares what that predicts with what then happens.
local FORGETS_AFTER = 100
local KEEPS = { keepalive = true, both = true, heartbeat = true }

local KEEPALIVE = { "--keepalive", "30/10/3" }
local USER_TIMEOUT = { "--user-timeout", "60s" }
local OWN_TIMER = "poll in 30s\n"
local KNOBS = {
  { name = "none", wait = "read\n" },
  { name = "keepalive", options = KEEPALIVE, wait = "read\n" },
  { name = "user timeout", options = USER_TIMEOUT, wait = "read\n" },
  { name = "both", options = { KEEPALIVE[1], KEEPALIVE[2], USER_TIMEOUT[1], USER_TIMEOUT[2] },
    wait = "read\n" },
  { name = "retries2", host = "krusty", wait = "read\n" },
  { name = "syn count", set = "TCP_SYNCNT 1", wait = "read\n" },
  { name = "receive timeout", set = "SO_RCVTIMEO 30s", wait = "read\n" },
  { name = "own timer", wait = OWN_TIMER },
  { name = "heartbeat", wait = "write ping\n" .. OWN_TIMER },
}
local SENDER = { name = "send timeout", set = "SO_SNDTIMEO 30s", wait = "fill 10000000\n" }
local CONNECTS = {
  { name = "none" },
  { name = "keepalive", set = "SO_KEEPALIVE on" },
  { name = "user timeout", set = "TCP_USER_TIMEOUT 60000" },
  { name = "retries2", host = "krusty" },
  { name = "syn count", set = "TCP_SYNCNT 1" },
  { name = "send timeout", set = "SO_SNDTIMEO 30s" },
  { name = "receive timeout", set = "SO_RCVTIMEO 30s" },
  { name = "own timer", own = true },
}

local function prepare(hosts) hosts.krusty:sysctl("net.ipv4.tcp_retries2", 2) end

local function connect_all(lab, hosts, server_options, knobs)
  prepare(hosts)
  local clients = {}
  for number, knob in ipairs(knobs or KNOBS) do
    lab:say(("client: %d %s"):format(8080 + number, knob.name))
    local program, server = lab:connect(hosts[knob.host or "kang"], hosts.kodos, {
      port = 8080 + number, server = server_options,
      client = { "--repl", table.unpack(knob.options or {}) },
    })
    if knob.set then program:type("setsockopt " .. knob.set .. "\n") end
    clients[number] = { program = program, server = server, knob = knob }
  end
  return clients
end

local function type_to_all(clients, text)
  for _, client in ipairs(clients) do client.program:type(text) end
end

local function send_request(lab, clients)
  type_to_all(clients, "write request\n")
  for _, client in ipairs(clients) do lab:expect(client.server):prints "request" end
  lab:wait(0.5)
end

local function freeze_servers(clients)
  for _, client in ipairs(clients) do client.server:freeze() end
end

local function show_sockets(lab, hosts)
  for _, name in ipairs { "kang", "krusty" } do
    lab:expect(hosts[name]:run("ss", "-tnoiep")):exits(0)
  end
end

-- R is at most 18 minutes. What has not ended after 40 never ends, as far as this run shows.
local function wait_for_the_end(lab, hosts, clients)
  for _, client in ipairs(clients) do
    if client.knob.wait then client.program:type(client.knob.wait) end
  end
  lab:wait(0.5)
  show_sockets(lab, hosts)
  lab:wait(19.5)
  show_sockets(lab, hosts)
  lab:wait(40 * lab.minute)
end

local function three_hosts(lab)
  local kang, krusty, kodos = lab:hosts { "kang", "krusty", "kodos" }
  return { kang = kang, krusty = krusty, kodos = kodos }
end

local rows = {}

function rows.connect(lab)
  local hosts = three_hosts(lab)
  prepare(hosts)
  hosts.kodos:power_off()
  local clients = {}
  for number, knob in ipairs(CONNECTS) do
    lab:say(("client: %d %s"):format(8080 + number, knob.name))
    local program = hosts[knob.host or "kang"]:dnc("--repl")
    program:type "socket\n"
    if knob.set then program:type("setsockopt " .. knob.set .. "\n") end
    if knob.own then program:type "nonblock on\n" end
    program:type(("connect kodos %d\n"):format(8080 + number))
    if knob.own then program:type(OWN_TIMER) end
    clients[number] = { program = program, knob = knob }
  end
  wait_for_the_end(lab, hosts, clients)
end

rows["request-lost"] = function(lab)
  local hosts = three_hosts(lab)
  local clients = connect_all(lab, hosts)
  lab:wait(0.5)
  hosts.kodos:power_off()
  type_to_all(clients, "write request\n")
  wait_for_the_end(lab, hosts, clients)
end

function rows.waiting(lab)
  local hosts = three_hosts(lab)
  local clients = connect_all(lab, hosts)
  send_request(lab, clients)
  hosts.kodos:power_off()
  wait_for_the_end(lab, hosts, clients)
end

function rows.restarted(lab)
  local hosts = three_hosts(lab)
  local clients = connect_all(lab, hosts)
  send_request(lab, clients)
  hosts.kodos:power_cycle()
  wait_for_the_end(lab, hosts, clients)
end

function rows.frozen(lab)
  local hosts = three_hosts(lab)
  local clients = connect_all(lab, hosts)
  freeze_servers(clients)
  type_to_all(clients, "write request\n")
  wait_for_the_end(lab, hosts, clients)
end

rows["zero-window"] = function(lab)
  local hosts = three_hosts(lab)
  local knobs = { SENDER, table.unpack(KNOBS) }
  local clients = connect_all(lab, hosts, { "--rcvbuf", 4096 }, knobs)
  freeze_servers(clients)
  type_to_all(clients, "fill 20000\n")
  wait_for_the_end(lab, hosts, clients)
end

-- Debian's kernel for hosts has no nftables. So the wire stands for the firewall: it loses all
-- frames of the connections that were idle for longer than FORGETS_AFTER. The test checks which
-- were.
function rows.forgotten(lab)
  local hosts = three_hosts(lab)
  local clients = connect_all(lab, hosts)
  for _ = 1, 4 do
    for _, client in ipairs(clients) do
      if client.knob.name == "heartbeat" then client.program:type "write ping\n" end
    end
    lab:wait(0.4 * FORGETS_AFTER)
  end
  for number, client in ipairs(clients) do
    if not KEEPS[client.knob.name] then
      lab:lose("* > kodos", "tcp port " .. 8080 + number)
      lab:lose("kodos > *", "tcp port " .. 8080 + number)
    end
  end
  type_to_all(clients, "write request\n")
  wait_for_the_end(lab, hosts, clients)
end

local cases = {}
for name in pairs(rows) do cases[#cases + 1] = { name = name, row = name } end
table.sort(cases, function(one, other) return one.name < other.name end)

return {
  title = "The rows of docs/timeouts.md, with what ss shows",
  asks = "Does what a kernel knows predict what ends a wait?",
  source = "docs/timeouts.md",
  here = "Yes, but for what the peer does.",
  why = "tcplab look says the same of live processes.",
  tags = { "timeouts" },
  cases = cases,
  run = function(lab, case) rows[case.row](lab) end,
}
