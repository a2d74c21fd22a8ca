-- What the scenarios of this folder share. kodos is the tested host. kang has this kernel's TCP, or
-- is played by the script: then kang's kernel hears nothing of kodos.
local tested = {}
local QUIET = 1  -- seconds: longer than an ACK is delayed

-- Keeps kodos's segments from kang's kernel, which has then nothing to answer. The script sees
-- them.
function tested.silence(lab)
  return lab:lose("kodos > kang", "tcp", { name = "kang's kernel hears nothing" })
end

-- Lets kodos process what has arrived. A stack in a process does that some time after the frame.
function tested.settle(lab) lab:wait(0.1) end

-- The port of kodos that the script connects to: the one on which its stack listens by itself, or
-- that of tested.listener's program.
function tested.port(kodos) return kodos:own_port() or 8080 end

-- Stands for the program behind a port on which the stack listens by itself. It sends what an echo
-- server is sent on `program.conn`. Whatever else a script wants of it skips the run.
local function own_program(lab, echoes)
  local function skip()
    lab:skip("needs a program on kodos; its TCP stack has only a port"
      .. (echoes and ", which echoes" or ""))
  end
  local function type_text(program, text)
    if not echoes or #text > 1000 then skip() end
    program.conn:data(text)
  end
  return setmetatable({ type = type_text }, { __index = skip })
end

-- lab:await of a program of tested.listener.
function tested.await(lab, program, seconds)
  if type(program) == "table" then return program.await() end
  return lab:await(program, seconds)
end

