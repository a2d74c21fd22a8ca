// How a report for people may look. The caller decides (isatty(3), NO_COLOR, LANG, the width of
// the window): a report asks nobody.
#pragma once

#include <cstdint>

namespace tcplab::reports {

struct Style {
  int width = 100;       // columns
  bool colour = false;   // ANSI escapes (ECMA-48 SGR)
  bool unicode = true;   // UTF-8; else nothing but ASCII
  bool verbose = false;  // every call, every frame, whole data
};

/// What a piece of text means; colour follows from it.
enum class Paint : std::uint8_t {
  plain,
  dim,
  strong,
  state,
  error,
  action,
  good,
  bad,
  note,
};

}  // namespace tcplab::reports
