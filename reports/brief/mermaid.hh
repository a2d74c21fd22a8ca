// A picture of a run as a sequence diagram of Mermaid, which Markdown on GitHub and GitLab may
// contain: https://mermaid.js.org/syntax/sequenceDiagram.html
#pragma once

#include <string>
#include <string_view>

#include "reports/brief/brief.hh"

namespace tcplab::reports {

std::string brief_mermaid(const Brief& brief);

/// Escapes text for a diagram: what Mermaid could read as syntax, HTML or mathematics becomes an
/// entity, "#59;".
std::string mermaid_text(std::string_view foreign);

}  // namespace tcplab::reports
