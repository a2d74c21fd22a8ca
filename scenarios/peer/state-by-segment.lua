-- A TCP is a table: for each state and each segment, it has an answer and a next state. Firewalls,
-- port scanners and attackers send segments that no peer would. Here each cell is a connection of
-- its own.
local states = include "states.lib.lua"
local talk = include "talk.lib.lua"

local FAR = 1000000 -- beyond any window here

-- The segments. `c.snd_nxt` is the number that the host expects next.
local segments = {
  { "SYN", function(c) c:syn { seq = c.snd_nxt } end },
  { "SYN far", function(c) c:syn { seq = c.snd_nxt + FAR } end },
  { "SYN ACK", function(c) c:segment { flags = "SA", seq = c.snd_nxt } end },
  { "RST", function(c) c:rst { seq = c.snd_nxt } end },
  { "RST near", function(c) c:rst { seq = c.snd_nxt + 1 } end },
  { "RST far", function(c) c:rst { seq = c.snd_nxt + FAR } end },
  { "RST old", function(c) c:rst { seq = c.snd_nxt - 1 } end },
  { "ACK", function(c) c:ack { seq = c.snd_nxt } end },
  { "ACK far", function(c) c:ack { seq = c.snd_nxt + FAR } end },
  { "ACK old", function(c) c:ack { seq = c.snd_nxt - 1 } end },
  { "ACK unsent", function(c) c:ack { seq = c.snd_nxt, ack = c.rcv_nxt + FAR } end },
  { "FIN", function(c) c:fin { seq = c.snd_nxt } end },
  { "FIN far", function(c) c:fin { seq = c.snd_nxt + FAR } end },
  { "data", function(c) c:data("hello", { seq = c.snd_nxt }) end },
  { "data far", function(c) c:data("hello", { seq = c.snd_nxt + FAR }) end },
  { "no flags", function(c) c:segment { flags = "", seq = c.snd_nxt } end },
}

-- What kodos may answer.
local answers = {
  ["ACK"] = function(c) c:expect { flags = "A", seq = c.rcv_nxt, ack = c.snd_nxt, length = 0 } end,
  ["ACK of FIN"] = function(c) c:expect { flags = "A", ack = c.snd_nxt + 1, length = 0 } end,
  ["ACK of data"] = function(c) c:expect { flags = "A", ack = c.snd_nxt + 5, length = 0 } end,
  ["ACK of SYN"] = function(c) c:expect { flags = "A", ack = c.snd_nxt + 1, length = 0 } end,
  ["SYN ACK"] = function(c) c:expect { flags = "SA" } end,
  ["RST"] = function(c) c:expect { flags = "R" } end,
  ["RST ACK"] = function(c) c:expect { flags = "RA" } end,
}

--- Returns the answer and the next state of a cell: "answer", "answer > state", or "> state".
local function parts(cell)
  local answer, after = cell:match "^(.-) ?> (.*)$"
  return answer or cell, after
end

--- Returns these cells with some changes.
local function with(base, changes)
  local cells = {}
  for segment, cell in pairs(base) do cells[segment] = cell end
  for segment, cell in pairs(changes) do cells[segment] = cell end
  return cells
end

-- RFC 9293 section 3.10.7.4, RFC 5961: what is not acceptable gets an ACK, and a RST counts only at
-- exactly the next number.
local synchronized = {
  ["SYN"] = "ACK", ["SYN far"] = "ACK", ["SYN ACK"] = "ACK",
  ["RST"] = "> CLOSED", ["RST near"] = "ACK", ["RST far"] = "", ["RST old"] = "",
  ["ACK"] = "", ["ACK far"] = "ACK", ["ACK old"] = "ACK", ["ACK unsent"] = "ACK",
  ["FIN"] = "", ["FIN far"] = "ACK", ["data"] = "", ["data far"] = "ACK", ["no flags"] = "",
}
-- Section 3.10.7.1: a RST for what has ACK, or for the octets of another segment.
local closed = {
  ["SYN"] = "RST ACK", ["SYN far"] = "RST ACK", ["SYN ACK"] = "RST",
  ["RST"] = "", ["RST near"] = "", ["RST far"] = "", ["RST old"] = "",
  ["ACK"] = "RST", ["ACK far"] = "RST", ["ACK old"] = "RST", ["ACK unsent"] = "RST",
  ["FIN"] = "RST", ["FIN far"] = "RST", ["data"] = "RST", ["data far"] = "RST",
  ["no flags"] = "RST ACK",
}
local after_fin = { ["RST old"] = "> CLOSED" } -- tcp_reset_check(): macOS sends such RSTs

