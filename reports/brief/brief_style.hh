// The style sheet of a picture. It has no variables and no calculations, so that programs which
// are not browsers understand it, too.
#pragma once

#include <string_view>

namespace tcplab::reports {

extern const std::string_view kBriefStyle;

}  // namespace tcplab::reports
