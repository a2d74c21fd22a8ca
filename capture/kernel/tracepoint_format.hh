// What the records of a tracepoint look like: its `format` file in tracefs, as text. Offsets, and
// the numbers behind the words, differ between kernels; so nothing of them is known beforehand.
// Pure. Linux, Documentation/trace/events.rst, section 2.3.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.hh"

namespace tcplab::capture {

class TracepointFormat {
public:
  /// Throws base::LabError for a text without an ID and fields.
  static TracepointFormat parse(std::string_view text);

  /// What a record begins with: its common_type.
  int id() const { return id_; }

  /// Nothing where this kernel has no such field, or the record is too short for it.
  std::optional<std::int64_t> number(Bytes record, std::string_view field) const;
  Bytes bytes(Bytes record, std::string_view field) const;
  /// The word that the kernel prints for the field's number; empty where it has none.
  std::string_view word(Bytes record, std::string_view field) const;

private:
  struct Field {
    std::size_t offset = 0;
    std::size_t size = 0;
    bool is_signed = false;
  };
  using Words = std::map<std::int64_t, std::string>;

  void take_line(std::string_view line);
  void take_field(std::string_view line);
  void take_words(std::string_view print);

  int id_ = 0;
  std::map<std::string, Field, std::less<>> fields_;
  std::map<std::string, Words, std::less<>> words_;  // by field
};

}  // namespace tcplab::capture
