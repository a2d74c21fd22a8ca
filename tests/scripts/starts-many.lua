-- Starts many programs without a pause, while another program connects.
return {
  title = "Many programs start at once",
  asks = "Does the wire go on while programs start?",
  here = "Linux 6.18",
  run = function(lab)
    local kang, kodos = lab:pair()
    local client = kang:dnc("--repl")
    client:type "socket\nconnect kodos 8080\n"
    for _ = 1, 200 do kodos:run { "true", watch = false } end
    lab:expect(client):call("connect"):fails "ECONNREFUSED"
  end,
}
