// Text as HTML and SVG. Whatever comes from elsewhere (data on the wire, scripts, programs) goes
// through escaped(), so that none of it can become markup, or packed() (packed.hh), for a script.
#pragma once

#include <string>
#include <string_view>

#include "reports/text/styled_text.hh"

namespace tcplab::html {

/// For element content and quoted attribute values. Control characters, and bytes that are not
/// UTF-8, are written as in C ("\x1b"), so that the reader sees them and the parser does not.
std::string escaped(std::string_view foreign);

/// A coordinate: "12", "12.5".
std::string number(double value);

/// A <tspan> for each piece that means something, with its Paint's class.
std::string styled_spans(const reports::StyledText& text);

}  // namespace tcplab::html
