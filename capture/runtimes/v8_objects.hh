// Reads the properties of JavaScript objects.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "capture/runtimes/v8_heap.hh"

namespace tcplab::capture {

class V8Objects {
public:
  /// `heap` must outlive this.
  explicit V8Objects(const V8Heap& heap) : heap_(heap) {}

  /// Returns the value of an object's own property, as "path" or "Symbol(owner_symbol)". Nothing if
  /// it has none.
  std::optional<TaggedValue> property(TaggedValue object, std::string_view name) const;

  /// Returns a property that is an object itself.
  std::optional<TaggedValue> object(TaggedValue object, std::string_view name) const;

  /// Returns a property that is a text; empty if it is none.
  std::string text(TaggedValue object, std::string_view name) const;

  /// Returns the name of the function that has made the object: "Socket".
  std::string class_name(TaggedValue object) const;

private:
  TaggedValue map_of(TaggedValue object) const;
  std::string key(TaggedValue value) const;
  /// The same in an object whose properties V8 keeps in a table, because some were deleted.
  std::optional<TaggedValue> in_dictionary(TaggedValue object, std::string_view name) const;
  TaggedValue field_value(TaggedValue object, TaggedValue map, int index) const;

  const V8Heap& heap_;
};

}  // namespace tcplab::capture
