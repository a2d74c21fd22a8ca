return {
  title = "An expectation that fails",
  asks = "Is it reported with what was seen?",
  tags = { "trust" },
  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    client:type "hello\n"
    lab:expect(server):within(1):call("read"):returns(7)
  end,
}
