-- Routers with segmentation offload forward a frame of many segments uncut. If the next link is too
-- narrow for one of the segments, the router refuses the frame like any packet.
return {
  title = "Segmentation offload on a router",
  asks = "Does a router forward a frame of many segments, and compare one segment with the MTU?",
  tags = { "trust" },
  cases = { { name = "wide", mtu = 1500 }, { name = "narrow", mtu = 1300 } },

  run = function(lab, case)
    local net = lab:network {
      links = { lan = {}, middle = { mtu = case.mtu }, wan = {} },
      hosts = {
        kang = { "lan" }, near = { "lan", "middle" }, far = { "middle", "wan" }, kodos = { "wan" },
      },
      offload = true,
      -- After a slow handshake the kernel gives the NIC less at once (tcp_tso_autosize()).
      sysctls = { ["net.ipv4.tcp_min_tso_segs"] = "3" },
    }
    local client, server = lab:connect(net.kang, net.kodos)
    client:type(("x"):rep(3992) .. "the end\n")
    local large = lab:expect_packet("kang > near", "data", { fate = "delivered" })
    lab:check(large.segments == 3, "kang sends one frame", large.segments)
    if case.name == "wide" then
      local forwarded = lab:expect_packet("near > far", "data", { fate = "delivered" })
      lab:check(forwarded.segments == 3, "the router forwards one frame", forwarded.segments)
    else
      lab:expect_packet("near > kang", "ICMP error")
    end
    lab:expect(server):prints "the end"
  end,
}
