-- A run of a million events. The memory of the lab must not grow with the events.
return {
  title = "A million events",
  asks = "How much memory does a long run take?",
  tags = { "trust" },
  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    for _ = 1, 1000 do
      for event = 1, 1000 do
        lab:say("event " .. event .. " of a long story, in many words")
      end
      lab:wait(0)
    end
    client:type "the end\n"
    lab:expect(server):within(2 * lab.minute):call("read"):returns(8)
  end,
}
