// Finds out what the terminal or file behind a descriptor can show.
#pragma once

#include "reports/text/style.hh"

namespace tcplab::app {

/// Returns the style for this descriptor. It depends on isatty(3), NO_COLOR, TERM, the window's
/// width and the locale's character set.
reports::Style style_of(int descriptor);

}  // namespace tcplab::app
