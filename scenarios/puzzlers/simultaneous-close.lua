-- Both programs close at the same moment. The FINs cross on the wire, and both ends pass through
-- CLOSING. On a real network this is a matter of timing. Here the wire holds both FINs until each
-- end has sent its own.
return {
  title = "Simultaneous close",
  asks = "Which states do both ends pass through when both close at the same time?",
  source = "RFC 9293 section 3.6, case 3, and Figure 13",
  article = "The article does not try this: in each of its experiments one side closes first.",
  here = "Both ends: FIN_WAIT1, CLOSING, TIME_WAIT. Measured on Linux 6.18.",
  why = "A FIN that arrives in FIN_WAIT1, but does not acknowledge this end's FIN, means that the "
    .. "other end has closed, too. The state becomes CLOSING. The acknowledgment of its own FIN "
    .. "then moves each end to TIME_WAIT. Usually only the side that closes first enters "
    .. "TIME_WAIT.",
  tags = { "puzzlers", "close" },
  quiz = {
    asks = "Both programs close at the same moment, and the FINs cross. Which states do both ends "
      .. "pass through?",
    { "FIN_WAIT1, CLOSING, TIME_WAIT", right = true },
    { "FIN_WAIT1, FIN_WAIT2, TIME_WAIT",
      because = "FIN_WAIT2 follows an ACK that comes before the other FIN. Here the FIN comes "
        .. "first." },
    { "CLOSE_WAIT, LAST_ACK, CLOSED",
      because = "These are the states of an end that closes second. Here no end is second." },
    { "One of them FIN_WAIT1, the other CLOSE_WAIT: one must be first",
      because = "Neither has seen the other's FIN when it closes: both are first." },
  },

  run = function(lab)
    local client, server = lab:connected {
      client = { "--on-stdin-eof", "close" }, server = { "--on-stdin-eof", "close" },
    }

    local wire = lab:hold("* > *", "tcp")
    client:close_stdin()
    server:close_stdin()
    lab:expect(client):call("close"):returns(0)
    lab:expect(server):call("close"):returns(0)
    lab:expect(client):in_state "FIN_WAIT1"
    lab:expect(server):in_state "FIN_WAIT1"
    wire:remove()

    for _, state in ipairs { "CLOSING", "TIME_WAIT" } do
      lab:expect(client):in_state(state)
      lab:expect(server):in_state(state)
    end
  end,
}
