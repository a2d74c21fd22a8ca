-- A server does not answer any more, until the kernel of the program that waits for it gives up.
local gives_up = {}

-- Expects that a call of the program fails with ETIMEDOUT when a timer of the kernel is over.
-- `timer` is a name for lab:timer, and `since` the time at which it began. `call` is recv by
-- default.
function gives_up.expect(lab, program, timer, since, call)
  local limit = lab:timer(timer, program)
  local notice = lab:expect(program):within(2 * limit):call(call or "recv"):fails "ETIMEDOUT"
  lab:expect_time(notice.t - since, limit, "giving up")
end

-- The client sends a request that nobody acknowledges.
function gives_up.expect_on_request(lab, client, request)
  local typed = lab:now()
  client:type(request)
  local sent
  repeat sent = lab:expect(client):call("send"):returns() until sent.t >= typed
  gives_up.expect(lab, client, "r2", sent.t)
end

-- The client opens a connection, with a connect that does not block. Nobody answers its SYNs.
function gives_up.expect_on_connect(lab, client)
  local connect = lab:expect(client):call("connect"):fails "EINPROGRESS"
  local limit = lab:timer("syn_r2", client)
  local failure = lab:expect(client):within(2 * limit)
    :call("getsockopt", "SO_ERROR"):gives "ETIMEDOUT"
  lab:expect_time(failure.t - connect.t, limit, "giving up on the new connection")
end

return gives_up
