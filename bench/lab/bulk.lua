-- Sends bulk data through the wire, with the capture on.
return {
  title = "Bulk transfer",
  asks = "How fast is the wire with the capture on?",
  families = { 4 },
  needs = { "program iperf3" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:run("iperf3", "-s", "-1", { watch = false })
    lab:expect(kodos):listens(5201)
    local client = kang:run("iperf3", "-c", "kodos", "-t", "5", "-J", { watch = false })
    lab:expect(client):within(20 * lab.second):exits(0)
  end,
}
