// The parts that all pages share.
#pragma once

#include <string>
#include <string_view>

#include "capture/event/event.hh"
#include "reports/html/assets.hh"

namespace tcplab::html {

/// Where a page's pictures come from: from the page itself, or from files beside it too.
enum class Pictures { embedded, beside };

/// The script of a page that has none.
extern const InlineAsset kNoScript;

/// What a page is called, and what it is about, in one or two sentences. Search engines and chats
/// show both with a link to the page.
struct PageHead {
  std::string title;
  std::string description{};  // empty: none
};

/// Returns everything up to the content of <body>. `kind` is its class. The page's Content Security
/// Policy allows only our style and `script`, by their hashes: if text from outside became markup,
/// the browser would not run it.
std::string page_begin(const PageHead& head, std::string_view kind, const InlineAsset& script,
                       Pictures pictures = Pictures::embedded);
/// Returns the script, and the end of the page.
std::string page_end(const InlineAsset& script);

/// Returns an outcome with its mark and colour: "✓ passed".
std::string badge(capture::Outcome outcome);

/// Returns a term and its text for a definition list; empty if the text is empty.
std::string definition(std::string_view term, std::string_view foreign_text);

}  // namespace tcplab::html
