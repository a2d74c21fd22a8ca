#include "reports/html/icons.hh"

#include <fmt/format.h>

#include "reports/html/markup.hh"

namespace tcplab::html {

namespace {

using capture::ActionVerb;

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

std::string_view path_of(ActionVerb verb) {
  switch (verb) {
    case ActionVerb::power_off:
    case ActionVerb::power_on:
    case ActionVerb::power_cycle:
    case ActionVerb::crash:
    case ActionVerb::reboot:
      return kPower;
    case ActionVerb::plug:
      return kPlug;
    case ActionVerb::unplug:
      return kUnplug;
    case ActionVerb::type:
    case ActionVerb::close_stdin:
      return kKeys;
    case ActionVerb::idle:
    case ActionVerb::wait:
      return kClock;
    case ActionVerb::freeze:
    case ActionVerb::hold:
      return kPause;
    case ActionVerb::thaw:
    case ActionVerb::release:
    case ActionVerb::remove:
      return kPlay;
    case ActionVerb::kill:
      return kCross;
    case ActionVerb::stop:
      return kStop;
    case ActionVerb::lose:
    case ActionVerb::cut:
      return kScissors;
    case ActionVerb::sysctl:
    case ActionVerb::route:
    case ActionVerb::nft:
      return kSetting;
    case ActionVerb::forge:
    case ActionVerb::inject:
      return kHand;
    case ActionVerb::signal:
    case ActionVerb::mtu:
    case ActionVerb::link:
    case ActionVerb::add_address:
    case ActionVerb::remove_address:
    case ActionVerb::delay:
    case ActionVerb::limit:
    case ActionVerb::duplicate:
    case ActionVerb::reorder:
    case ActionVerb::corrupt:
    case ActionVerb::truncate:
      return kDot;
  }
  return kDot;
}

}  // namespace

std::string icon(const capture::Action* action, double x, double y) {
  const std::string_view path = action == nullptr ? kDot : path_of(action->verb);
  return fmt::format("<path class=\"icon\" transform=\"translate({} {})\" d=\"{}\"/>", number(x),
                     number(y), path);
}

}  // namespace tcplab::html
