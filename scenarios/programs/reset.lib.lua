-- Expects that the server's host answers with a RST, and that the client's recv fails with it.
return function(lab, client, direction)
  lab:expect_packet(direction or "kodos > kang", "RST")
  lab:expect(client):call("recv"):fails "ECONNRESET"
end
