-- A link on the path takes only packets of 1280 bytes, and no ICMP error comes back (RFC 2923).
return {
  name = "mtu-black-hole",
  title = "path MTU black hole",
  sides = { "path" },
  keeps_connection = true,
  begin = function(cell) cell.lab:mtu { mtu = 1280 } end,
}
