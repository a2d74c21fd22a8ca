// Encodes octets for a page: base64, which is safe in a script element, and deflate before it.
#pragma once

#include <string>
#include <string_view>

namespace tcplab::html {

/// Returns zlib's format (RFC 1950, RFC 1951) in base64 (RFC 4648 section 4). A browser reads it
/// with atob() and DecompressionStream("deflate"); see report.js. Throws LabError if memory runs
/// out.
std::string packed(std::string_view text);

/// Returns base64 (RFC 4648 section 4).
std::string in_base64(std::string octets);

}  // namespace tcplab::html
