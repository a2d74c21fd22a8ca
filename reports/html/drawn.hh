// What a step is drawn as: shapes, and pieces of the one text that its row has. The text begins
// with the row's time; each further piece stands at a place of its own.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "reports/html/scene.hh"

namespace tcplab::html {

struct Drawn {
  std::string shapes{};
  std::string text{};
};

/// Markup at `x`, on the row's baseline where no `y` is given. No kind: as a host's doing looks.
std::string piece(std::string_view kind, double x, std::string_view markup,
                  std::optional<double> y = {});

/// Beside the lane's line, on the side where its host's text is, cut to its room.
std::string beside(const Lifeline& lane, const reports::StyledText& text,
                   std::optional<double> y = {});

}  // namespace tcplab::html
