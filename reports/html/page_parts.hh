// The parts that all pages share.
#pragma once

#include <string>
#include <string_view>

#include "capture/event/event.hh"

namespace tcplab::html {

/// Returns everything up to the content of <body>. `kind` is its class.
std::string page_begin(const std::string& title, std::string_view kind);
/// Returns the script, and the end of the page.
std::string page_end(std::string_view script);

/// Returns an outcome with its mark and colour: "✓ passed".
std::string badge(capture::Outcome outcome);

/// Returns a term and its text for a definition list; empty if the text is empty.
std::string definition(std::string_view term, std::string_view foreign_text);

}  // namespace tcplab::html
