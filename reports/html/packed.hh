// A text made short for a page: deflated, in base64, which may stand in a script element.
#pragma once

#include <string>
#include <string_view>

namespace tcplab::html {

/// As zlib writes it (RFC 1950, RFC 1951), in the alphabet of RFC 4648 section 4. A browser reads
/// it with atob() and DecompressionStream("deflate"): see report.js. Throws LabError without
/// memory.
std::string packed(std::string_view text);

}  // namespace tcplab::html
