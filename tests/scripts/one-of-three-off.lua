-- Three hosts on one link. What is sent to the one that is off, or unplugged, reaches nobody.
return {
  title = "One of three hosts is off",
  asks = "What becomes of a frame for a host that is not on the wire?",
  tags = { "trust" },
  run = function(lab)
    local kang, kodos, krusty = lab:hosts { "kang", "kodos", "krusty" }
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"

    kodos:unplug()
    client:type "unplugged\n"
    lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-push != 0", { fate = "lost" })
    kodos:plug()
    lab:expect(server):prints "unplugged"

    kodos:power_off()
    client:type "off\n"
    lab:expect_packet("kang > kodos", "tcp[tcpflags] & tcp-push != 0", { fate = "lost" })
    lab:never_packet(0.3, "* > krusty", "tcp")
    lab:expect(krusty):has_no_connection()
  end,
}
