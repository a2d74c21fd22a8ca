-- psql and its library libpq turn keepalive on, with the kernel's times: 2 hours. The settings of
-- the connection change them. The server fails while the connection is idle, or while psql waits
-- for the answer to a query.
local postgres = include "postgres.lib.lua"
local expect_acknowledged = include "acknowledged.lib.lua"
local expect_reset = include "reset.lib.lua"
local gives_up = include "gives_up.lib.lua"
local firewall = include "firewall.lib.lua"
local unplug_while_sending = include "cable.lib.lua"
local KEEPALIVE = "keepalives_idle=1 keepalives_interval=1 keepalives_count=3"

local function ask(lab, client)
  client:type "SELECT 'second' || ' answer';\n"
  return lab:expect_packet("kang > *", "data")
end

local function expect_lost(lab, client, message)
  lab:expect(client):prints(message)
  lab:expect(client):prints "connection to server was lost"
  lab:expect(client):exits(2)
end

local function expect_give_up(lab, client, timer, since)
  gives_up.expect(lab, client, timer, since)
  expect_lost(lab, client, "could not receive data from server: Connection timed out")
end

local function idle_power_off(timer)
  return function(lab, client, kodos)
    kodos:power_off()
    local query = ask(lab, client)
    expect_give_up(lab, client, timer, query.t)
  end
end

local function waiting_power_off(lab, client, kodos, _, kang)
  local heard = postgres.start_query(lab, client, kang, kodos)
  kodos:power_off()
  expect_give_up(lab, client, "keepalive_timeout", heard.t)
end

local function ask_restarted_server(lab, client, kodos, server)
  server:stop "SIGINT"
  lab:expect(client):in_state "CLOSE_WAIT"
  lab:expect(server):exits(0)
  postgres.start(lab, kodos)
  ask(lab, client)
end

