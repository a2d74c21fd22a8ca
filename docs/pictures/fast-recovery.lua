-- The transfer that docs/pictures/plot.png shows. tools/pictures runs it.
return {
  title = "Slow start, losses, fast recovery",
  asks = "What does a sender do when segments are lost?",
  source = "RFC 5681 section 3; RFC 6675",
  why = "Each ACK lets the sender's window grow by a segment. Three later segments are SACKed "
    .. "before the lost one: the sender retransmits it at once, and halves its window.",

  run = function(lab)
    local kang, kodos = lab:pair { sysctls = {
      ["net.ipv4.tcp_congestion_control"] = "reno",
      ["net.ipv4.tcp_rmem"] = "4096 262144 262144", -- a window that fits into the plot
    } }
    lab:delay("* > *", "tcp", { by = 20 * lab.millisecond })
    for lost = 0, 2 do
      lab:lose("kang > kodos", "greater 1000", { skip = 45 + 3 * lost, count = 1 })
    end
    local client, server = lab:connect(kang, kodos, {
      client = { "--repl" }, server = { "--repl" },
    })
    client:type "fill 400000\n"
    server:type "recv 400000 waitall\n"
    lab:expect(server):call("recv"):returns(400000)
  end,
}
