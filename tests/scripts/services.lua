-- A service that is ready late, is restarted, and survives a power cycle as an object.
local SERVER = [[
import signal, socket, sys, time
signal.signal(signal.SIGINT, lambda *_: sys.exit(3))
signal.signal(signal.SIGTERM, signal.SIG_IGN)
time.sleep(0.3)
listener = socket.create_server(("", 8080), family=socket.AF_INET6, dualstack_ipv6=True)
print("at your service", flush=True)
while True:
    connection, _ = listener.accept()
    connection.sendall(b"welcome\n")
    connection.close()
]]
local LATE = [[rm -f /tmp/up; sleep 0.3; touch /tmp/up; echo up; exec sleep 1000]]

return {
  title = "Services",
  asks = "Does host:service wait until a program is ready, and start it again?",
  tags = { "programs" },
  needs = { "program python3", "program sh" },
  cases = {
    { name = "port", ready = { port = 8080, within = 30 } },
    { name = "prints", ready = { prints = "at your service", within = 30 } },
  },
  run = function(lab, case)
    local kang, kodos = lab:pair()
    local server = kodos:service {
      "python3", "-c", SERVER, ready = case.ready, stop = "SIGINT", name = "greeter",
    }
    local function expect_welcome()
      local client = kang:dnc(kodos, 8080)
      lab:expect(client):call("connect"):returns(0)
      lab:expect(client):prints "welcome"
      lab:expect(server):call("accept"):returns()
    end
    expect_welcome()

    local before = server
    local again = server:restart()
    expect_welcome()
    lab:check(again == server and before == server, "the object stands for the new program")
    lab:expect(server):still_runs()
    server:stop()
    lab:expect(server):exits(3)
    server:restart()
    expect_welcome()

    kodos:power_cycle()
    server:restart()
    expect_welcome()
    kodos:power_off()
    kodos:power_on()
    server:restart()
    expect_welcome()

    local began = lab:now()
    local late = kang:service {
      "sh", "-c", LATE, ready = { run = { "test", "-e", "/tmp/up", name = "check" } },
    }
    lab:check(lab:now() - began >= 0.3, "it waits for the check", lab:now() - began)
    late:restart()
    lab:expect(late):prints "up"
    late:stop()
    lab:expect(late):killed_by "SIGTERM"
  end,
}