return {
  title = "psql and its PostgreSQL server",
  asks = "When does psql learn that its server is gone?",
  source = "PostgreSQL: libpq, keepalives_idle, tcp_user_timeout; fe-connect.c: useKeepalives()",
  tags = { "programs", "power", "keepalive", "postgres" },
  needs = { "program psql", "program pkill" },
  cases = {
    {
      name = "idle-power-off",
      settings = KEEPALIVE,
      title = "psql: the server lost its power while the connection was idle",
      here = "When the kernel gives up on the query: after 15 minutes by default. psql 15 prints "
        .. "\"could not receive data from server: Connection timed out\" and exits with 2. "
        .. "Keepalive does not help, even with probes after 1 s. Measured on Linux 6.18.",
      why = "Keepalive does not run while data is unacknowledged, and the query is never "
        .. "acknowledged. So tcp_retries2 decides.",
      run = idle_power_off "r2",
    },
    {
      name = "idle-power-off-user-timeout",
      settings = "tcp_user_timeout=1500",
      title = "psql with tcp_user_timeout: the server lost its power while the connection was idle",
      here = "When tcp_user_timeout is over: 1.5 s here. recv then fails with ETIMEDOUT, and psql "
        .. "15 exits with 2. Measured on Linux 6.18.",
      why = "libpq sets TCP_USER_TIMEOUT, which limits how long data may stay unacknowledged. It "
        .. "replaces tcp_retries2.",
      run = idle_power_off "user_timeout",
    },
    {
      name = "idle-power-cycle",
      title = "psql: the server got a power cycle while the connection was idle",
      here = "At once: recv fails with ECONNRESET. psql 15 prints \"server closed the connection "
        .. "unexpectedly\" and exits with 2. Measured on Linux 6.18.",
      why = "The new kernel answers the query with a RST. libpq prints the same message for a RST "
        .. "and for a FIN, so it does not say that the server restarted.",
      run = function(lab, client, kodos)
        kodos:power_cycle()
        ask(lab, client)
        expect_reset(lab, client)
        expect_lost(lab, client, "server closed the connection unexpectedly")
      end,
    },
    {
      name = "idle-restarted",
      title = "psql: the PostgreSQL server was restarted while the connection was idle",
      here = "Only when it sends its next query. psql 15 then reads \"terminating connection due "
        .. "to administrator command\", which the server sent when it stopped, and exits with 2. "
        .. "The query is lost. Measured on Linux 6.18.",
      why = "psql waits for its input, not for the socket. So the message and the FIN wait in the "
        .. "kernel. psql sends the query in CLOSE_WAIT, and then reads what waits.",
      run = function(lab, client, kodos, server)
        ask_restarted_server(lab, client, kodos, server)
        lab:expect(client):call("recv"):returns()
        expect_lost(lab, client, "FATAL:  terminating connection due to administrator command")
      end,
    },
    {
      name = "interactive-restarted",
      tty = true,
      title = "psql at a terminal: the PostgreSQL server was restarted while the connection was "
        .. "idle",
      here = "Only when it sends its next query, which is lost. psql 15 then connects again by "
        .. "itself: \"Attempting reset: Succeeded\". The next query gets its answer. Measured on "
        .. "Linux 6.18.",
      why = "At a terminal, psql does not exit but calls PQreset. The new connection is a new "
        .. "session: settings, temporary tables and the open transaction of the old one are gone.",
      run = function(lab, client, kodos, server)
        ask_restarted_server(lab, client, kodos, server)
        lab:expect(client):prints "Attempting reset: Succeeded"
        ask(lab, client)
        lab:expect(client):prints "second answer"
      end,
    },
    {
      name = "waiting-power-off",
      kernels_times = true,
      title = "psql waits for an answer, and the server loses its power",
      here = "When the kernel's keepalive probes have gone unanswered: after 2 hours and 11 "
        .. "minutes by default. recv fails with ETIMEDOUT, and psql 15 exits with 2. Measured on "
        .. "Linux 6.18.",
      why = "The server has acknowledged the query, so there is nothing to retransmit. libpq "
        .. "turns keepalive on, but leaves the times to the kernel: 7200 s and nine times 75 s.",
      run = waiting_power_off,
    },
    {
      name = "waiting-power-off-keepalives",
      settings = KEEPALIVE,
      title = "psql with keepalives_idle waits for an answer, and the server loses its power",
      here = "After keepalives_idle and keepalives_count times keepalives_interval: 4 s here. "
        .. "recv fails with ETIMEDOUT, and psql 15 exits with 2. Measured on Linux 6.18.",
      why = "libpq sets TCP_KEEPIDLE, TCP_KEEPINTVL and TCP_KEEPCNT to these settings. Nothing is "
        .. "unacknowledged, so the probes run.",
      run = waiting_power_off,
    },
    {
      name = "waiting-power-off-both",
      settings = "keepalives_idle=1 keepalives_interval=1 tcp_user_timeout=1500",
      title = "psql with keepalives_idle and tcp_user_timeout waits, and the server loses its "
        .. "power",
      here = "At the first keepalive timer after tcp_user_timeout: 2 s here. The nine probes of "
        .. "keepalives_count would take 10 s. recv fails with ETIMEDOUT, and psql 15 exits with "
        .. "2. Measured on Linux 6.18.",
      why = "With TCP_USER_TIMEOUT, the kernel does not count probes: tcp_keepalive_timer() gives "
        .. "up when nothing came for that long and a probe is unanswered. So both settings "
        .. "together limit each wait for a server without power, before and after the query is "
        .. "acknowledged.",
      run = waiting_power_off,
    },
    {
      name = "waiting-power-cycle",
      kernels_times = true,
      title = "psql waits for an answer, and the server gets a power cycle",
      here = "At its first keepalive probe: after 2 hours by default. recv fails with ECONNRESET, "
        .. "and psql 15 exits with 2. Measured on Linux 6.18.",
      why = "Nobody sends anything while psql waits. The probe is the first segment that the new "
        .. "kernel gets, and it answers with a RST.",
      run = function(lab, client, kodos, _, kang)
        local heard = postgres.start_query(lab, client, kang, kodos)
        -- More probes than come while a host starts.
        kang:sysctl("net.ipv4.tcp_keepalive_probes", 30)
        kodos:power_cycle()
        local idle = tonumber(kang:sysctl "net.ipv4.tcp_keepalive_time")
        local probe = lab:expect_packet("kang > kodos", "keepalive probe", { within = 2 * idle })
        lab:expect_time(probe.t - heard.t, idle, "the first probe")
        lab:expect(client):call("recv"):fails "ECONNRESET"
        expect_lost(lab, client, "server closed the connection unexpectedly")
      end,
    },
    {
      name = "waiting-frozen",
      settings = KEEPALIVE .. " tcp_user_timeout=1500",
      title = "psql waits for an answer, and the PostgreSQL server is frozen",
      here = "Never: psql 15 waits for as long as the server is frozen, whatever the settings of "
        .. "keepalive and tcp_user_timeout are. Measured on Linux 6.18.",
      why = "The kernel of the frozen server answers each keepalive probe. statement_timeout does "
        .. "not help either, because the frozen server would have to enforce it. Only a timer of "
        .. "the program can end this wait, and psql has none.",
      run = function(lab, client, kodos, _, kang)
        postgres.start_query(lab, client, kang, kodos)
        lab:expect(kodos:run("pkill", "-STOP", "postgres", { watch = false })):exits(0)
        for _ = 1, 4 do
          lab:expect_packet("kang > kodos", "keepalive probe")
          lab:expect_packet("kodos > kang", "ACK only")
        end
        lab:never(client, 0.2):notices()
      end,
    },
    {
      name = "firewall-forgets",
      gateway = true,
      title = "psql behind a firewall that forgets its idle connection",
      here = "When the kernel gives up on the query: after 15 minutes by default. psql 15 prints "
        .. "\"could not receive data from server: Connection timed out\" and exits with 2. The "
        .. "server keeps the session. Measured on Linux 6.18.",
      why = "The firewall drops the query and says nothing. libpq's first keepalive probe comes "
        .. "after 2 hours, too late for any firewall.",
      run = function(lab, client, kodos)
        firewall.wait_until_it_forgets(lab)
        local query = ask(lab, client)
        expect_give_up(lab, client, "r2", query.t)
        local state = lab:connection(kodos).state
        lab:check(state == "ESTABLISHED", "the server keeps the session", state)
      end,
    },
    {
      name = "firewall-keepalives",
      settings = KEEPALIVE,
      gateway = true,
      title = "psql with keepalives_idle behind a firewall that forgets",
      here = "Nothing: the query gets its answer, if keepalives_idle is shorter than the timeout "
        .. "of the firewall. psql 15, measured on Linux 6.18.",
      why = "Each probe and its answer cross the firewall, which then counts from zero again.",
      run = function(lab, client)
        firewall.wait_until_it_forgets(lab)
        ask(lab, client)
        lab:expect(client):prints "second answer"
      end,
    },
    {
      name = "cable-out",
      title = "psql: the cable was out when the query was sent",
      here = "Nothing but a long wait: psql 15 prints the answer. The query arrives with the "
        .. "first retransmission after the cable is back. So the wait can be twice as long as the "
        .. "outage: 53 to 55 s for 30 s without a cable. Measured on Linux 6.18.",
      why = "Each retransmission waits twice as long as the one before. Nobody tells the kernel "
        .. "that the cable is back. tcp_user_timeout has to be longer than that, or the outage "
        .. "becomes an error.",
      run = function(lab, client, kodos)
        unplug_while_sending(lab, kodos, function() return ask(lab, client) end)
        lab:expect(client):prints "second answer"
      end,
    },
  },

  run = function(lab, case)
    local kang, kodos, gateway
    if case.gateway then
      kang, kodos, gateway = firewall.hosts(lab)
    else
      kang, kodos = lab:pair()
    end
    if not case.kernels_times then
      kang:sysctl("net.ipv4.tcp_keepalive_time", 7200) -- as by default
      kodos:sysctl("net.ipv4.tcp_keepalive_time", 7200)
    end
    local server = postgres.start(lab, kodos)
    local client = postgres.connect(lab, kang, case.settings, { tty = case.tty })
    expect_acknowledged(lab, kodos, gateway or kang)
    case.run(lab, client, kodos, server, kang)
  end,
}
