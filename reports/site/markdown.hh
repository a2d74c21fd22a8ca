// Turns Markdown, as GitHub reads it, into HTML. libcmark-gfm parses and renders. Raw HTML in the
// text is left out, except two things: an empty <a id="name"></a>, which only names a place, and
// <details> with its <summary>, without attributes.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace tcplab::site {

struct Heading {
  int level = 1;
  std::string text{};
  std::string anchor{};  // unique on the page
};

struct RenderedText {
  std::string html{};
  std::string introduction{};  // the text of the first paragraph
  std::vector<Heading> headings{};
};

/// What becomes of addresses in the text. Each function returns an address, or an empty text.
struct AddressRules {
  /// Where a link or an image leads; empty to keep only its text.
  std::function<std::string(const std::string& address)> of_link{};
  /// A link for a piece of code, such as the name of a scenario; empty for none.
  std::function<std::string(const std::string& code)> of_code{};
};

struct TableCell {
  std::string text{};
  std::string address{};  // of its first link; empty if none
};
using TableRow = std::vector<TableCell>;

/// Returns the first table of a text, its heading first; nothing if there is none.
std::vector<TableRow> first_table(const std::string& markdown, const AddressRules& rules);

RenderedText rendered(const std::string& markdown, const AddressRules& rules);

/// Returns the name that GitHub gives the place of a heading: "Two commands" is two-commands.
std::string anchor_of(const std::string& heading);

}  // namespace tcplab::site
