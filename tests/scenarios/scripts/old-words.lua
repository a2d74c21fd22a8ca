-- Uses every old word of the scripting interface. Line 16 repeats the old word of line 15.
return {
  title = "Old words",
  asks = "Does a script with the words of an earlier version still run?",
  tags = { "trust" },
  run = function(lab)
    local kang, kodos = lab:hosts({ "kang", "kodos" }, { neighbours = "learnt" })
    lab:corrupt({ checksum = "mended", name = "one" })
    lab:lift "one"
    lab:cut():lift()
    local function same(old, new)
      local there, now = lab:timer(old, kang), lab:timer(new, kang)
      if there ~= now then error(old .. " is not " .. new) end
    end
    same("retransmission_timeout", "r2")
    same("retransmission_timeout", "r2")
    same("retransmission_limit", "r2_limit")
    same("suspicion_timeout", "r1")
    same("orphan_timeout", "orphan_r2")
    same("connect_timeout", "syn_r2")
    same("synack_timeout", "synack_r2")
    same("initial_timeout", "initial_rto")
    same("lowest_timeout", "rto_min")
    lab:expect(kodos):has_no_connection()
  end,
}
