-- Expects that the client's kernel gives up on data that is never acknowledged: read then fails
-- with ETIMEDOUT, or with `errno`. `write` is the call that wrote the data.
return function(lab, client, host, write, errno)
  local latest = lab:timer("r2", client)
  lab:expect(client):within(2 * latest + 5 * lab.second):call("poll"):reports "IN|ERR|HUP"
  lab:expect(client):call("read"):fails(errno or "ETIMEDOUT")
  local gone = lab:expect(client):in_state "CLOSED"
  lab:expect_between(gone.t - write.t, lab:timer("r2_limit", host), latest, "giving up")
end
