-- Go's net/http as it is: 30 s for connecting, keepalive 30/30/9. Two requests on one connection,
-- with a pause between them.
-- Packages: golang-go
local http = include "servers/http.lib.lua"
local go = include "servers/go.lib.lua"
local CLIENT = [[
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

func get(client *http.Client) {
	answer, err := client.Get("http://SERVER/page")
	if err == nil {
		var body []byte
		if body, err = io.ReadAll(answer.Body); err == nil {
			answer.Body.Close()
			fmt.Println(len(body))
			return
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func main() {
	client := &http.Client{}
	get(client)
	time.Sleep(time.Second)
	get(client)
}
]]

return http.audit {
  title = "Go net/http",
  needs = { "program go" },
  client = go(CLIENT),
}
