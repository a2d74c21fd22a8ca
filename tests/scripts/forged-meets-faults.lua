-- Faults act on forged segments as on those of a host, in the order in which they were made.
return {
  title = "Forged segments meet faults",
  asks = "Does each fault do to a forged segment what it does to others?",
  tags = { "trust" },
  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"
    local acks = lab:cut("kang > kodos", "tcp") -- kodos has not sent what kang acknowledges
    local conn = lab:connection(client)
    local to_kang, data = "kodos > kang", "tcp[tcpflags] & tcp-push != 0"

    local fault = lab:lose(to_kang, data)
    conn:data "lost\n"
    lab:expect_packet(to_kang, data, { fate = "lost" })
    lab:never(client, 0.1):prints "lost"
    conn:data("past the fault\n", { faults = false })
    lab:expect(client):prints "past the fault"
    fault:remove()

    fault = lab:hold(to_kang, data)
    conn:data "held\n"
    lab:expect_packet(to_kang, data, { fate = "held" })
    lab:never(client, 0.1):prints "held"
    fault:release()
    lab:expect(client):prints "held"
    fault:remove()

    fault = lab:delay(to_kang, data, { by = 0.05 })
    conn:data "delayed\n"
    lab:expect_packet(to_kang, data, { fate = "delayed" })
    local late = lab:expect_packet(to_kang, data, { fate = "forged" })
    lab:say("delayed by " .. late.delivered - late.sent)
    if late.delivered - late.sent < 0.05 then error "it was not delayed" end
    lab:expect(client):prints "delayed"
    fault:remove()

    fault = lab:duplicate(to_kang, data)
    conn:data "twice\n"
    for _ = 1, 2 do lab:expect_packet(to_kang, data, { fate = "forged" }) end
    lab:expect(client):prints "twice"
    fault:remove()

    fault = lab:corrupt(to_kang, data, { value = 68, checksum = "fixed" })
    conn:data "damaged\n"
    lab:expect(client):prints "Damaged"
    fault:remove()

    lab:lose(to_kang, data, { count = 1, name = "first" })
    conn:data "x"
    lab:expect_packet(to_kang, data, { fate = "lost" })
    conn:data "counted\n"
    lab:expect(client):prints "counted"
    acks:remove()
  end,
}
