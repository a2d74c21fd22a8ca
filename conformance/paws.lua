local tested = include "tested.lib.lua"

return {
  title = "Data with an old timestamp",
  asks = "Is data refused whose timestamp is old?",
  requires = {
    id = "RFC7323-5.3", level = "behaviour", rfc = "RFC 7323 section 5.3",
    says = "A segment with a timestamp older than the last one in order gets an ACK and is "
      .. "dropped (PAWS).",
    met = "kodos does not take data with an older timestamp, and answers with an ACK.",
  },
  tags = { "conformance" },

  run = function(lab)
    local conn, _, _, _, syn_ack =
      tested.scripted(lab, { options = { timestamps = { value = 100000, echo = 0 } } })
    if not syn_ack.tsval then lab:does_not_arise "kodos uses no timestamps" end
    tested.say_hello(lab, conn, {
      options = { timestamps = { value = 100100, echo = syn_ack.tsval } },
    })
    conn:data("old", { options = { timestamps = { value = 90000, echo = syn_ack.tsval } } })
    local answer, packet = tested.answer(lab, 1)
    lab:require(answer == "an ACK", "kodos answers data with an old timestamp with an ACK",
      "it sends " .. answer)
    lab:require((packet.ack - conn.irs) % 2 ^ 32 == 6, "kodos does not take the data",
      "it acknowledges it")
  end,
}
