-- Which setting ends which wait? In each case the peer fails in another way, while clients wait for
-- it side by side, each with another setting. docs/timeouts.md has the table of the results.
local timeouts = include "timeouts.lib.lua"
local middlebox = include "middlebox.lib.lua"
local ends = timeouts.ends

local function three_hosts(lab)
  local kang, krusty, kodos = lab:hosts { "kang", "krusty", "kodos" }
  return { kang = kang, krusty = krusty, kodos = kodos }
end

local function note_writes(lab, clients, bytes)
  for _, client in ipairs(clients) do
    client.sent = lab:expect(client.program):call("write"):returns(bytes)
  end
end

-- kodos has no power, so no SYN is answered. The waits are in connect.
local function run_connect(lab)
  local hosts = three_hosts(lab)
  timeouts.prepare(hosts.kang, hosts.krusty)
  hosts.kodos:power_off()
  local function connect(host, ...)
    local client = host:dnc("--repl")
    client:type "socket\n"
    for _, option in ipairs { ... } do client:type("setsockopt " .. option .. "\n") end
    client:type "connect kodos 8080\n"
    return client
  end
  local function expect_connect(client, errno, seconds, what)
    local call = lab:expect(client):within(2 * seconds):call("connect"):fails(errno)
    lab:expect_time(call.t - call.entered, seconds, what)
    lab:say(("%s: connect ends after %.2f s"):format(what, call.t - call.entered))
  end
  local seconds = timeouts.seconds
  local user = connect(hosts.kang, ("TCP_USER_TIMEOUT %d"):format(1000 * seconds))
  local count = connect(hosts.kang, "TCP_SYNCNT 1")
  local send = connect(hosts.kang, "SO_SNDTIMEO " .. seconds .. "s")
  local own = hosts.kang:dnc("--repl")
  own:type("socket\nnonblock on\nconnect kodos 8080\npoll in " .. seconds .. "s\n")
  local without = {
    connect(hosts.kang), connect(hosts.krusty), -- krusty has tcp_retries2 = 2
    connect(hosts.kang, "SO_RCVTIMEO " .. seconds .. "s"),
    connect(hosts.kang, "SO_KEEPALIVE on", "TCP_KEEPIDLE 1", "TCP_KEEPINTVL 1", "TCP_KEEPCNT 1"),
  }
  expect_connect(user, "ETIMEDOUT", seconds, "TCP_USER_TIMEOUT")
  expect_connect(send, "EINPROGRESS", seconds, "SO_SNDTIMEO")
  lab:expect(send):in_state "SYN_SENT"
  local poll = lab:expect(own):call("poll"):returns(0)
  lab:expect_time(poll.t - poll.entered, seconds, "the program's own timer")
  expect_connect(count, "ETIMEDOUT", lab:timer("syn_r2", count), "TCP_SYNCNT")
  timeouts.wait_for_the_longest(lab, hosts.krusty)
  for _, client in ipairs(without) do
    lab:never(client, 0.01):call("connect"):returns()
    lab:expect(client):in_state "SYN_SENT"
  end
end

local function run_request_lost(lab)
  local hosts = three_hosts(lab)
  local clients = timeouts.connect(lab, hosts)
  lab:wait(0.1)
  hosts.kodos:power_off()
  timeouts.type_to_all(clients, "write request\n")
  note_writes(lab, clients, 7)
  timeouts.wait_in_all(clients)
  timeouts.expect_ends(lab, clients, {
    ["TCP_USER_TIMEOUT"] = ends.by_timer "user_timeout", ["both"] = ends.by_timer "user_timeout",
    ["tcp_retries2"] = ends.by_timer "r2", ["SO_RCVTIMEO"] = ends.by_receive_timeout,
    ["own timer"] = ends.by_own_timer, ["heartbeat"] = ends.by_own_timer,
  })
end

local function run_waiting(lab)
  local hosts = three_hosts(lab)
  local clients = timeouts.connect(lab, hosts)
  timeouts.send_to_all(lab, clients)
  hosts.kodos:power_off()
  timeouts.wait_in_all(clients)
  timeouts.expect_ends(lab, clients, {
    ["keepalive"] = ends.by_timer "keepalive_timeout", ["both"] = ends.by_timer "keepalive_timeout",
    ["SO_RCVTIMEO"] = ends.by_receive_timeout, ["own timer"] = ends.by_own_timer,
    ["heartbeat"] = ends.by_own_timer,
  })
end

local function run_rebooted(lab)
  local hosts = three_hosts(lab)
  local clients = timeouts.connect(lab, hosts, { keepalive_later = true })
  timeouts.send_to_all(lab, clients)
  hosts.kodos:power_cycle()
  -- Not before: the only probe would be lost if the power cycle took longer than a second.
  timeouts.start_keepalive(lab, clients)
  timeouts.wait_in_all(clients)
  timeouts.expect_ends(lab, clients, {
    ["keepalive"] = ends.by_probe, ["both"] = ends.by_probe,
    ["SO_RCVTIMEO"] = ends.by_receive_timeout, ["own timer"] = ends.by_own_timer,
    ["heartbeat"] = ends.by_reset,
  })
end

