#include "app/terminal/terminal.hh"

#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <cstdlib>
#include <cstring>

namespace tcplab::app {

namespace {

constexpr int kNarrowest = 40;
constexpr int kWidest = 200;

bool locale_is_utf8() {
  std::setlocale(LC_CTYPE, "");
  const bool utf8 = std::strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
  std::setlocale(LC_CTYPE, "C");
  return utf8;
}

}  // namespace

reports::Style style_of(int descriptor) {
  reports::Style style;
  const bool terminal = ::isatty(descriptor) == 1;
  const char* no_colour = std::getenv("NO_COLOR");  // no-color.org: present and not empty
  const char* type = std::getenv("TERM");
  const bool dumb = type != nullptr && std::strcmp(type, "dumb") == 0;
  style.colour = terminal && !dumb && (no_colour == nullptr || *no_colour == '\0');
  // A file or a pipe gets UTF-8 unless LC_ALL is C or POSIX.
  const char* all = std::getenv("LC_ALL");
  const bool plain =
      all != nullptr && (std::strcmp(all, "C") == 0 || std::strcmp(all, "POSIX") == 0);
  style.unicode = terminal ? locale_is_utf8() : !plain;
  winsize window{};
  if (terminal && ::ioctl(descriptor, TIOCGWINSZ, &window) == 0 && window.ws_col > 0)
    style.width = std::clamp<int>(window.ws_col, kNarrowest, kWidest);
  return style;
}

}  // namespace tcplab::app
