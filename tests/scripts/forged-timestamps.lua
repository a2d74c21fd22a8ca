-- Answers a SYN with timestamps by a forged SYN,ACK with and without, and forges data.
return {
  title = "Timestamps of forged data",
  asks = "Has forged data timestamps only if both SYNs offered them?",
  cases = {
    { name = "offered", timestamps = { value = 700, echo = 0 } },
    { name = "not-offered" },
  },
  run = function(lab, case)
    local kang, kodos = lab:pair { sysctls = { ["net.ipv4.tcp_timestamps"] = 1 } }
    lab:cut("kang > kodos", "tcp")
    local client = kang:dnc "--repl"
    client:type("socket nonblock\nconnect " .. kodos:address() .. " 8080\n")
    local syn = lab:expect_packet("kang > kodos", "SYN")
    lab:check(syn.tsval and syn.tsecr == 0, "the SYN offers timestamps", syn.tsval)
    lab:check(not syn.fast_open, "the SYN asks for no cookie", syn.fast_open)
    local offered = case.timestamps
    if offered then offered.echo = syn.tsval end
    lab:forge {
      to = kang,
      from = kodos,
      source_port = 8080,
      port = tonumber(syn.source:match ":(%d+)$"),
      flags = "SA",
      seq = 5000,
      ack = syn.seq + 1,
      options = { mss = 1460, timestamps = offered, fast_open = "\1\2\3\4" },
    }
    local answer = lab:expect_packet("kodos > kang", "SYN ACK", { fate = "forged" })
    lab:check(answer.fast_open == "01020304", "the cookie is a fact", answer.fast_open)
    lab:expect_packet("kang > kodos", "ACK only", { ack = 1 })
    lab:connection(client):data("x", { window = 0 })
    local data = lab:expect_packet("kodos > kang", "data", { fate = "forged" })
    lab:check(data.window == 0, "a zero window is 0", data.window)
    local expected = offered and 700 or nil
    lab:check(data.tsval == expected, "the data has the negotiated timestamps", data.tsval)
    lab:expect_packet("kang > kodos", "ACK only", { ack = 2, within = 0.5 })
  end,
}
