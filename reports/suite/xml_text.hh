// Text for XML 1.0. Text from outside must pass through these functions.
#pragma once

#include <string>
#include <string_view>

namespace tcplab::reports {

/// Escapes text for an element's content. The result is valid UTF-8 and XML for any bytes.
std::string xml_text(std::string_view text);

/// Escapes text for a quoted attribute. Also escapes line feeds, because an XML parser turns them
/// into blanks in an attribute (XML 1.0 section 3.3.3).
std::string xml_attribute(std::string_view text);

}  // namespace tcplab::reports
