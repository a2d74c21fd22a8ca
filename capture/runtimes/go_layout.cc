#include "capture/runtimes/go_layout.hh"

#include <dwarf.h>

#include <elfutils/libdw.h>
#include <initializer_list>
#include <memory>

#include "base/file_descriptor.hh"
#include "capture/memory/mapped_file.hh"
#include "capture/memory/process_image.hh"

namespace tcplab::capture {

namespace {

/// A file with debug information that is open for reading.
class DebugInformation {
public:
  explicit DebugInformation(const std::string& file) : file_(open_mapped(file)) {
    if (file_) dwarf_.reset(::dwarf_begin(file_.get(), DWARF_C_READ));
  }

  Dwarf* get() const { return dwarf_.get(); }

private:
  struct End {
    void operator()(Dwarf* dwarf) const { ::dwarf_end(dwarf); }
  };
  base::FileDescriptor file_;
  std::unique_ptr<Dwarf, End> dwarf_;
};

bool is_named(Dwarf_Die& die, std::string_view name) {
  const char* its = ::dwarf_diename(&die);
  return its != nullptr && name == its;
}

/// A child with this tag and name.
std::optional<Dwarf_Die> child_of(Dwarf_Die& parent, int tag, std::string_view name) {
  Dwarf_Die child{};
  for (int end = ::dwarf_child(&parent, &child); end == 0; end = ::dwarf_siblingof(&child, &child))
    if (::dwarf_tag(&child) == tag && is_named(child, name)) return child;
  return std::nullopt;
}

/// The linker puts the types of all packages in a unit of the runtime, which has several.
std::optional<Dwarf_Die> type_in(Dwarf* dwarf, std::string_view type) {
  Dwarf_CU* unit = nullptr;
  Dwarf_Die root{};
  while (::dwarf_get_units(dwarf, unit, &unit, nullptr, nullptr, &root, nullptr) == 0) {
    if (!is_named(root, "runtime")) continue;
    if (const auto found = child_of(root, DW_TAG_structure_type, type)) return found;
  }
  return std::nullopt;
}

/// The offset of a member, or of a member of a member: {"sched", "sp"}.
std::optional<std::uint64_t> offset_of(Dwarf_Die structure,
                                       std::initializer_list<std::string_view> path) {
  std::uint64_t sum = 0;
  for (const std::string_view name : path) {
    auto member = child_of(structure, DW_TAG_member, name);
    Dwarf_Attribute attribute{};
    Dwarf_Word offset = 0;
    if (!member || ::dwarf_formudata(::dwarf_attr(&*member, DW_AT_data_member_location, &attribute),
                                     &offset) != 0)
      return std::nullopt;
    sum += offset;
    Dwarf_Die type{};
    if (::dwarf_formref_die(::dwarf_attr(&*member, DW_AT_type, &attribute), &type) == nullptr ||
        ::dwarf_peel_type(&type, &structure) != 0)
      return std::nullopt;
  }
  return sum;
}

/// A program may be without net/http.
void add_http(Dwarf* dwarf, GoLayout& layout) {
  const auto http = type_in(dwarf, "net/http.persistConn");
  const auto tls = type_in(dwarf, "crypto/tls.Conn");
  const auto net = type_in(dwarf, "net.netFD");
  if (!http || !tls || !net) return;
  const auto http_connection = offset_of(*http, {"conn"});
  const auto tls_connection = offset_of(*tls, {"conn"});
  const auto net_poll = offset_of(*net, {"pfd", "pd", "runtimeCtx"});
  layout.has_http = http_connection && tls_connection && net_poll;
  layout.http_connection = http_connection.value_or(0);
  layout.tls_connection = tls_connection.value_or(0);
  layout.net_poll = net_poll.value_or(0);
}

// readelf --debug-dump=info has these numbers, in a program without -w.
constexpr GoLayout kGo119 = {.stack_low = 0,
                             .stack_high = 8,
                             .stack_pointer = 56,
                             .program_counter = 64,
                             .status = 144,
                             .number = 152,
                             .wait_reason = 176,
                             .descriptor = 8,
                             .reader = 24,
                             .writer = 32,
                             .read_deadline = 136,
                             .write_deadline = 224,
                             .self = 232,
                             .has_http = true,
                             .http_connection = 80,
                             .tls_connection = 0,
                             .net_poll = 24};

}  // namespace

std::optional<GoLayout> go_layout_in(const std::string& file) {
  const DebugInformation information(file);
  if (information.get() == nullptr) return std::nullopt;
  const auto goroutine = type_in(information.get(), "runtime.g");
  const auto poll = type_in(information.get(), "runtime.pollDesc");
  if (!goroutine || !poll) return std::nullopt;
  bool is_complete = true;
  const auto find = [&is_complete](const Dwarf_Die& structure,
                                   std::initializer_list<std::string_view> path) {
    const auto offset = offset_of(structure, path);
    is_complete = is_complete && offset.has_value();
    return offset.value_or(0);
  };
  GoLayout layout = {.stack_low = find(*goroutine, {"stack", "lo"}),
                     .stack_high = find(*goroutine, {"stack", "hi"}),
                     .stack_pointer = find(*goroutine, {"sched", "sp"}),
                     .program_counter = find(*goroutine, {"sched", "pc"}),
                     .status = find(*goroutine, {"atomicstatus"}),
                     .number = find(*goroutine, {"goid"}),
                     .wait_reason = find(*goroutine, {"waitreason"}),
                     .descriptor = find(*poll, {"fd"}),
                     .reader = find(*poll, {"rg"}),
                     .writer = find(*poll, {"wg"}),
                     .read_deadline = find(*poll, {"rd"}),
                     .write_deadline = find(*poll, {"wd"}),
                     .self = find(*poll, {"self"})};
  if (!is_complete) return std::nullopt;
  add_http(information.get(), layout);
  return layout;
}

std::optional<GoLayout> go_layout_of(std::string_view version) {
  if (version == "1.19" || version.starts_with("1.19.")) return kGo119;
  return std::nullopt;
}

}  // namespace tcplab::capture
