// The style of a report for people. The caller decides by isatty(3), NO_COLOR, LANG and the
// window's width; reports do not look at the environment.
#pragma once

#include <cstdint>

namespace tcplab::reports {

struct Style {
  int width = 100;       // columns
  bool colour = false;   // ANSI escapes (ECMA-48 SGR)
  bool unicode = true;   // UTF-8; otherwise ASCII only
  bool verbose = false;  // every call, every frame, whole data, whole stacks
  bool stacks = false;   // the innermost frames of stacks, also if not verbose
};

/// The meaning of a piece of text. It determines the colour.
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
