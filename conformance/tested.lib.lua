-- What the scenarios of this folder share. kodos is the tested host. kang has this kernel's TCP, or
-- is played by the script: then kang's kernel hears nothing of kodos.
local tested = {}

-- Keeps kodos's segments from kang's kernel, which has then nothing to answer. The script sees
-- them.
function tested.silence(lab)
  return lab:lose("kodos > kang", "tcp", { name = "kang's kernel hears nothing" })
end

-- kodos accepts a connection of kang's kernel. Returns the programs of kodos and kang.
function tested.server(lab, options)
  options = options or {}
  local peer, program, kang, kodos =
    lab:connected { server = options.tested, client = options.peer }
  return program, peer, kodos, kang
end

-- kodos connects to kang. Returns the programs of kodos and kang.
function tested.client(lab, options)
  options = options or {}
  local kang, kodos = lab:pair()
  local program, peer = lab:connect(kodos, kang, { client = options.tested, server = options.peer })
  return program, peer, kodos, kang
end

-- Lets kodos process what has arrived. A stack in a process does that some time after the frame.
function tested.settle(lab) lab:wait(0.1) end

-- Starts a program that listens on port 8080 of kodos.
function tested.listener(lab, kodos, ...)
  local arguments = { ... }
  arguments[#arguments + 1] = "-l"
  arguments[#arguments + 1] = 8080
  local program = kodos:dnc(table.unpack(arguments))
  lab:expect(program):call("listen"):returns(0)
  return program
end

-- Forges a SYN to port 8080 of kodos, with these TCP options. Returns the SYN-ACK.
function tested.open(lab, kodos, kang, options)
  options = options or {}
  lab:forge {
    to = kodos, from = kang, source_port = options.port or 40000, port = 8080,
    flags = options.flags or "S", seq = options.seq or 1000, window = options.window or 65535,
    options = options.options,
  }
  return lab:expect_packet("kodos > kang", "SYN ACK")
end

-- Shows that kodos answers at all: a port with a listener accepts a connection.
function tested.check_answers(lab, kodos, kang)
  tested.listener(lab, kodos)
  tested.open(lab, kodos, kang, { port = 39999 })
end

-- A connection to kodos whose peer is the script, with the TCP options and the window of its SYN.
-- Returns it, the program of kodos and the hosts.
function tested.scripted(lab, options)
  options = options or {}
  local kang, kodos = lab:pair()
  tested.silence(lab)
  local program = tested.listener(lab, kodos, table.unpack(options.tested or {}))
  local syn_ack = tested.open(lab, kodos, kang, options)
  local conn = lab:connection(kodos)
  conn:ack { window = options.window or 65535 }
  lab:expect(program):call("accept"):returns()
  tested.settle(lab)
  return conn, program, kodos, kang, syn_ack
end

-- Returns kodos's next packet of that kind; nil if none comes within `seconds`.
function tested.packet(lab, kind, seconds, fields)
  local _, packet = lab:first {
    lab:packet("kodos > kang", kind, fields), within = seconds,
  }
  return packet
end

-- Returns what kodos sends next, in words: "a RST", "an ACK", and so on; "nothing" if nothing comes
-- within `seconds`, or within 1 s. Also returns the packet.
function tested.answer(lab, seconds)
  local name, packet = lab:first {
    ["a RST"] = lab:packet("kodos > kang", "RST"),
    ["a SYN-ACK"] = lab:packet("kodos > kang", "SYN ACK"),
    ["a FIN"] = lab:packet("kodos > kang", "FIN"),
    ["data"] = lab:packet("kodos > kang", "data"),
    ["an ACK"] = lab:packet("kodos > kang", "ACK only"),
    within = seconds or 1,
  }
  return name or "nothing", packet
end

-- Returns whether kodos takes data on the connection, and what it does instead.
function tested.takes_data(lab, conn)
  local expected = conn.rcv_nxt + 5
  conn:data "alive"
  for _ = 1, 10 do
    local answer, packet = tested.answer(lab, 2)
    if answer == "a RST" or answer == "nothing" then
      return false, "new data gets " .. answer
    end
    if (packet.ack - conn.irs) % 2 ^ 32 >= expected and packet.flags:find "%." then return true end
  end
  return false, "new data gets no acknowledgment"
end

-- Returns whether kodos answers a forged segment with a challenge ACK (RFC 5961) and stays
-- connected, and what it does instead.
function tested.is_challenged(lab, conn)
  local answer = tested.answer(lab)
  if answer ~= "an ACK" then return false, "the answer is " .. answer end
  return tested.takes_data(lab, conn)
end

-- A connection that takes nothing at all refuses no data in particular.
function tested.check_alive(lab, conn)
  local alive, seen = tested.takes_data(lab, conn)
  lab:check(alive, "kodos takes data on this connection", seen)
end

-- Returns whether kodos has no connection any more, and what it does instead. It answers a segment
-- below the window of a connection with an ACK, and one of no connection with a RST. From a host
-- that does neither, nothing can be learned.
function tested.is_gone(lab, conn, options)
  tested.settle(lab)
  options = options or {}
  options.seq = conn.rcv_nxt - 1
  conn:ack(options)
  local answer = tested.answer(lab, 2)
  lab:check(answer ~= "nothing", "kodos answers an old segment", answer)
  return answer == "a RST", "an old segment gets " .. answer
end

-- Waits until kodos has sent no data for `seconds`. Returns how many bytes and how many segments it
-- has sent, and the packets.
function tested.burst(lab, seconds)
  local bytes, packets = 0, {}
  while #packets < 500 do
    local packet = tested.packet(lab, "data", seconds)
    if not packet then break end
    bytes = bytes + packet.length
    packets[#packets + 1] = packet
  end
  return bytes, #packets, packets
end

-- Returns the length of the longest segment of data that kodos sends; 0 if it sends none.
function tested.longest(lab)
  local longest = 0
  local _, _, packets = tested.burst(lab, 1)
  for _, packet in ipairs(packets) do longest = math.max(longest, packet.length) end
  return longest
end

-- Returns the last interval between these times and the one before it, in seconds; and both in
-- words.
function tested.last_intervals(times)
  local last = times[#times] - times[#times - 1]
  local before = times[#times - 1] - times[#times - 2]
  return last, before, ("%.2f s after %.2f s"):format(last, before)
end

-- A connection of kodos in TIME-WAIT: kodos has closed first. Returns it and the hosts.
function tested.time_wait(lab)
  local conn, program, kodos, kang = tested.scripted(lab)
  program:stop()
  lab:expect_packet("kodos > kang", "FIN")
  conn:fin()
  lab:expect_packet("kodos > kang", "ACK only", { ack = 2 })
  lab:wait(0.1)
  return conn, kodos, kang
end

-- Lets kodos send 1000 of 6000 bytes into a window of 1000, and closes the window. The MSS is 1000.
-- Returns when the window was closed.
function tested.close_window(lab, conn, program)
  conn:ack { window = 10000 }
  program:type("write " .. ("x"):rep(1000) .. "\n")
  lab:expect_packet("kodos > kang", "data", { seq = 1 })
  tested.burst(lab, 0.05)
  conn:ack { ack = 1001, window = 0 }
  tested.settle(lab)
  program:type("write " .. ("y"):rep(5000) .. "\n")
  lab:expect(program):call("write"):returns(1000)
  lab:expect(program):call("write"):is_entered()
  return lab:now()
end

-- Switches keepalive on: after 1 s, every second, at most 3 probes. If the stack lacks an option,
-- the requirement does not arise.
function tested.keepalive(lab, program)
  local options = { "TCP_KEEPIDLE 1", "TCP_KEEPINTVL 1", "TCP_KEEPCNT 3", "SO_KEEPALIVE on" }
  for _, option in ipairs(options) do
    program:type("setsockopt " .. option .. "\n")
    local set = lab:expect(program):call("setsockopt", option:match "%S+"):returns()
    if set.result ~= 0 then lab:does_not_arise("the stack has no " .. option:match "%S+") end
  end
end

return tested
