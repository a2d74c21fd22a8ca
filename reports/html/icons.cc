#include "reports/html/icons.hh"

#include <array>
#include <fmt/format.h>
#include <utility>

#include "reports/html/markup.hh"

namespace tcplab::html {

namespace {

constexpr std::string_view kPower = "M8 1.5v6M4.6 3.6a5.6 5.6 0 1 0 6.8 0";
constexpr std::string_view kPlug = "M5.5 1v4M10.5 1v4M3.5 5h9v2.5a4.5 4.5 0 0 1-9 0zM8 12v3.5";
constexpr std::string_view kUnplug = "M5.5 1v4M10.5 1v4M3.5 5h9v2.5a4.5 4.5 0 0 1-9 0zM2 15L14 1";
constexpr std::string_view kKeys = "M1.5 4h13v8.5h-13zM4 7h.6M6.7 7h.6M9.4 7h.6M12 7h.3M5 9.9h6";
constexpr std::string_view kClock = "M8 1.8a6.2 6.2 0 1 0 .01 0M8 4.5V8l2.6 1.8";
constexpr std::string_view kPause = "M5.5 3v10M10.5 3v10";
constexpr std::string_view kPlay = "M5 2.8l7.5 5.2L5 13.2z";
constexpr std::string_view kCross = "M3.5 3.5l9 9M12.5 3.5l-9 9";
constexpr std::string_view kStop = "M4 4h8v8H4z";
constexpr std::string_view kScissors =
    "M4 2l6.5 8.6M12 2L5.5 10.6M5 11.2a1.9 1.9 0 1 0 .01 0M11 11.2a1.9 1.9 0 1 0 .01 0";
constexpr std::string_view kHand = "M8 2v12M4.5 5L8 1.5 11.5 5M3 14h10";
constexpr std::string_view kSetting = "M2 5h7M12 5h2M2 11h2M7 11h7M10.5 3.2v3.6M5.5 9.2v3.6";
constexpr std::string_view kDot = "M8 6.2a1.8 1.8 0 1 0 .01 0";

constexpr std::array<std::pair<std::string_view, std::string_view>, 24> kIcons = {{
    {"power_off", kPower},  {"power_on", kPower}, {"power_cycle", kPower}, {"crash", kPower},
    {"reboot", kPower},     {"plug", kPlug},      {"unplug", kUnplug},     {"type", kKeys},
    {"close_stdin", kKeys}, {"idle", kClock},     {"wait", kClock},        {"freeze", kPause},
    {"thaw", kPlay},        {"release", kPlay},   {"remove", kPlay},       {"kill", kCross},
    {"stop", kStop},        {"lose", kScissors},  {"cut", kScissors},      {"hold", kPause},
    {"sysctl", kSetting},   {"forge", kHand},     {"route", kSetting},     {"nft", kSetting},
}};

}  // namespace

std::string icon(std::string_view verb, double x, double y) {
  std::string_view path = kDot;
  for (const auto& [name, drawing] : kIcons)
    if (name == verb) path = drawing;
  return fmt::format("<path class=\"icon\" transform=\"translate({} {})\" d=\"{}\"/>", number(x),
                     number(y), path);
}

}  // namespace tcplab::html
