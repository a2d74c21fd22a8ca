-- The client sends a request that nobody acknowledges, until its kernel gives up.
return function(lab, client, request)
  local limit = lab:timer("r2", client)
  local typed = lab:now()
  client:type(request)
  local sent
  repeat sent = lab:expect(client):call("send"):returns() until sent.t >= typed
  local notice = lab:expect(client):within(2 * limit):call("recv"):fails "ETIMEDOUT"
  lab:expect_time(notice.t - sent.t, limit, "giving up on the request")
end
