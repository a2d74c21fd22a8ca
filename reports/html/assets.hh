// The styles and scripts that every page carries inside, so that it opens from disk, without a
// network. They are files beside this one; cmake/assets.cmake compiles them in.
#pragma once

#include <string_view>

namespace tcplab::html {

extern const std::string_view kReportStyle;
extern const std::string_view kReportScript;
extern const std::string_view kIndexScript;
extern const std::string_view kPlayer;   // what only a script can work: hidden without one
extern const std::string_view kFilters;  // likewise

}  // namespace tcplab::html
