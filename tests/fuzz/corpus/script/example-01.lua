return {
  title = "Gone",
  asks = "What does a program learn when the other host is gone, if it does not write?",
  tags = { "tutorial" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:dnc("-l", 8080)
    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(kodos):in_state "ESTABLISHED"

    kodos:power_off()
    lab:idle(20 * lab.minute)
    lab:expect(client):still_in_state "ESTABLISHED"
    lab:expect(client):still_runs()
  end,
}
