-- A Python program has an idle connection to its redis-server, whose host loses its power. Then it
-- sends a command, or waits for messages.
local wait = include "wait.lib.lua"
local CLIENT = [[
import sys
try:
    import redis
except ModuleNotFoundError as error:
    sys.exit(print(error))
mode, timeout = sys.argv[1], float(sys.argv[2]) or None
client = redis.Redis(host="kodos", socket_timeout=timeout, health_check_interval=1)
try:
    client.ping()
    messages = client.pubsub()
    if mode == "subscribe":
        messages.subscribe("news")
        messages.get_message(timeout=1)
    print("ready", flush=True)
    sys.stdin.readline()
    while mode == "subscribe":
        print("message:", messages.get_message(timeout=0.2), flush=True)
    client.get("key")
except redis.RedisError as error:
    print("failed:", type(error).__name__, error, flush=True)
]]

return {
  title = "redis-py and a server that is gone",
  asks = "When does a Python program learn that its redis-server is gone?",
  source = "redis/redis-py#1527, #2243, #2417",
  tags = { "clients", "power", "redis" },
  needs = { "program redis-server", "program /usr/bin/python3" },
  cases = {
    {
      name = "default",
      mode = "get",
      title = "redis-py without socket_timeout: the server loses its power",
      source = "redis/redis-py#2243: the process hangs, because socket_timeout is None by default",
      here = "When the kernel gives up on the command: after 15 minutes by default. The claim "
        .. "holds. redis-py 4.3, measured on Linux 6.18.",
      why = "The command is never acknowledged, so tcp_retries2 limits the wait.",
      expect = function(lab, client)
        local limit = lab:timer("r2", client)
        client:type "\n"
        local command = lab:expect_packet("kang > kodos", "data")
        wait.until_it_gives_up(lab, client, command, limit)
        lab:expect(client):prints "failed:"
      end,
    },
    {
      name = "socket-timeout",
      mode = "get",
      timeout = 0.3,
      title = "redis-py with socket_timeout: the server loses its power",
      source = "redis/redis-py#1527: get hangs for 938 s in spite of socket_timeout=0.3",
      here = "After socket_timeout, 0.3 s here: the claim does not hold for a plain connection. "
        .. "poll returns 0, and the program gets a TimeoutError. 938 s is what tcp_retries2 takes "
        .. "without a timeout. redis-py 4.3, measured on Linux 6.18.",
      why = "Python waits in poll with the timeout before it calls recv. The thread used "
        .. "redis-py 3.5 with a tracing library. Neither was tried.",
      expect = function(lab, client)
        client:type "\n"
        local poll = lab:expect(client):times_out()
        lab:expect_time(poll.t - poll.entered, 0.3, "socket_timeout")
        lab:expect(client):prints "failed: TimeoutError"
      end,
    },
    {
      name = "subscriber",
      mode = "subscribe",
      title = "redis-py subscribes with health_check_interval: the server loses its power",
      source = "redis/redis-py#2417: get_message returns None again and again when the network is "
        .. "gone; the health check raises no error",
      here = "When the kernel gives up on the first PING of the health check: after 15 minutes by "
        .. "default. The claim holds: get_message returns None, as if nobody had published "
        .. "anything. When PINGs have filled the send buffer, after 8 minutes by default, it "
        .. "hangs in spite of its timeout. redis-py 4.3, measured on Linux 6.18.",
      why = "Once health_check_interval is over, 1 s here, check_health() of a subscriber sends a "
        .. "PING at each call, but does not look whether answers come. The PINGs wait in the send "
        .. "buffer. The first call after the kernel gave up gets the error: recv, or the send of "
        .. "the next PING. So a heartbeat must also limit the wait for its answer.",
      expect = function(lab, client)
        local limit = lab:timer("r2", client)
        client:type "\n"
        local ping = lab:expect_packet("kang > kodos", "data")
        lab:expect(client):prints "message: None"
        -- The first call after the kernel has given up gets the error: recv, after poll, or the
        -- send of the next PING. With default timers it is send, which waits for space.
        local call, notice = lab:first {
          recv = client:call("recv"):fails "ETIMEDOUT",
          send = client:call("send"):fails "ETIMEDOUT",
          within = 2 * limit,
        }
        lab:check(call == "send" or limit < 60 and call == "recv", "a call gives up", call)
        local tolerance = limit < 60 and 0.3 or nil
        lab:expect_time(notice.t - ping.t, limit, "giving up", { tolerance = tolerance })
      end,
    },
  },

  run = function(lab, case)
    local kang, kodos = lab:pair()
    kodos:service {
      "redis-server", "--save", "", "--protected-mode", "no", watch = false,
      ready = { prints = "Ready to accept connections" },
    }
    local client = kang:run("/usr/bin/python3", "-c", CLIENT, case.mode, case.timeout or 0)
    wait.until_ready(lab, client, "No module", "the Python module redis")
    lab:expect_packet("kang > kodos", "tcp",
      { ack = lab:connection(kodos).snd_nxt, fate = "delivered" })
    kodos:power_off()
    case.expect(lab, client)
  end,
}
