-- Clients side by side, each with another setting that limits a wait. See timeouts.lua.
local timeouts = { seconds = 1.5 }
local KEEPALIVE = { "--keepalive", "1/1/1" }
local USER_TIMEOUT = { "--user-timeout", timeouts.seconds .. "s" }
local OWN_TIMER = "poll in " .. timeouts.seconds .. "s\n"

-- `keepalive` says that the client sets KEEPALIVE, `options` are others of dnc, `set` is a socket
-- option, `timer` is that of lab:timer which needs the RTO, and `wait` are the calls in which the
-- client waits.
local KNOBS = {
  { name = "no setting", wait = "read\n" },
  { name = "keepalive", keepalive = true, wait = "read\n" },
  { name = "TCP_USER_TIMEOUT", options = USER_TIMEOUT, timer = "user_timeout", wait = "read\n" },
  { name = "both", keepalive = true, options = USER_TIMEOUT, timer = "user_timeout",
    wait = "read\n" },
  { name = "tcp_retries2", host = "krusty", timer = "r2", wait = "read\n" },
  { name = "TCP_SYNCNT", set = "TCP_SYNCNT 1", wait = "read\n" },
  { name = "SO_RCVTIMEO", set = "SO_RCVTIMEO " .. timeouts.seconds .. "s", wait = "read\n" },
  { name = "own timer", wait = OWN_TIMER },
  { name = "heartbeat", wait = "write ping\n" .. OWN_TIMER },
}

-- The hosts keep the kernel's own limits, which are longer than a run. Only krusty gives up early.
function timeouts.prepare(kang, krusty)
  for _, host in ipairs { kang, krusty } do
    host:sysctl("net.ipv4.tcp_retries2", host == krusty and 2 or 15)
    host:sysctl("net.ipv4.tcp_syn_retries", 6)
    host:sysctl("net.ipv4.tcp_keepalive_time", 7200)
  end
end

local function options_of(knob, has_keepalive)
  local options = { "--repl", table.unpack(knob.options or {}) }
  if knob.keepalive and has_keepalive then
    for _, option in ipairs(KEEPALIVE) do options[#options + 1] = option end
  end
  return options
end

-- Starts a client for each setting, and a server for each client. `more.server` are the server's
-- options. With `more.keepalive_later`, timeouts.start_keepalive() sets that.
function timeouts.connect(lab, hosts, more)
  more = more or {}
  timeouts.prepare(hosts.kang, hosts.krusty)
  local clients = { krusty = hosts.krusty }
  for number, knob in ipairs(KNOBS) do
    local host = hosts[knob.host or "kang"]
    lab:say("a client with " .. knob.name)
    local program, server = lab:connect(host, hosts.kodos, {
      port = 8080 + number, server = more.server,
      client = options_of(knob, not more.keepalive_later),
    })
    if knob.set then program:type("setsockopt " .. knob.set .. "\n") end
    -- Retransmissions change the RTO, and so what lab:timer computes from it.
    local limits = knob.timer and { [knob.timer] = lab:timer(knob.timer, program) } or {}
    clients[number] = { program = program, server = server, knob = knob, limits = limits }
  end
  return clients
end

-- The first probe comes a second later.
function timeouts.start_keepalive(lab, clients)
  for _, client in ipairs(clients) do
    if client.knob.keepalive then
      client.program:type "setsockopt TCP_KEEPIDLE 1\nsetsockopt SO_KEEPALIVE on\n"
      client.sent = lab:expect(client.program):call("setsockopt", "SO_KEEPALIVE"):returns(0)
    end
  end
end

function timeouts.type_to_all(clients, text)
  for _, client in ipairs(clients) do client.program:type(text) end
end

-- All clients send a request. Returns when the server's kernel has acknowledged all of them.
function timeouts.send_to_all(lab, clients)
  timeouts.type_to_all(clients, "write request\n")
  for _, client in ipairs(clients) do
    client.sent = lab:expect(client.program):call("write"):returns(7)
    lab:expect(client.server):prints "request"
  end
  lab:wait(0.1) -- longer than a delayed acknowledgment
end

function timeouts.wait_in_all(clients)
  for _, client in ipairs(clients) do client.program:type(client.knob.wait) end
end

-- The ways in which a wait ends. Each is a function of the lab and a client, and says the result.
local ends = {}
timeouts.ends = ends

local function say(lab, client, format, ...)
  lab:say(client.knob.name .. ": " .. format:format(...))
end

function ends.never(lab, client)
  lab:never(client.program, 0.01):call("read"):returns()
  lab:expect(client.program):in_state "ESTABLISHED"
  say(lab, client, "waits on")
end

function ends.by_own_timer(lab, client)
  local poll = lab:expect(client.program):call("poll"):returns(0)
  lab:expect_time(poll.t - poll.entered, timeouts.seconds, client.knob.name)
  say(lab, client, "poll ends after %.2f s", poll.t - poll.entered)
end

function ends.by_receive_timeout(lab, client)
  local read = lab:expect(client.program):call("read"):fails "EAGAIN"
  lab:expect_time(read.t - read.entered, timeouts.seconds, "SO_RCVTIMEO")
  say(lab, client, "read ends after %.2f s", read.t - read.entered)
end

-- The kernel gives up after a timer of lab:timer, counted from the client's last write.
function ends.by_timer(name)
  return function(lab, client)
    local limit = client.limits[name] or lab:timer(name, client.program)
    local read = lab:expect(client.program):within(2 * limit):call("read"):fails "ETIMEDOUT"
    lab:expect_time(read.t - client.sent.t, limit, client.knob.name, { tolerance = 0.3 })
    say(lab, client, "the kernel gives up after %.2f s", read.t - client.sent.t)
  end
end

-- The first keepalive probe gets a RST.
function ends.by_probe(lab, client)
  local read = lab:expect(client.program):call("read"):fails "ECONNRESET"
  lab:expect_time(read.t - client.sent.t, 1, "the first probe", { tolerance = 0.3 })
  say(lab, client, "a probe gets a RST after %.2f s", read.t - client.sent.t)
end

-- The ping gets a RST at once.
function ends.by_reset(lab, client)
  lab:expect(client.program):call("poll"):reports "IN|ERR|HUP"
  say(lab, client, "the ping gets a RST")
end

-- The connection works: the request arrives.
function ends.with_success(lab, client)
  lab:expect(client.server):prints "request"
  say(lab, client, "the request arrives")
end

-- Waits until each timer that could end a wait has had its time.
function timeouts.wait_for_the_longest(lab, krusty)
  lab:wait(1.25 * lab:timer("r2", krusty))
end

-- `results` has the end of each client's wait by the name of its setting. A wait
-- without one never ends.
function timeouts.expect_ends(lab, clients, results)
  timeouts.wait_for_the_longest(lab, clients.krusty)
  for _, client in ipairs(clients) do
    local result = results[client.knob.name]
    if result then result(lab, client) end
  end
  for _, client in ipairs(clients) do
    if not results[client.knob.name] then ends.never(lab, client) end
  end
end

return timeouts
