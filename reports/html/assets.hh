// The styles and scripts of the pages. A page by itself has them inside, so that it needs no other
// file. The pages of a site share files. The sources are beside this one; cmake/assets.cmake
// compiles them in.
#pragma once

#include <string_view>

namespace tcplab::html {

/// A style or a script. Hashes are in hexadecimal digits.
struct Asset {
  std::string_view text;      // of a <style> or <script> element, after its first newline
  std::string_view sha256{};  // of the newline and the text
  std::string_view file{};    // of a site, below its folder; named by its content. Empty: no site
  std::string_view loader{};  // of a script: the text of a <script> that loads the file
  std::string_view loader_sha256{};
};

extern const Asset kReportStyle;
extern const Asset kReportScript;
extern const Asset kIndexScript;
extern const Asset kFrontScript;  // of a site's front page
extern const Asset kFlameScript;
extern const Asset kSlidesStyle;  // beside kReportStyle
extern const Asset kSlidesScript;
extern const std::string_view kSiteStyle;  // what only pages of a site need, beside kReportStyle
extern const std::string_view kSharedStyleFile;  // has both; below a site's folder, by its content
extern const std::string_view kBarStyle;         // of a site's navigation; kSiteStyle has it, too
extern const std::string_view kPlayer;           // hidden until the script runs
extern const std::string_view kLegend;   // of keys and marks; closed until the script opens it
extern const std::string_view kView;     // which steps are shown; hidden until the script runs
extern const std::string_view kFilters;  // hidden until the script runs
extern const std::string_view kFlame;    // of a flame graph; hidden until the script runs

}  // namespace tcplab::html
