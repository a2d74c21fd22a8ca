-- A Go program has an idle connection to its database, behind a firewall that forgets it without a
-- word. CockroachDB speaks PostgreSQL's protocol, so a PostgreSQL server takes its place.
local postgres = include "postgres.lib.lua"
local middlebox = include "middlebox.lib.lua"
local start_go = include "go.lib.lua"
local wait = include "wait.lib.lua"
local CLIENT = [[
package main

import (
	"bufio"
	"database/sql"
	"fmt"
	"os"

	_ "github.com/lib/pq"
)

func main() {
	database, _ := sql.Open("postgres", "host=kodos user=postgres sslmode=disable")
	fmt.Println("ready")
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var answer string
		err := database.QueryRow("SELECT 'ans' || 'wer'").Scan(&answer)
		fmt.Println(answer, err)
	}
}
]]

return {
  title = "Go's lib/pq on a connection that a firewall has forgotten",
  asks = "What does a Go program see when its idle database connection was forgotten on the way?",
  source = "cockroachdb/cockroach#13823: behind Azure's load balancer, a query on a connection "
    .. "that was idle blocks for 15 minutes and then succeeds; keepalive of the server prevents it",
  tags = { "clients", "firewall", "nft", "keepalive", "postgres", "go" },
  needs = { "root", "program go" },
  cases = {
    {
      name = "forgotten",
      title = "Go's lib/pq: the firewall has forgotten the idle connection",
      here = "The query blocks until the kernel gives up, after 15 minutes by default: this part "
        .. "of the claim holds. Then it does not succeed, but fails with \"read: connection timed "
        .. "out\". The next query opens a new connection. lib/pq 1.10 with Go 1.19, measured on "
        .. "Linux 6.18.",
      why = "tcp_retries2 decides. Go's keepalive comes after 15 s, too late for this firewall, "
        .. "and does not run while the query is unacknowledged. lib/pq 1.10 does not ask "
        .. "database/sql to repeat a query whose answer could not be read, since the server may "
        .. "have run it.",
      expect = function(lab, client)
        local limit = lab:timer("r2", client)
        client:type "again\n"
        local query = lab:expect_packet("kang > gateway", "data")
        wait.until_it_gives_up(lab, client, query, limit)
        lab:expect(client):prints "read: connection timed out"
        client:type "once more\n"
        lab:expect(client):prints "answer <nil>"
      end,
    },
    {
      name = "server-keepalive",
      settings = { "tcp_keepalives_idle=1", "tcp_keepalives_interval=1" },
      title = "Go's lib/pq: the server's keepalive is shorter than the firewall's timeout",
      here = "Its answer: the claim holds. lib/pq 1.10 with Go 1.19, measured on Linux 6.18.",
      why = "The probes of the server cross the firewall, too. It does not matter which end sends "
        .. "them.",
      expect = function(lab, client)
        client:type "again\n"
        lab:expect(client):prints "answer <nil>"
      end,
    },
  },

  run = function(lab, case)
    local net = middlebox.silent(lab)
    postgres.start(lab, net.kodos, table.unpack(case.settings or {}))
    local client = start_go(lab, net.kang, CLIENT, "github.com/lib/pq")
    client:type "first\n"
    lab:expect(client):prints "answer <nil>"
    postgres.expect_idle(lab, net.kang, net.kodos)
    middlebox.wait_until_it_forgets(lab)
    case.expect(lab, client)
  end,
}
