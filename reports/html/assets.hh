// The styles and scripts that are embedded in every page, so that it needs no network. They are
// files beside this one; cmake/assets.cmake compiles them in.
#pragma once

#include <string_view>

namespace tcplab::html {

extern const std::string_view kReportStyle;
extern const std::string_view kReportScript;
extern const std::string_view kIndexScript;
extern const std::string_view kPlayer;   // hidden until the script runs
extern const std::string_view kFilters;  // hidden until the script runs

}  // namespace tcplab::html
