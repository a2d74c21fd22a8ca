// Suggests known words for an unknown one: the nearest by edit distance.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

namespace tcplab::base {

/// Returns how many single-character edits turn one text into the other. A swap of two neighbours
/// is one edit (optimal string alignment).
std::size_t edit_distance(std::string_view left, std::string_view right);

/// "did you mean power-off, power-on or power?": at most 3 words; empty if there is none.
std::string nearest_words(const std::set<std::string>& there, const std::string& said);

/// Returns "; did you mean run?" with the words that were probably meant, at most 3; empty if no
/// word is near. A word is near if it begins with `said`, or if at most a third of its letters are
/// wrong; two neighbours that changed places are one wrong letter.
std::string probable_words(const std::set<std::string>& there, const std::string& said);

}  // namespace tcplab::base