-- Starts a program that listens on port 8080 of kodos, unless its stack listens by itself.
function tested.listener(lab, kodos, ...)
  local port, echoes = kodos:own_port()
  -- Options of dnc, such as --repl, ask for calls.
  if port and #{ ... } == 0 then return own_program(lab, echoes) end
  local arguments = { ... }
  arguments[#arguments + 1] = "-l"
  arguments[#arguments + 1] = 8080
  local program = kodos:dnc(table.unpack(arguments))
  lab:expect(program):call("listen"):returns(0)
  return program
end

-- Forges a SYN to tested.port of kodos, with these TCP options. Returns the SYN-ACK.
function tested.open(lab, kodos, kang, options)
  options = options or {}
  lab:forge {
    to = kodos, from = kang, source_port = options.port or 40000, port = tested.port(kodos),
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
  if kodos:own_port() then
    program.conn = conn
  else
    lab:expect(program):call("accept"):returns()
  end
  tested.settle(lab)
  return conn, program, kodos, kang, syn_ack
end

-- Returns kodos's next packet of that kind; nil if none comes within `seconds`.
function tested.packet(lab, kind, seconds, fields)
  local _, packet = lab:first {
    lab:packet("kodos > kang", kind, fields), within = seconds and math.max(0, seconds),
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

-- Sends kodos "hello", the first data of the connection. Returns when kodos has acknowledged it,
-- and has no more to say: an echo server sends it back.
function tested.say_hello(lab, conn, options)
  conn:data("hello", options)
  lab:check(tested.packet(lab, "tcp", 2, { ack = 6 }), "kodos acknowledges data in order")
  tested.burst(lab, 0.05)
  if conn.snd_nxt > 1 then conn:ack() end
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

-- Checks that kodos still takes data. Otherwise a refusal proves nothing.
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

-- Sends a byte below kodos's window, which kodos must acknowledge at once (RFC 9293 section
-- 3.10.7.4). Limits on such ACKs do not count segments with data. `options` are the segment's.
function tested.send_old_byte(conn, options)
  local segment = { seq = conn.rcv_nxt - 1 }
  for name, value in pairs(options or {}) do segment[name] = value end
  conn:data("?", segment)
end

-- Waits until kodos has handled all that was sent to it: it acknowledges an old byte. Returns how
-- long that took, and the ACK.
function tested.catch_up(lab, conn, options)
  tested.send_old_byte(conn, options)
  local began = lab:now()
  local ack = tested.packet(lab, "ACK only", 2)
  lab:check(ack, "kodos acknowledges an old byte", "nothing within 2 s")
  return ack.t - began, ack
end

-- Returns whether kodos is in time at the moment. Ask that after a short deadline has passed: a
-- process that the machine lets wait misses the deadline, and is late here too. Also waits until
-- kodos sends nothing more.
function tested.is_prompt(lab, conn, options)
  local span = tested.catch_up(lab, conn, options)
  tested.burst(lab, 0.1, "tcp")
  return span < 0.03, ("it takes %.2f s"):format(span)
end

-- After a missed deadline: what follows judges kodos only if it is in time at the moment.
function tested.check_prompt(lab, conn, options)
  local prompt, seen = tested.is_prompt(lab, conn, options)
  lab:check(prompt, "kodos acknowledges an old byte within 0.03 s", seen)
end

-- Repeats a trial until kodos has been in time `needed` times, or late `most` times although it is
-- prompt otherwise; a trial while kodos is not prompt does not count. `trial(number)` returns
-- whether kodos is in time, and what it does instead. After one in which it is not, kodos gets time
-- to send what it still owes, which would be in time for the next. Returns how often kodos was
-- late, and what it did then.
function tested.count_late(lab, conn, needed, most, trial)
  local in_time, late, seen = 0, 0, nil
  for number = 1, 4 * needed do
    local is_in_time, what = trial(number)
    if is_in_time then
      in_time = in_time + 1
    elseif tested.is_prompt(lab, conn) then
      late, seen = late + 1, what
    end
    if in_time == needed or late == most then return late, seen end
    if not is_in_time then tested.burst(lab, QUIET, "tcp") end
  end
  lab:check(false, "kodos is prompt often enough to judge it",
    ("%d times of %d"):format(in_time + late, 4 * needed))
end

-- Returns kodos's next packet of that kind that comes within `seconds`, or later, but before kodos
-- acknowledges an old byte. So a host that is late is not taken for a silent one. `options` are
-- those of the old byte.
function tested.early(lab, conn, kind, seconds, options, fields)
  local early = tested.packet(lab, kind, seconds, fields)
  if early then return early end
  tested.send_old_byte(conn, options)
  local name, packet = lab:first {
    early = lab:packet("kodos > kang", kind, fields),
    ACK = lab:packet("kodos > kang", "ACK only"),
    within = 2,
  }
  lab:check(name, "kodos acknowledges an old byte", "nothing within 2 s")
  return name == "early" and packet or nil
end

-- Returns whether kodos takes a segment of `length` bytes that was just sent at its left edge.
function tested.takes_injected(lab, conn, length)
  local taken = tested.packet(lab, "tcp", 0.5, { ack = 1 + length })
  if taken then return true end
  -- It may be late. Then it handles the segment before an old byte.
  local _, ack = tested.catch_up(lab, conn, { ack = 1 })
  while ack do
    if (ack.ack - conn.irs) % 2 ^ 32 == 1 + length then return true end
    ack = tested.packet(lab, "ACK only", 0.1)
  end
  return false
end

-- Waits until kodos has sent no data for `seconds`. Returns how many bytes and how many segments it
-- has sent, and the packets. `kind` is that of the packets, "data" by default.
function tested.burst(lab, seconds, kind)
  local bytes, packets = 0, {}
  while #packets < 500 do
    local packet = tested.packet(lab, kind or "data", seconds)
    if not packet then break end
    bytes = bytes + (packet.length or 0)
    packets[#packets + 1] = packet
  end
  return bytes, #packets, packets
end

-- Waits until kodos sends no more data: for 0.1 s, nor before it acknowledges an old byte. Nothing
-- new is acknowledged. Returns the packets.
function tested.rest(lab, conn, packets)
  packets = packets or {}
  repeat
    local packet = tested.early(lab, conn, "data", 0.1, { ack = conn.snd_una })
    packets[#packets + 1] = packet
  until not packet or #packets == 500
  return packets
end

-- Waits for kodos's first data, up to 3 s, and then until it sends no more. Returns the packets.
function tested.flight(lab, conn)
  local first = tested.packet(lab, "data", 3)
  return first and tested.rest(lab, conn, { first }) or {}
end

-- Returns the length of the longest segment of data that kodos sends; 0 if it sends none.
function tested.longest(lab, conn)
  local longest = 0
  for _, packet in ipairs(tested.flight(lab, conn)) do
    longest = math.max(longest, packet.length)
  end
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
  tested.catch_up(lab, conn, { ack = 1001, window = 0 })
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
