return {
  title = "The option of another call",
  asks = "Is an expectation about one option met by another?",
  tags = { "trust" },
  run = function(lab)
    local kang = lab:pair()
    local server = kang:dnc("-l", 8080) -- sets SO_REUSEADDR
    lab:expect(server):call("setsockopt", "SO_REUSEADDR"):returns(0)
    lab:expect(server):within(0.1):call("setsockopt", "TCP_USER_TIMEOUT"):returns(0)
  end,
}
