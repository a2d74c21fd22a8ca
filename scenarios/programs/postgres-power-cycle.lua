-- A PostgreSQL server whose data are on a disk. One row is committed, another is not.
local postgres = include "postgres.lib.lua"
local DISK = "/tmp/disk"

return {
  title = "PostgreSQL recovers after a power cycle",
  asks = "Which rows are there after the server's host got a power cycle?",
  source = "PostgreSQL: Write-Ahead Logging; Reliability",
  here = "The committed one only. The server recovers from its write-ahead log, and rolls back "
    .. "what was not committed. The client's COMMIT fails, and psql exits with 2. PostgreSQL 15, "
    .. "measured on Linux 6.18.",
  why = "COMMIT returns once its record is in the write-ahead log. The disk of the lab keeps all "
    .. "that was written, as one with a battery does, so this says nothing about fsync.",
  tags = { "programs", "power", "postgres" },
  needs = { "program psql" },

  run = function(lab)
    local kang, kodos = lab:pair()
    kodos:disk(DISK, { owner = "nobody", mode = "0700" })
    postgres.start(lab, kodos, nil, false, DISK .. "/data")
    local client = postgres.connect(lab, kang)
    client:type "CREATE TABLE rows (name text); INSERT INTO rows VALUES ('committed');\n"
    lab:expect(client):within(20):prints "INSERT 0 1"
    client:type "BEGIN; INSERT INTO rows VALUES ('not committed');\n"
    lab:expect(client):within(20):prints "INSERT 0 1"

    kodos:power_cycle()
    postgres.start(lab, kodos, nil, false, DISK .. "/data")
    client:type "COMMIT;\n"
    lab:expect(client):within(20):prints "connection to server was lost"
    lab:expect(client):exits(2)
    local second = postgres.connect(lab, kang)
    second:type "SELECT string_agg(name, '+') || '.' FROM rows;\n"
    lab:expect(second):within(20):prints " committed.\n"
  end,
}
