#include "reports/look/frame_lines.hh"

#include <algorithm>

#include "reports/text/hanging.hh"
#include "reports/text/text.hh"

namespace tcplab::reports {

void write_frames(std::ostream& out, const std::vector<std::string>& frames, std::size_t most,
                  Paint paint, const Style& style) {
  const std::size_t shown = std::min(frames.size(), most);
  for (std::size_t i = 0; i < shown; ++i)
    write_hanging(out, "      ", "at " + one_line(frames[i]), paint, style);
  if (frames.size() > shown)
    write_hanging(out, "      ", "and " + counted(frames.size() - shown, "more frame"), Paint::dim,
                  style);
}

}  // namespace tcplab::reports
