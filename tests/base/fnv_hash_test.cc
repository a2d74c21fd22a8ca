#include "base/fnv_hash.hh"

#include "tests/catch.hh"

using tcplab::base::fnv_hash;

// From test_fnv.c of the authors.
TEST_CASE("the hash is FNV-1a of 64 bits") {
  CHECK(fnv_hash("") == 0xcbf29ce484222325);
  CHECK(fnv_hash("a") == 0xaf63dc4c8601ec8c);
  CHECK(fnv_hash("foobar") == 0x85944171f73967e8);
}

TEST_CASE("the hash of a text in two parts is that of the whole") {
  CHECK(fnv_hash("bar", fnv_hash("foo")) == fnv_hash("foobar"));
}