local function run_frozen(lab)
  local clients = timeouts.connect(lab, three_hosts(lab))
  for _, client in ipairs(clients) do client.server:freeze() end
  timeouts.type_to_all(clients, "write request\n")
  timeouts.wait_in_all(clients)
  timeouts.expect_ends(lab, clients, {
    ["SO_RCVTIMEO"] = ends.by_receive_timeout, ["own timer"] = ends.by_own_timer,
    ["heartbeat"] = ends.by_own_timer,
  })
end

local function run_zero_window(lab)
  local clients = timeouts.connect(lab, three_hosts(lab), { server = { "--rcvbuf", 4096 } })
  for _, client in ipairs(clients) do client.server:freeze() end
  timeouts.type_to_all(clients, "fill 20000\n")
  note_writes(lab, clients, 20000)
  timeouts.wait_in_all(clients)
  local function by_user_timeout(_, client)
    local latest = client.limits.user_timeout
    local read = lab:expect(client.program):within(2 * latest):call("read"):fails "ETIMEDOUT"
    lab:expect_between(read.t - client.sent.t, timeouts.seconds, latest + 0.5, "giving up")
  end
  timeouts.expect_ends(lab, clients, {
    ["TCP_USER_TIMEOUT"] = by_user_timeout, ["both"] = by_user_timeout,
    ["SO_RCVTIMEO"] = ends.by_receive_timeout, ["own timer"] = ends.by_own_timer,
    ["heartbeat"] = ends.by_own_timer,
  })
end

local function run_forgotten(lab)
  local net = middlebox.silent(lab, "krusty")
  local clients = timeouts.connect(lab, net)
  for _ = 1, 4 do
    for _, client in ipairs(clients) do
      if client.knob.name == "heartbeat" then client.program:type "write ping\n" end
    end
    lab:wait(0.4 * middlebox.forgets_after)
  end
  timeouts.type_to_all(clients, "write request\n")
  note_writes(lab, clients, 7)
  timeouts.wait_in_all(clients)
  timeouts.expect_ends(lab, clients, {
    ["keepalive"] = ends.with_success, ["both"] = ends.with_success,
    ["heartbeat"] = ends.with_success, ["TCP_USER_TIMEOUT"] = ends.by_timer "user_timeout",
    ["tcp_retries2"] = ends.by_timer "r2", ["SO_RCVTIMEO"] = ends.by_receive_timeout,
    ["own timer"] = ends.by_own_timer,
  })
end

return {
  title = "Which timeout ends which wait",
  asks = "Which settings end a wait for a peer that fails, and when?",
  source = "tcp(7); socket(7); RFC 1122 sections 4.2.3.5 and 4.2.3.6; RFC 5482",
  why = "A timer of TCP runs only for its own cause: an unanswered SYN, unacknowledged data, or "
    .. "silence with SO_KEEPALIVE. The kernel of the peer satisfies all of them while its program "
    .. "is frozen. Only a timer of the program knows what the program waits for.",
  tags = { "clients", "power", "keepalive", "options" },
  cases = {
    {
      name = "connect",
      title = "Which timeout ends connect to a host without power",
      here = "TCP_SYNCNT and tcp_syn_retries, TCP_USER_TIMEOUT, and a timer of the program. "
        .. "SO_SNDTIMEO ends only the call: the socket goes on connecting. Keepalive, tcp_retries2 "
        .. "and SO_RCVTIMEO have no effect. Measured on Linux 6.18.",
      run = run_connect,
    },
    {
      name = "request-lost",
      title = "Which timeout ends the wait of a request that nobody acknowledges",
      here = "TCP_USER_TIMEOUT and tcp_retries2, and the timers of calls and programs. Keepalive "
        .. "does not. Measured on Linux 6.18.",
      run = run_request_lost,
    },
    {
      name = "waiting",
      title = "Which timeout ends the wait for an answer of a host without power",
      here = "Keepalive, and the timers of calls and programs. TCP_USER_TIMEOUT alone and "
        .. "tcp_retries2 do not. Measured on Linux 6.18.",
      run = run_waiting,
    },
    {
      name = "rebooted",
      title = "Which timeout ends the wait for an answer of a host that has restarted",
      here = "Keepalive and a heartbeat, because the new kernel answers what they send with a RST; "
        .. "and the timers of calls and programs. Measured on Linux 6.18.",
      run = run_rebooted,
    },
    {
      name = "frozen",
      title = "Which timeout ends the wait for a program that is frozen",
      here = "Only the timers of calls and programs. Measured on Linux 6.18.",
      run = run_frozen,
    },
    {
      name = "zero-window",
      title = "Which timeout ends the wait for a program that has stopped reading",
      here = "TCP_USER_TIMEOUT, although the peer's kernel answers the window probes; and the "
        .. "timers of calls and programs. Measured on Linux 6.18.",
      run = run_zero_window,
    },
    {
      name = "forgotten",
      title = "Which timeout helps behind a firewall that forgets idle connections",
      here = "Keepalive and a heartbeat keep the connection, if they are shorter than the "
        .. "firewall's timeout. TCP_USER_TIMEOUT, tcp_retries2 and the timers of calls and "
        .. "programs end the wait for the next answer. Measured on Linux 6.18.",
      run = run_forgotten,
    },
  },

  run = function(lab, case) case.run(lab) end,
}
