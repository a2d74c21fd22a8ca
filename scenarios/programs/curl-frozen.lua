-- curl has sent its request. Its server has stopped running, but the kernel of the server has not.
local http = include "http.lib.lua"
local MAX_TIME = 2

return {
  title = "curl waits for an answer, and the server is frozen",
  asks = "How long does curl wait for a server that does not run?",
  source = "curl(1), --max-time, --keepalive-time",
  tags = { "programs" },
  needs = { "program curl" },
  cases = {
    {
      name = "keepalive",
      options = { "--keepalive-time", 1 },
      here = "For as long as the server is frozen: every keepalive probe gets its answer. curl "
        .. "7.88, measured on Linux 6.18.",
      why = "Keepalive probes the kernel of the server, not its program. That kernel still runs.",
      run = function(lab, client)
        for _ = 1, 3 do
          lab:expect_packet("kang > kodos", "keepalive probe")
          lab:expect_packet("kodos > kang", "ACK only")
        end
        lab:expect(client):still_in_state "ESTABLISHED"
        lab:expect(client):still_runs()
      end,
    },
    {
      name = "max-time",
      title = "curl with --max-time waits for an answer, and the server is frozen",
      options = { "--max-time", MAX_TIME },
      here = "Until --max-time is over: 2 s here; by default there is no limit. No call fails, and "
        .. "curl 7.88 exits with 28. Measured on Linux 6.18.",
      why = "The timer is curl's own, and counts from its start. It needs no answer.",
      run = function(lab, client, connect)
        local exit = lab:expect(client):within(2 * MAX_TIME):exits(28)
        lab:expect_time(exit.t - connect.t, MAX_TIME, "--max-time")
      end,
    },
  },

  run = function(lab, case)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:run { "curl", "-s", "http://kodos:8080/", table.unpack(case.options) }
    local connect = lab:expect_packet("kang > kodos", "SYN")
    http.expect_request(lab, server)
    lab:expect(client):in_state "ESTABLISHED"
    server:freeze()
    case.run(lab, client, connect)
  end,
}
