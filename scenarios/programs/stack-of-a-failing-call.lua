return {
  title = "The stack of curl's failing call",
  asks = "Where in curl is the call that learns of the power cycle?",
  source = "tcplab trace --stack; libcurl-easy(3)",
  here = "In recv, which libcurl calls inside curl_easy_perform or curl_multi_perform. Measured on "
    .. "Linux 6.18 with curl 7.88.",
  why = "The tracer copies the registers and the stack while the thread is stopped at the return "
    .. "of the failing call. elfutils finds the frames and their names while the program goes on.",
  tags = { "programs", "power" },
  needs = { "program curl" },

  run = function(lab)
    local kang, kodos = lab:pair()
    local server = kodos:dnc("-l", 8080)
    local client = kang:run {
      "curl", "-s", "--keepalive-time", 1, "http://kodos:8080/", stack = "ECONNRESET",
    }
    lab:expect(client):call("send"):returns()
    lab:expect(server):call("read"):returns()

    kodos:power_cycle()
    local within = 2 * lab:timer("keepalive_timeout", client)
    local reset = lab:expect(client):within(within):call("recv"):fails "ECONNRESET"
    local stack = table.concat(reset.stack, "\n")
    lab:check(reset.stack[1]:find "recv", "recv is innermost", stack)
    lab:check(stack:find "curl_%a+_perform", "libcurl's transfer calls it", stack)
    lab:expect(client):exits(56)
  end,
}
