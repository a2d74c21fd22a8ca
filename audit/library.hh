// Which library a client uses, by the code that its error output names, and how that library spells
// the settings that an audit advises. One row for each library.
#pragma once

#include <string>
#include <string_view>

#include "audit/audit.hh"
#include "audit/program_settings.hh"

namespace tcplab::audit {

struct Library {
  std::string_view frame;    // how a line of a traceback names its code
  ProgramSettings settings;  // `names` is its name
  std::string_view documentation;
};

/// Returns the library whose code a traceback in this output names: the first of the table, which
/// has a library before those that it uses. Null if there is none. The same lines are in the output
/// of a program that prints the traceback of another.
const Library* library_in(std::string_view output);

/// Returns the library with this name; null if it is not known.
const Library* library_named(std::string_view name);

/// Gives each cell without a library that of another cell with the same command.
void share_libraries(Audit& audit);

}  // namespace tcplab::audit
