#include "reports/html/packed.hh"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tcplab::html {

namespace {

constexpr std::size_t kDigits = 65;
constexpr std::size_t kShortest = 5;  // a reference has four characters or five
constexpr std::size_t kLongest = kShortest + kDigits - 1;
constexpr std::size_t kNear = kDigits * kDigits;
constexpr std::size_t kFar = kNear * kDigits;
constexpr int kMostLooks = 48;  // at earlier places with the same beginning
constexpr std::size_t kNowhere = std::size_t(-1);
constexpr unsigned kSlotBits = 16;

struct Match {
  std::size_t length = 0;
  std::size_t distance = 0;

  std::size_t cost() const { return distance < kNear ? 4 : 5; }
  std::size_t gain() const { return length < kShortest ? 0 : length - std::min(length, cost()); }
};

class Packer {
public:
  explicit Packer(std::string_view text) : text_(text), earlier_(text.size(), kNowhere) {}

  std::string pack() {
    std::string out;
    for (std::size_t at = 0; at < text_.size();) {
      const Match match = best(at);
      const std::size_t length = match.gain() == 0 ? 1 : match.length;
      if (match.gain() == 0)
        out += text_[at];
      else
        refer(out, match);
      for (const std::size_t end = at + length; at < end; ++at) remember(at);
    }
    return out;
  }

private:
  static void digits(std::string& out, std::size_t value, int count) {
    for (; count > 0; --count, value /= kDigits) out += char('=' + value % kDigits);
  }

  static void refer(std::string& out, const Match& match) {
    const bool is_near = match.distance < kNear;
    out += is_near ? '`' : '~';
    digits(out, match.length - kShortest, 1);
    digits(out, match.distance, is_near ? 2 : 3);
  }

  Match best(std::size_t at) const {
    Match best;
    if (at + kShortest > text_.size()) return best;
    std::size_t place = latest_[slot(at)];
    for (int looks = 0; looks < kMostLooks && place != kNowhere && at - place < kFar; ++looks) {
      const Match match{length_of(place, at), at - place};
      if (match.gain() > best.gain()) best = match;
      place = earlier_[place];
    }
    return best;
  }

  std::size_t length_of(std::size_t place, std::size_t at) const {
    const std::size_t most = std::min(kLongest, text_.size() - at);
    std::size_t length = 0;
    while (length < most && text_[place + length] == text_[at + length]) ++length;
    return length;
  }

  void remember(std::size_t at) {
    if (at + kShortest > text_.size()) return;
    std::size_t& latest = latest_[slot(at)];
    earlier_[at] = latest;
    latest = at;
  }

  /// Of the shortest match's characters: FNV-1a.
  std::size_t slot(std::size_t at) const {
    std::uint32_t hash = 2166136261U;
    for (std::size_t index = at; index < at + kShortest; ++index)
      hash = (hash ^ std::uint8_t(text_[index])) * 16777619U;
    return hash >> (32 - kSlotBits);
  }

  std::string_view text_;
  std::vector<std::size_t> latest_ = std::vector<std::size_t>(1U << kSlotBits, kNowhere);
  std::vector<std::size_t> earlier_;  // of each place, the one before it with its beginning
};

}  // namespace

std::string packed(std::string_view text) { return Packer(text).pack(); }

}  // namespace tcplab::html
