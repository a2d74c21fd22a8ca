-- A header has room for four SACK blocks, or three with timestamps. ACKs may be lost, so each block
-- must be in several of them.
local talk = include "talk.lib.lua"

return {
  title = "The newest SACK block first",
  asks = "In which order does a receiver list what it has beyond a hole?",
  source = "RFC 2018 section 4",
  here = "The block with the newest segment first, then those that it has reported before. A block "
    .. "that grows moves to the front. At most four. Any Linux version.",
  why = "tcp_sack_new_ofo_skb() in net/ipv4/tcp_input.c puts the block into tp->selective_acks[0].",
  tags = { "peer", "sack" },

  run = function(lab)
    local options = { mss = 1000, sack_permitted = true }
    local _, conn = talk.accepted(lab, { options = options })
    local function blocks(...)
      conn:expect { flags = "A", ack = 1, options = { sack = { ... } } }
    end
    local function data(seq) conn:data("hello", { seq = seq }) end
    data(11)
    blocks({ 11, 16 })
    data(31)
    blocks({ 31, 36 }, { 11, 16 })
    data(21)
    blocks({ 21, 26 }, { 31, 36 }, { 11, 16 })
    data(36)
    blocks({ 31, 41 }, { 21, 26 }, { 11, 16 })
    data(51)
    blocks({ 51, 56 }, { 31, 41 }, { 21, 26 }, { 11, 16 })
    data(61)
    blocks({ 61, 66 }, { 51, 56 }, { 31, 41 }, { 21, 26 })
    conn:data(("x"):rep(10), { seq = 1 })
    conn:expect { flags = "A", ack = 16,
      options = { sack = { { 61, 66 }, { 51, 56 }, { 31, 41 }, { 21, 26 } } } }
  end,
}
