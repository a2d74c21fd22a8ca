-- The server's kernel acknowledges, but from now on its window is 0: bytes 14 and 15 of each
-- header from it.
return {
  name = "zero-window",
  title = "zero window",
  sides = { "path" },
  stays = true,
  needs_connection = true,
  begin = function(cell)
    for byte = 14, 15 do
      cell.lab:corrupt("* > client", "tcp and tcp[13] & 7 == 0",
        { offset = byte, value = 0, checksum = "fixed" })
    end
    cell.lab:connection(cell.client_host):ack { window = 0 }
  end,
}
