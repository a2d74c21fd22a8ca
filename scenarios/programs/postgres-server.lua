-- A client holds a lock of a PostgreSQL server, or reads a result, when its host fails. The server
-- turns keepalive on, with the kernel's times: 2 hours. Its settings change them.
local postgres = include "postgres.lib.lua"
local expect_acknowledged = include "acknowledged.lib.lua"
local gives_up = include "gives_up.lib.lua"
local CHECK_INTERVAL = 0.5
local CHECK = "client_connection_check_interval=" .. CHECK_INTERVAL .. "s"
local USER_TIMEOUT = 2

-- `count`: of probes, 3 by default.
local function with_keepalives(setting, count)
  return { "tcp_keepalives_idle=1", "tcp_keepalives_interval=1",
    "tcp_keepalives_count=" .. (count or 3), setting }
end

-- Another client, on the server's host, waits for the lock.
local function wait_for_the_lock(lab, kodos)
  local waiter = postgres.connect(lab, kodos, "", { watch = false })
  waiter:type "BEGIN; LOCK TABLE accounts; SELECT 'the lock ' || 'is mine';\n"
  return waiter
end

-- The client reads a result of 1 GB. `fails` is called when the first large segment is sent.
local function read_result(lab, client, fails)
  lab:when(lab:packet("kodos > kang", "tcp and greater 1000"), fails)
  client:type "SELECT repeat('x', 1000), generate_series(1, 1000000);\n"
end

local function result_power_off(timer)
  return function(lab, client, server, kang)
    local lost
    read_result(lab, client, function(packet)
      lost = packet
      kang:power_off()
    end)
    lab:expect(server):call("send"):fails "EAGAIN"
    gives_up.expect(lab, server, timer, lost.t, "send")
    lab:expect(server):prints "could not send data to client: Connection timed out"
  end
end

local function idle_power_off(lab, _, server, kang, kodos, heard)
  kang:power_off()
  local waiter = wait_for_the_lock(lab, kodos)
  gives_up.expect(lab, server, "keepalive_timeout", heard.t)
  lab:expect(waiter):prints "the lock is mine"
end

