// The styles and scripts that are embedded in every page, so that it needs no network. They are
// files beside this one; cmake/assets.cmake compiles them in.
#pragma once

#include <string_view>

namespace tcplab::html {

/// The text of a <style> or <script> element after its first newline.
struct InlineAsset {
  std::string_view text;
  std::string_view sha256;  // of the newline and the text, in hexadecimal digits
};

extern const InlineAsset kReportStyle;
extern const InlineAsset kReportScript;
extern const InlineAsset kIndexScript;
extern const InlineAsset kFlameScript;
extern const std::string_view kPlayer;   // hidden until the script runs
extern const std::string_view kLegend;   // of keys and marks; closed until the script opens it
extern const std::string_view kView;     // which steps are shown; hidden until the script runs
extern const std::string_view kFilters;  // hidden until the script runs
extern const std::string_view kFlame;    // of a flame graph; hidden until the script runs

}  // namespace tcplab::html
