// Text as HTML and SVG. Text from outside (data on the wire, scripts, programs) must go through
// escaped(), so that it cannot become markup; or through packed() (packed.hh), for the script.
#pragma once

#include <string>
#include <string_view>

#include "reports/text/styled_text.hh"

namespace tcplab::html {

/// Escapes text for element content and quoted attribute values. Control characters, and bytes that
/// are not UTF-8, are escaped as in C ("\x1b").
std::string escaped(std::string_view foreign);

/// Returns a relative URL of a file in the page's folder: "./a%3Ab.html". Percent-encodes all but
/// RFC 3986's unreserved characters, so that no name is read as a scheme, a query or markup.
std::string link_to(std::string_view file_name);

/// Formats a coordinate: "12", "12.5".
std::string number(double value);

/// Returns a <tspan> for each piece whose Paint has a class.
std::string styled_spans(const reports::StyledText& text);

}  // namespace tcplab::html
