// Includes Catch2: 2.13 on Debian 12 (one big header), 3.x from Ubuntu 24.04 on. Tests use what
// both versions have: TEST_CASE, SECTION, GENERATE, CHECK, REQUIRE, Catch::Matchers. Catch2 2.13
// has no SKIP, so skipping is our own: see tests/skip.hh.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
