-- NICs with segmentation offload: a frame stands for many segments, and faults act on all of it.
return {
  title = "Segmentation offload",
  asks = "Are frames of many segments delivered, recorded and changed by faults as they should be?",
  tags = { "trust" },

  run = function(lab)
    local kang, kodos = lab:pair {
      offload = true,
      -- After a slow handshake the kernel gives the NIC less at once (tcp_tso_autosize()).
      sysctls = { ["net.ipv4.tcp_min_tso_segs"] = "44" },
    }
    local client, server = lab:connect(kang, kodos, { client = { "--repl" } })
    local there, back = "kang > kodos", "kodos > kang"
    local sent = 0
    local function write(size)
      client:type("fill " .. size .. "\n")
      sent = sent + size
    end
    local function await_ack()
      lab:expect_packet(back, "ACK only", { ack = sent + 1, within = 5 })
    end
    local function expect_large(fate)
      return lab:expect_packet(there, "data", { length = 5000, fate = fate })
    end

    write(5000)
    local event = expect_large "delivered"
    lab:check(event.segments == 4, "5000 bytes are 4 segments", event.segments)
    await_ack()

    -- Slow start and the receiver open the window, until one write is one frame.
    for _ = 1, 15 do
      lab:wait(0.01) -- 20,000 segments a second would be a flood, of which few frames are recorded
      write(64000)
      await_ack()
    end

    local fits = lab:mtu(there, { mtu = 1500 })
    write(5000)
    expect_large "delivered"
    await_ack()
    fits:remove()

    local held = lab:hold(there, "data", { count = 1 })
    write(5000)
    expect_large "held"
    held:remove()
    expect_large "delivered"
    await_ack()

    lab:duplicate(there, "data", { count = 1 })
    write(5000)
    for _ = 1, 2 do expect_large "delivered" end
    await_ack()

    -- A forged segment has a correct checksum of its own: the kernel answers this old data.
    lab:connection(server):data("forged", { seq = 1 })
    lab:expect_packet(back, "ACK only", { ack = sent + 1 })

    -- The receiver drops all of a corrupted frame: its answer to the tail loss probe says so.
    lab:corrupt(there, "data", { count = 1 })
    write(5000)
    local corrupted = expect_large "delivered"
    local answer = lab:expect_packet(back, "ACK only")
    lab:check(answer.ack == corrupted.seq, "the receiver drops the corrupted frame", answer.ack)
    await_ack()

    -- What is left of a frame may be one segment, or still several.
    for _, left in ipairs { 1000, 3000 } do
      lab:truncate(there, "data", { to = left, checksum = "fixed", count = 1 })
      write(5000)
      await_ack()
    end
  end,
}
