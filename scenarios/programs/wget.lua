-- wget waits for the answer to its request. It sets no socket option: it has a timer of its own.
local http = include "http.lib.lua"
local READ_TIMEOUT = 1

local function wait_for_the_timer(lab, client, request)
  local wait = lab:expect(client):times_out()
  lab:expect_time(wait.t - request.t, READ_TIMEOUT, "wget's own timer")
  lab:expect(client):prints "Read error (Connection timed out) in headers."
end

-- The new server gets the same request, and answers it. wget waits 1 s before it tries again.
local function expect_second_try(lab, client, server)
  lab:expect(server):prints "GET / HTTP/1.1"
  http.answer(server, "second answer\n")
  lab:expect(client):prints "second answer"
  lab:expect(client):exits(0)
end

return {
  title = "wget waits for an answer",
  asks = "When does wget learn that its server is gone, and what does it do then?",
  source = "wget(1): --read-timeout, --tries, --waitretry",
  why = "Nobody sends anything while wget waits, and wget does not turn keepalive on. Only its own "
    .. "timer ends the wait: select returns 0, and no system call fails.",
  tags = { "programs", "power" },
  needs = { "program wget" },
  cases = {
    {
      name = "power-off",
      title = "wget waits for an answer, and the server loses its power",
      here = "When --read-timeout is over: 1 s here, 900 s by default. wget calls that a timed out "
        .. "connection, and tries again. connect then fails with ETIMEDOUT when the kernel gives "
        .. "up, and wget 1.21 exits with 4. By default it tries 20 times. Measured on Linux 6.18.",
      run = function(lab, client, kodos, request)
        kodos:power_off()
        wait_for_the_timer(lab, client, request)
        lab:expect(client):call("connect"):is_entered()
        local limit = lab:timer("syn_r2", client)
        local second = lab:expect(client):within(2 * limit):call("connect"):fails "ETIMEDOUT"
        lab:expect_time(second.t - second.entered, limit, "the second connect")
        lab:expect(client):within(2 * limit):exits(4)  -- it asks for the address and tries again
      end,
    },
    {
      name = "power-cycle",
      title = "wget waits for an answer, and the server gets a power cycle",
      here = "When --read-timeout is over: 1 s here, 900 s by default. wget then sends the same "
        .. "request on a new connection, and exits with 0. wget 1.21, measured on Linux 6.18.",
      run = function(lab, client, kodos, request)
        local server = http.power_cycle(lab, kodos)
        wait_for_the_timer(lab, client, request)
        expect_second_try(lab, client, server)
      end,
    },
    {
      name = "server-frozen",
      title = "wget waits for an answer, and the server is frozen",
      here = "When --read-timeout is over: 1 s here, 900 s by default. wget then connects again, "
        .. "which succeeds at once, and waits for as long again. wget 1.21 exits with 4 after its "
        .. "last try, 20 by default: that takes 5 hours. Measured on Linux 6.18.",
      why = "The kernel of a frozen server completes the handshake of new connections, and "
        .. "acknowledges requests, until the backlog of listen is full. So a client that "
        .. "connects successfully has not found a server that works.",
      run = function(lab, client, _, request, server)
        server:freeze()
        wait_for_the_timer(lab, client, request)
        lab:expect(client):call("connect"):returns(0)
        local second = lab:expect(client):call("send"):returns()
        wait_for_the_timer(lab, client, second)
        lab:expect(client):exits(4)
      end,
    },
    {
      name = "server-killed",
      title = "wget waits for an answer, and the server is killed",
      here = "At once: the kernel of the server sends a FIN, and wget reads the end of the stream. "
        .. "It says \"No data received\", sends the same request on a new connection, and exits "
        .. "with 0. wget 1.21, measured on Linux 6.18.",
      why = "The server's kernel is alive and closes the sockets of the killed program. wget takes "
        .. "an empty answer for a network error, and tries again after 1 s.",
      run = function(lab, client, kodos, _, server)
        local wait = lab:hold("kang > kodos", "SYN") -- the new server may take 1 s to start
        server:kill()
        lab:expect(server):killed_by "SIGKILL"
        local new_server = kodos:dnc("-l", 8080)
        wait:remove()
        lab:expect(client):call("recv"):returns(0)
        lab:expect(client):prints "No data received."
        expect_second_try(lab, client, new_server)
      end,
    },
  },

  run = function(lab, case)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-k", "-l", 8080)
    local client = kang:run("wget", "--no-proxy", "--tries=2", "--read-timeout=" .. READ_TIMEOUT,
      "-O-", "http://kodos:8080/")
    http.expect_request(lab, server)
    local request = lab:expect(client):call("send"):returns()
    case.run(lab, client, kodos, request, server)
  end,
}
