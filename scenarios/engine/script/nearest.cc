#include "scenarios/engine/script/nearest.hh"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace tcplab::engine {

std::size_t edit_distance(std::string_view left, std::string_view right) {
  std::vector<std::size_t> row(right.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= left.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= right.size(); ++j) {
      const std::size_t replaced = diagonal + (left[i - 1] == right[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

std::string nearest_words(const std::set<std::string>& there, const std::string& said) {
  if (there.empty()) return "";
  std::vector<std::string> words(there.begin(), there.end());
  std::ranges::stable_sort(words, {},
                           [&](const std::string& word) { return edit_distance(word, said); });
  std::string text = "did you mean ";
  const std::size_t count = std::min<std::size_t>(3, words.size());
  for (std::size_t i = 0; i < count; ++i)
    text += (i == 0 ? "" : i + 1 == count ? " or " : ", ") + words[i];
  return text + "?";
}

}  // namespace tcplab::engine
