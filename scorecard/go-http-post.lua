-- Go's net/http with requests that it must not repeat. Two requests on one connection, with a pause
-- between them.
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
	"strings"
	"time"
)

func get(client *http.Client) {
	answer, err := client.Post("http://SERVER/page", "text/plain", strings.NewReader(""))
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
  title = "Go net/http, POST",
  needs = { "program go" },
  client = go(CLIENT),
}
