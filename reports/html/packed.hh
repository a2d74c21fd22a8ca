// A text made short for a page, in characters that may stand in a script: where it repeats itself
// it refers back (LZ77, https://doi.org/10.1109/TIT.1977.1055714). A browser's own inflate would
// be shorter still, but is asynchronous, and not in every browser; unpack() in report.js is
// fifteen lines.
//
//   `LDD    copy L characters from DD characters back, near by
//   ~LDDD   the same, from further back
//   else    itself
//
// L counts from kShortest; a digit is one of the 65 characters from '=' on, the first D the lowest.
#pragma once

#include <string>
#include <string_view>

namespace tcplab::html {

/// Of ASCII without '`' and '~'. Has no '<' where the text has none.
std::string packed(std::string_view text);

}  // namespace tcplab::html
