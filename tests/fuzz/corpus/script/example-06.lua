return {
  title = "Faults of all kinds",
  asks = "How are frames lost, cut off and held?",
  tags = { "tutorial" },
  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local syn_ack = lab:hold("kodos > kang", "tcp[tcpflags] & tcp-syn != 0")
    local client = kang:dnc(kodos, 8080)
    lab:expect_packet("kodos > kang", "", { fate = "held" })
    lab:expect(client):in_state "SYN_SENT"
    syn_ack:release()
    lab:expect(client):in_state "ESTABLISHED"
    syn_ack:remove()

    local data = "tcp[tcpflags] & tcp-push != 0"
    local first_data = lab:lose("kang > kodos", data, { count = 1 })
    client:type "hello, kodos\n"
    lab:expect_packet("kang > kodos", data, { fate = "lost" })
    lab:expect_packet("kang > kodos", data, { fate = "delivered" })
    lab:expect(server):prints "hello, kodos"
    first_data:remove()

    local cable = lab:cut("kodos > kang")
    server:type "hello, kang\n"
    lab:never(client, 0.3):prints "hello, kang"
    cable:remove()
    lab:expect(client):prints "hello, kang"
  end,
}
