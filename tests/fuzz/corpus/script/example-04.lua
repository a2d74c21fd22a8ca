return {
  title = "Everything that may befall a host",
  asks = "Which verbs has a host?",
  tags = { "tutorial" },
  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:at_boot("dnc", "-k", "-l", 8080)
    lab:expect(kodos):listens(8080)
    lab:say(kodos:name() .. " has the address " .. kodos:address())

    local client = kang:dnc(kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    lab:expect(server):in_state "ESTABLISHED"
    kodos:unplug()
    client:type "are you there?\n"
    lab:expect(client):call("write"):returns(15)
    kodos:plug()
    lab:expect(server):prints "are you there?"

    kodos:sysctl("net.ipv4.tcp_fin_timeout", 7)
    kodos:reboot()
    lab:expect(client):in_state "CLOSE_WAIT"
    lab:expect(kodos):listens(8080)
    lab:expect(kodos):has_no_connection()
    if kodos:sysctl "net.ipv4.tcp_fin_timeout" ~= "7" then error "the sysctl is forgotten" end

    kodos:power_off()
    kodos:power_on()
    lab:expect(kodos):listens(8080)
    kodos:power_cycle()
    lab:expect(kodos):listens(8080)
    kodos:crash { boot_time = 0.2 }
    lab:expect(kodos):listens(8080)
    local shell = kang:run("sh", "-c", "echo hello from $(hostname); exit 3")
    lab:expect(shell):prints "hello from kang"
    lab:expect(shell):exits(3)
  end,
}
