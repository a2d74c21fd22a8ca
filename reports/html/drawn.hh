// The drawing of a step: shapes, and pieces of text. All pieces of a row are in one text element,
// which begins with the time; each piece has its own position.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "reports/html/scene.hh"

namespace tcplab::html {

/// The style that texts of pages are measured in: without colors or a terminal's width.
inline constexpr reports::Style kStyle{};

struct Drawn {
  std::string shapes{};
  std::string text{};
};

/// Returns a piece of text at `x`, on the row's baseline if `y` is empty. An empty kind has the
/// style of a host's calls.
std::string piece(std::string_view kind, double x, std::string_view markup,
                  std::optional<double> y = {});

/// Returns text beside the lifeline, on the side of its host's texts, cut to its room.
std::string beside(const Lifeline& lane, const reports::StyledText& text,
                   std::optional<double> y = {});

}  // namespace tcplab::html