local cells = {
  CLOSED = closed,
  LISTEN = with(closed, {
    ["SYN"] = "SYN ACK > SYN_RECV", ["SYN far"] = "SYN ACK > SYN_RECV", ["no flags"] = "",
  }),
  -- Section 3.10.7.3: only the acknowledgment counts; a number to be in a window is not known yet.
  SYN_SENT = with(synchronized, {
    ["SYN"] = "SYN ACK > SYN_RECV", ["SYN far"] = "SYN ACK > SYN_RECV",
    ["SYN ACK"] = "ACK of SYN > ESTABLISHED",
    ["RST near"] = "> CLOSED", ["RST far"] = "> CLOSED", ["RST old"] = "> CLOSED",
    ["ACK far"] = "", ["ACK old"] = "", ["ACK unsent"] = "RST", ["FIN far"] = "",
    ["data far"] = "",
  }),
  SYN_RECV = with(synchronized, {
    ["SYN"] = "RST ACK > CLOSED", ["SYN ACK"] = "RST > CLOSED",
    ["ACK"] = "> ESTABLISHED", ["ACK unsent"] = "RST",
    ["FIN"] = "ACK of FIN > CLOSE_WAIT", ["data"] = "ACK of data > ESTABLISHED",
  }),
  ESTABLISHED = with(synchronized, {
    ["FIN"] = "ACK of FIN > CLOSE_WAIT", ["data"] = "ACK of data",
  }),
  FIN_WAIT1 = with(synchronized, {
    ["ACK"] = "> FIN_WAIT2", ["FIN"] = "ACK of FIN > TIME_WAIT",
    ["data"] = "ACK of data > FIN_WAIT2",
  }),
  FIN_WAIT2 = with(synchronized, {
    ["FIN"] = "ACK of FIN > TIME_WAIT", ["data"] = "ACK of data",
  }),
  CLOSE_WAIT = with(synchronized, after_fin),
  CLOSING = with(with(synchronized, after_fin), {
    ["ACK"] = "> TIME_WAIT", ["FIN"] = "> TIME_WAIT", ["data"] = "> TIME_WAIT",
  }),
  LAST_ACK = with(with(synchronized, after_fin), {
    ["ACK"] = "> CLOSED", ["FIN"] = "> CLOSED", ["data"] = "> CLOSED",
  }),
  -- tcp_timewait_state_process(): a SYN beyond the window begins a new connection.
  TIME_WAIT = with(synchronized, {
    ["SYN far"] = "SYN ACK > SYN_RECV", ["RST near"] = "", ["ACK unsent"] = "", ["FIN"] = "ACK",
    ["data"] = "ACK",
  }),
}

-- Older kernels do not answer an ACK of data that was never sent in these states.
local since = { SYN_RECV = "6.18", ESTABLISHED = "6.18" }
local cases = {}
for _, state in ipairs {
  "CLOSED", "LISTEN", "SYN_SENT", "SYN_RECV", "ESTABLISHED", "FIN_WAIT1", "FIN_WAIT2",
  "CLOSE_WAIT", "CLOSING", "LAST_ACK", "TIME_WAIT",
} do
  local name = state:lower():gsub("_", "-")
  cases[#cases + 1] = {
    name = name, title = "Each segment in " .. state, state = state, since = since[state],
  }
end

return {
  title = "Each segment in each state",
  asks = "What does Linux answer to each segment in each state?",
  source = "RFC 9293 section 3.10.7; RFC 5961 sections 3 to 5; FreeBSD's tests of TCP states",
  here = "As the RFCs say, but for three things. A RST one number too low ends CLOSE_WAIT, CLOSING "
    .. "and LAST_ACK. TIME_WAIT ignores a RST inside the window, and an ACK of data that was never "
    .. "sent. In SYN_RECV, a SYN inside the window and a SYN-ACK end the attempt. Linux 6.18.",
  why = "tcp_rcv_state_process() and tcp_validate_incoming() in net/ipv4/tcp_input.c have the "
    .. "table; LISTEN, SYN_RECV and TIME_WAIT have theirs in tcp_minisocks.c. tcp_reset_check() "
    .. "accepts the RST that is one too low after a FIN, because macOS sends such RSTs.",
  tags = { "peer", "segments", "reset" },
  cases = cases,

  run = function(lab, case)
    -- The FIN of a state is not retransmitted while its cell is checked.
    local peer, kodos = talk.hosts(lab, talk.long_rto(lab))
    local has_connection = case.state ~= "CLOSED" and case.state ~= "LISTEN"

    -- An answer to the segment would have come before the answer to a later one.
    local function expect_no_answer(conn)
      peer:open(kodos, { port = 9 }):ack():expect { flags = "R" }
      conn:expect_nothing(0)
    end

    for number, segment in ipairs(segments) do
      local name, send = segment[1], segment[2]
      local answer, after = parts(cells[case.state][name])
      lab:say(case.state .. ": " .. name)
      local conn = states[case.state](lab, peer, kodos, 1000 + number)
      send(conn)
      if answer == "" then expect_no_answer(conn) else answers[answer](conn) end
      after = after or has_connection and case.state
      if after then
        local state = lab:connection(kodos).state
        lab:check(state == after, "after it, kodos is in " .. after, state)
      end
    end
  end,
}
