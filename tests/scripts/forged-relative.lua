-- Forges each half of a handshake, with several initial numbers. Expectations, summaries and the
-- ladder count from the number that the receiver has accepted.
local function client_accepts(lab, isn)
  local kang, kodos = lab:pair()
  lab:cut("kang > kodos", "tcp")
  local client = kang:dnc "--repl"
  client:type("socket nonblock\nconnect " .. kodos:address() .. " 8080\n")
  local syn = lab:expect_packet("kang > kodos", "SYN")
  lab:forge {
    to = kang,
    from = kodos,
    source_port = 8080,
    port = tonumber(syn.source:match ":(%d+)$"),
    flags = "SA",
    seq = isn,
    ack = syn.seq + 1,
    options = { mss = 1460 },
  }
  lab:expect_packet("kang > kodos", "ACK only", { seq = 1, ack = 1 })
  lab:connection(client):data "hello"
  lab:expect_packet("kodos > kang", "data", { seq = 1, ack = 1, fate = "forged" })
  local ack = lab:expect_packet("kang > kodos", "ACK only", { seq = 1, ack = 6 })
  lab:check(ack.summary:find("ack 6,", 1, true), "the summary has the same number", ack.summary)
end

local function server_accepts(lab, isn)
  local kang, kodos = lab:pair()
  lab:cut("kang > kodos", "RST")
  local server = kodos:dnc("-l", 8080)
  lab:expect(server):call("listen"):returns(0)
  lab:forge {
    to = kodos,
    from = kang,
    source_port = 4000,
    port = 8080,
    flags = "S",
    seq = isn,
    options = { mss = 1460 },
  }
  local answer = lab:expect_packet("kodos > kang", "SYN ACK", { seq = 0, ack = 1 })
  local summary = answer.summary
  lab:check(summary:find("ack 1,", 1, true), "the summary has the same number", summary)
end

return {
  title = "Relative numbers after a forged handshake",
  asks = "Do expectations count as the ladder does?",
  cases = {
    { name = "client-0", isn = 0, run = client_accepts },
    { name = "client-5000", isn = 5000, run = client_accepts },
    { name = "client-wraps", isn = 4294967295, run = client_accepts },
    { name = "server-0", isn = 0, run = server_accepts },
    { name = "server-5000", isn = 5000, run = server_accepts },
  },
  run = function(lab, case) case.run(lab, case.isn) end,
}
