// Catch2 as this machine has it: 2.13 on Debian 12 (one big header), 3.x from Ubuntu 24.04 on.
// Tests use what both have: TEST_CASE, SECTION, GENERATE, CHECK, REQUIRE, Catch::Matchers.
// Skipping is ours, for 2.13 has no SKIP: see tests/skip.hh.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