return {
  title = "A PostgreSQL server and a client that is gone",
  asks = "When does a PostgreSQL server learn that its client is gone, and release its locks?",
  source = "PostgreSQL: tcp_keepalives_idle, tcp_user_timeout, client_connection_check_interval",
  tags = { "programs", "power", "keepalive", "postgres" },
  needs = { "program psql" },
  cases = {
    {
      name = "power-off",
      kernels_times = true,
      title = "PostgreSQL: the host of a client that holds a lock loses its power",
      here = "When the kernel's keepalive probes have gone unanswered: the lock is held for 2 "
        .. "hours and 11 minutes by default. recv then fails with ETIMEDOUT, and the next client "
        .. "gets the lock. PostgreSQL 15, measured on Linux 6.18.",
      why = "The server waits for the client's next command, and has nothing to send. PostgreSQL "
        .. "turns keepalive on, but tcp_keepalives_idle, _interval and _count are 0 by default: "
        .. "the kernel's 7200 s and nine times 75 s.",
      run = idle_power_off,
    },
    {
      name = "power-off-keepalives",
      settings = with_keepalives(),
      title = "PostgreSQL with tcp_keepalives_idle: the host of a client that holds a lock loses "
        .. "its power",
      here = "After tcp_keepalives_idle and tcp_keepalives_count times tcp_keepalives_interval: "
        .. "the lock is held for 4 s here. recv fails with ETIMEDOUT. PostgreSQL 15, measured on "
        .. "Linux 6.18.",
      why = "The process that serves the client sets TCP_KEEPIDLE, TCP_KEEPINTVL and TCP_KEEPCNT "
        .. "to these settings. A client may also set them for its own session.",
      run = idle_power_off,
    },
    {
      name = "power-cycle",
      settings = with_keepalives(nil, 30),  -- more than come while a host starts
      title = "PostgreSQL with tcp_keepalives_idle: the host of a client that holds a lock gets a "
        .. "power cycle",
      here = "At the first keepalive probe: after tcp_keepalives_idle, 1 s here, or 2 hours by "
        .. "default. recv fails with ECONNRESET, and the next client gets the lock. PostgreSQL "
        .. "15, measured on Linux 6.18.",
      why = "The probe is the first segment that the client's new kernel gets, and it answers "
        .. "with a RST. The client may have connected again long before, and then waits for its "
        .. "own old lock.",
      run = function(lab, _, server, kang, kodos, heard)
        kang:power_cycle()
        local waiter = wait_for_the_lock(lab, kodos)
        local probe = lab:expect_packet("kodos > kang", "keepalive probe")
        lab:expect_time(probe.t - heard.t, 1, "tcp_keepalives_idle")
        lab:expect(server):call("recv"):fails "ECONNRESET"
        lab:expect(waiter):prints "the lock is mine"
      end,
    },
    {
      name = "query-power-off",
      settings = with_keepalives(),
      title = "PostgreSQL runs a query, and the host of its client loses its power",
      here = "When the query ends, however long it takes. Keepalive ends the connection after 4 s "
        .. "here, but PostgreSQL 15 runs the query and holds its locks. Measured on Linux 6.18.",
      why = "A process that runs a query does not look at its connection. The kernel keeps the "
        .. "error until the process calls recv or send.",
      run = function(lab, client, server, kang, kodos)
        postgres.start_query(lab, client, kang, kodos)
        local connection = lab:connection(kodos)
        kang:power_off()
        local waiter = wait_for_the_lock(lab, kodos)
        local limit = lab:timer("keepalive_timeout", server)
        lab:expect(connection):within(2 * limit):in_state "CLOSED"
        lab:never(waiter, 1):prints "the lock is mine"
      end,
    },
    {
      name = "query-power-off-check",
      settings = with_keepalives(CHECK),
      title = "PostgreSQL with client_connection_check_interval: the host of its client loses its "
        .. "power",
      here = "At the first check after keepalive has ended the connection: after 4 s and at most "
        .. "one interval here. PostgreSQL 15 ends the query (\"connection to client lost\"), and "
        .. "the next client gets the lock. Measured on Linux 6.18.",
      why = "The check asks the kernel for the connection's state (epoll, EPOLLRDHUP), and sends "
        .. "nothing. So it finds a dead host only if keepalive has found it before.",
      run = function(lab, client, server, kang, kodos)
        local heard = postgres.start_query(lab, client, kang, kodos)
        kang:power_off()
        local waiter = wait_for_the_lock(lab, kodos)
        local limit = lab:timer("keepalive_timeout", server)
        local notice = lab:expect(server):within(2 * limit):prints "connection to client lost"
        lab:expect_between(notice.t - heard.t, limit, limit + CHECK_INTERVAL, "the next check")
        lab:expect(waiter):prints "the lock is mine"
      end,
    },
    {
      name = "query-killed",
      title = "PostgreSQL runs a query, and its client is killed",
      here = "When the query ends, although the FIN came at once: the connection stays in "
        .. "CLOSE_WAIT. By default, PostgreSQL 15 runs the query of a killed client to its end, "
        .. "and holds its locks. Measured on Linux 6.18.",
      why = "A process that runs a query does not look at its connection. "
        .. "client_connection_check_interval is 0 by default.",
      run = function(lab, client, _, kang, kodos)
        postgres.start_query(lab, client, kang, kodos)
        local connection = lab:connection(kodos)
        client:kill()
        lab:expect(connection):in_state "CLOSE_WAIT"
        local waiter = wait_for_the_lock(lab, kodos)
        lab:never(waiter, 3 * CHECK_INTERVAL):prints "the lock is mine"
        lab:expect(connection):still_in_state "CLOSE_WAIT"
      end,
    },
    {
      name = "query-killed-check",
      settings = { CHECK },
      title = "PostgreSQL with client_connection_check_interval: its client is killed",
      here = "At the next check: within client_connection_check_interval, 0.5 s here. PostgreSQL "
        .. "15 ends the query (\"connection to client lost\"), and the next client gets the lock. "
        .. "Measured on Linux 6.18.",
      why = "The client's kernel is alive and sends a FIN. For epoll, that is EPOLLRDHUP.",
      run = function(lab, client, server, kang, kodos)
        postgres.start_query(lab, client, kang, kodos)
        local waiter = wait_for_the_lock(lab, kodos)
        client:kill()
        local fin = lab:expect_packet("kang > kodos", "FIN")
        local notice = lab:expect(server):prints "connection to client lost"
        lab:expect_between(notice.t - fin.t, 0, CHECK_INTERVAL, "the next check")
        lab:expect(waiter):prints "the lock is mine"
      end,
    },
    {
      name = "result-power-off",
      title = "PostgreSQL sends a result, and the host of its client loses its power",
      here = "When the kernel gives up on the data: after 15 minutes by default. send fails with "
        .. "ETIMEDOUT, and PostgreSQL 15 writes \"could not send data to client: Connection timed "
        .. "out\". Measured on Linux 6.18.",
      why = "The socket's buffer is full, so PostgreSQL waits in epoll. Keepalive does not run "
        .. "while data is unacknowledged. So tcp_retries2 decides.",
      run = result_power_off "r2",
    },
    {
      name = "result-user-timeout",
      settings = { "tcp_user_timeout=" .. 1000 * USER_TIMEOUT },
      title = "PostgreSQL with tcp_user_timeout sends a result, and the host of its client loses "
        .. "its power",
      here = "When tcp_user_timeout is over: 2 s here. send fails with ETIMEDOUT. PostgreSQL 15, "
        .. "measured on Linux 6.18.",
      why = "PostgreSQL sets TCP_USER_TIMEOUT, which limits how long data may stay "
        .. "unacknowledged. It replaces tcp_retries2.",
      run = result_power_off "user_timeout",
    },
    {
      name = "result-frozen",
      settings = { "tcp_user_timeout=" .. 1000 * USER_TIMEOUT },
      title = "PostgreSQL with tcp_user_timeout sends a result, and its client is frozen",
      here = "When tcp_user_timeout is over, 2 s here, counted from the first window probe. send "
        .. "fails with ETIMEDOUT, although the client's kernel answers each probe. So PostgreSQL "
        .. "15 also drops a client that only reads too slowly. Measured on Linux 6.18.",
      why = "The window of the frozen client is 0. For TCP_USER_TIMEOUT, data that cannot be sent "
        .. "counts like data that is not acknowledged: tcp_probe_timer() gives up.",
      run = function(lab, client, server)
        read_result(lab, client, function() client:freeze() end)
        lab:expect_packet("kang > kodos", "zero window")
        local probe = lab:expect_packet("kodos > kang", "window probe")
        lab:expect_packet("kang > kodos", "zero window")
        local notice = lab:expect(server):within(2 * USER_TIMEOUT):call("send"):fails "ETIMEDOUT"
        lab:expect_time(notice.t - probe.t, USER_TIMEOUT, "tcp_user_timeout")
      end,
    },
  },

  run = function(lab, case)
    local kang, kodos = lab:pair()
    if not case.kernels_times then
      kodos:sysctl("net.ipv4.tcp_keepalive_time", 7200) -- as by default
    end
    local server = postgres.start(lab, kodos, case.settings, true)
    local client = postgres.connect(lab, kang, "keepalives=0", { watch = false })
    client:type "CREATE TABLE accounts (); BEGIN; LOCK TABLE accounts;\n"
    client:type "SELECT 'lock ' || 'taken';\n"
    lab:expect(client):prints "lock taken"
    local heard = expect_acknowledged(lab, kodos, kang)
    case.run(lab, client, server, kang, kodos, heard)
  end,
}
