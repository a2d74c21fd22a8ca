-- Go's lib/pq as it is.
-- Packages: golang-go, golang-github-lib-pq-dev, postgresql-15
local postgres = include "servers/postgres.lib.lua"
local go = include "servers/go.lib.lua"
local CLIENT = [[
package main

import (
	"database/sql"
	"fmt"
	"os"
	"time"

	_ "github.com/lib/pq"
)

func query(database *sql.DB, text string) {
	var length int
	if err := database.QueryRow(text).Scan(&length); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(length)
}

func main() {
	database, _ := sql.Open("postgres", "host=SERVER user=postgres sslmode=disable")
	query(database, "SELECT length(pg_sleep(0.3)::text)")
	time.Sleep(time.Second)
	query(database, "SELECT 1")
}
]]

return postgres.audit {
  title = "lib/pq (Go)",
  needs = { "program go" },
  client = go(CLIENT),
}
