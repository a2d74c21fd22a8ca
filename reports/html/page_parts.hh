// The parts that all pages share.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/event/event.hh"
#include "reports/html/assets.hh"

namespace tcplab::html {

/// The script of a page that has none.
extern const Asset kNoScript;

/// The place of a page in a site. Pages of a site share one style and one script.
struct SitePlace {
  std::string root{};        // the way to the site's folder: "../", or empty
  std::string navigation{};  // markup for the top of the page
  std::string picture{};     // that a chat shows with a link: https://...; empty: none
};

/// A file that the pages of a site share. The path is relative to the site's folder.
struct SharedFile {
  std::string path;
  std::string content;
};

/// What a page is called, and what it is about, in one or two sentences. Search engines and chats
/// show both with a link to the page.
struct PageHead {
  std::string title;
  std::string description{};        // empty: none
  std::optional<SitePlace> site{};  // nothing: the page needs no other file
  const Asset* style = nullptr;     // after that of all pages; not in a site
};

/// Returns everything up to the content of <body>, and the navigation of a site. `kind` is the
/// class of <body>. The page's Content Security Policy allows only our style and `script`: if text
/// from outside became markup, the browser would not run it.
std::string page_begin(const PageHead& head, std::string_view kind, const Asset& script);
/// Returns the script, and the end of the page. `site` as in its PageHead.
std::string page_end(const Asset& script, const std::optional<SitePlace>& site = {});

/// Returns the style and the scripts that the pages of a site refer to.
std::vector<SharedFile> shared_files();

/// Returns an outcome with its mark and colour: "✓ passed".
std::string badge(capture::Outcome outcome);

/// Returns a term and its text for a definition list; empty if the text is empty.
std::string definition(std::string_view term, std::string_view foreign_text);

}  // namespace tcplab::html
