#include "capture/runtimes/v8_objects.hh"

#include <algorithm>

namespace tcplab::capture {

namespace {

constexpr int kPropertyWord = sizeof(TaggedValue);
constexpr int kMostMaps = 10'000;
constexpr int kMostDictionaryWords = 10'000;

}  // namespace

TaggedValue V8Objects::map_of(TaggedValue object) const {
  if (heap_.type(object) < heap_.layout().object_type)
    throw UnreadableMemory("a value that is no JavaScript object");
  return heap_.field(object, 0);
}

std::string V8Objects::key(TaggedValue value) const {
  const V8Layout& layout = heap_.layout();
  if (heap_.type(value) != layout.symbol_type) return heap_.text(value);
  return "Symbol(" + heap_.text(heap_.field(value, layout.symbol_name)) + ")";
}

TaggedValue V8Objects::field_value(TaggedValue object, TaggedValue map, int index) const {
  const V8Layout& layout = heap_.layout();
  const auto byte = [&](int offset) {
    return heap_.memory().value<std::uint8_t>(map - 1 + static_cast<Address>(offset));
  };
  const int first = byte(layout.map_first_property);
  const int inside = byte(layout.map_object_words) - first;
  if (index < inside) return heap_.field(object, (first + index) * kPropertyWord);
  const TaggedValue others = heap_.field(object, layout.object_properties);
  if (heap_.type(others) != layout.properties_type)
    throw UnreadableMemory("properties of another kind");
  constexpr int kHead = 2;  // the map, and the length with the object's hash
  return heap_.field(others, (kHead + index - inside) * kPropertyWord);
}

std::optional<TaggedValue> V8Objects::in_dictionary(TaggedValue object,
                                                    std::string_view name) const {
  const V8Layout& layout = heap_.layout();
  const TaggedValue table = heap_.field(object, layout.object_properties);
  const int words = heap_.small_integer(heap_.field(table, layout.array_length));
  if (words > kMostDictionaryWords) throw UnreadableMemory("an implausible number of properties");
  for (int i = layout.dictionary_start + layout.dictionary_prefix;
       i + layout.dictionary_entry <= words; i += layout.dictionary_entry) {
    const int entry = layout.array_data + i * kPropertyWord;
    if (key(heap_.field(table, entry)) == name)  // an empty entry has another object there
      return heap_.field(table, entry + kPropertyWord);
  }
  return std::nullopt;
}

std::optional<TaggedValue> V8Objects::property(TaggedValue object, std::string_view name) const {
  const V8Layout& layout = heap_.layout();
  const TaggedValue map = map_of(object);
  const auto bits =
      heap_.memory().value<std::uint32_t>(map - 1 + static_cast<Address>(layout.map_details));
  if ((bits >> layout.is_dictionary_shift & 1) != 0) return in_dictionary(object, name);
  const auto count =
      static_cast<int>((bits & static_cast<unsigned>(layout.descriptor_count_mask)) >>
                       layout.descriptor_count_shift);
  const TaggedValue descriptors = heap_.field(map, layout.map_descriptors);
  const int type = heap_.type(descriptors);
  if (type != layout.descriptors_type && type != layout.strong_descriptors_type)
    throw UnreadableMemory("descriptors of another kind");
  for (int i = 0; i < count; ++i) {
    const int entry = layout.descriptors + i * layout.descriptor_words * kPropertyWord;
    const auto word = [&](int index) {
      return heap_.field(descriptors, entry + index * kPropertyWord);
    };
    if (key(word(layout.descriptor_key)) != name) continue;
    const int details = heap_.small_integer(word(layout.descriptor_details));
    const bool is_field =
        (details & layout.location_mask) >> layout.location_shift == layout.location_field;
    if (!is_field) return std::nullopt;
    return field_value(object, map, (details & layout.index_mask) >> layout.index_shift);
  }
  return std::nullopt;
}

std::optional<TaggedValue> V8Objects::object(TaggedValue object, std::string_view name) const {
  const auto value = property(object, name);
  if (!value || !is_object(*value) || heap_.type(*value) < heap_.layout().object_type)
    return std::nullopt;
  return value;
}

std::string V8Objects::text(TaggedValue object, std::string_view name) const {
  const auto value = property(object, name);
  return value ? heap_.text(*value) : "";
}

std::string V8Objects::class_name(TaggedValue object) const {
  const int offset = heap_.layout().map_constructor;
  // The maps of objects with more properties point back to those with fewer.
  TaggedValue value = heap_.field(map_of(object), offset);
  for (int i = 0; i < kMostMaps && heap_.type(value) == heap_.layout().map_map_type; ++i)
    value = heap_.field(value, offset);
  return heap_.function_name(value);
}

}  // namespace tcplab::capture
