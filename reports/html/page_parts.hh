// What every page has: its head, and the words for an outcome.
#pragma once

#include <string>
#include <string_view>

#include "capture/event/event.hh"

namespace tcplab::html {

/// Everything up to <body>'s content. `kind` is the body's class.
std::string page_begin(const std::string& title, std::string_view kind);
/// A script of ours, and the end.
std::string page_end(std::string_view script);

/// "passed", with its mark, in its colour.
std::string badge(capture::Outcome outcome);

/// Paragraphs for the article's observation, this kernel's, and the explanation.
std::string definition(std::string_view term, std::string_view foreign_text);

}  // namespace tcplab::html
