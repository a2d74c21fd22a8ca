// The layout of a tracepoint's records, from its `format` file in tracefs. Offsets, and the numbers
// behind symbolic names, differ between kernels, so all of them come from that file. Pure.
// Linux, Documentation/trace/events.rst, section 2.3.
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
  /// Parses the text of a `format` file. Throws base::LabError if it has no ID or no fields.
  static TracepointFormat parse(std::string_view text);

  /// Returns the number that begins a record: its common_type.
  int id() const { return id_; }

  /// Returns the value of a field; nullopt or empty if this kernel has no such field, or the record
  /// is too short.
  std::optional<std::int64_t> number(Bytes record, std::string_view field) const;
  Bytes bytes(Bytes record, std::string_view field) const;
  /// Returns the symbolic name that the kernel prints for the field's value; empty if none.
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
