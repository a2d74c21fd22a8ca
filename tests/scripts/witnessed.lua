-- One connection from open to close, with three witnesses beside the lab: tcpdump on the client's
-- NIC, strace on the client's dnc, and ss on both hosts at fixed moments.
local function witness(lab, host)
  local ss = host:run("ss", "-tanH")
  lab:expect(ss):exits(0)
end

return {
  title = "A connection with three witnesses",
  asks = "Do tcpdump, strace and ss agree with the lab?",
  tags = { "trust" },
  needs = { "program tcpdump", "program strace", "program ss", "program pgrep" },
  run = function(lab)
    local kang, kodos = lab:pair()
    local tcpdump = kang:run("tcpdump", "--immediate-mode", "-B", 16384, "-s", 2000, "-i", "eth0",
      "-U", "-Z", "root", "-w", "tcpdump.pcap")
    lab:expect(tcpdump):prints "listening on"
    local server = kodos:dnc("-l", 8080)
    local client = kang:dnc("--on-stdin-eof", "shutdown", "--on-eof", "close", kodos, 8080)
    lab:expect(client):in_state "ESTABLISHED"
    local strace = kang:run("sh", "-c", "exec strace -o strace.txt -p $(pgrep -x dnc)")
    lab:expect(strace):prints "attached"

    client:type "kodos, are you there?\n"
    lab:expect(server):call("read"):returns(22)
    server:type "no\n"
    lab:expect(client):call("read"):returns(3)
    witness(lab, kang)
    witness(lab, kodos)

    client:close_stdin()
    lab:expect(client):call("shutdown"):returns(0)
    lab:expect(server):in_state "CLOSE_WAIT"
    lab:expect(client):in_state "FIN_WAIT2"
    witness(lab, kang)
    witness(lab, kodos)

    server:type(string.rep("much to say\n", 5000))
    lab:expect(server):call("write"):returns(60000)
    server:stop "SIGINT"
    lab:expect(client):in_state "TIME_WAIT"
    lab:expect(client):exits(0)
    lab:expect(strace):exits()
    witness(lab, kang)
    witness(lab, kodos)
    tcpdump:stop "SIGINT"
    lab:expect(tcpdump):exits(0)
  end,
}
