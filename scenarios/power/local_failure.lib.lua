-- kang has an established connection, and `fails` takes away its address or its link. Expects that
-- nothing happens until the program writes, that no frame leaves, and that the kernel gives up.
return function(lab, fails)
  local kang, kodos = lab:pair()
  local client = lab:connect(kang, kodos)

  fails(kang)
  lab:idle(20 * lab.minute)
  lab:expect(client):still_in_state "ESTABLISHED"
  client:type "kodos, are you there?\n"
  local write = lab:expect(client):call("write"):returns(22)
  local limit = lab:timer("r2_limit", kang)
  lab:never_packet(limit / 2, "kang > kodos", "tcp")
  local poll = lab:expect(client):within(limit * 2):call("poll"):reports "IN|ERR|HUP"
  lab:expect(client):call("read"):fails(lab.family == 4 and "ETIMEDOUT" or "ENETUNREACH")
  lab:expect_time(poll.t - write.entered, limit, "giving up")
  lab:expect(kodos):still_in_state "ESTABLISHED"
end
