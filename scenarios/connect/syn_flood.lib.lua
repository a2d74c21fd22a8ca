-- Fills a server's queue of half-open connections: krusty sends SYNs and gets no answer. Returns
-- kang, which takes no part, kodos, and the server on kodos. `syncookies` is the sysctl's value.
-- Seven retries keep a half-open connection for longer than kang's connect lasts, with any timers.
return function(lab, syncookies)
  local kang, kodos, krusty = lab:hosts({ "kang", "kodos", "krusty" }, { sysctls = {
    ["net.ipv4.tcp_syncookies"] = syncookies,
    ["net.ipv4.tcp_synack_retries"] = 7,
  } })
  local backlog = 3
  local server = kodos:dnc("--backlog", backlog, "-l", 8080)
  lab:cut("kodos > krusty")
  local flood = krusty:dnc("--repl")
  for _ = 0, backlog do
    flood:type("socket nonblock\nconnect kodos 8080\n")
    lab:expect_packet("kodos > krusty", "SYN ACK", { fate = "lost" })
    lab:expect(kodos):in_state "SYN_RECV"
  end
  return kang, kodos, server
end
