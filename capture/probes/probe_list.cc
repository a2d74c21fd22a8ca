#include "capture/probes/probe_list.hh"

#include "capture/probes/probe_file.hh"
#include "capture/probes/program_files.hh"

namespace tcplab::capture {

ProbeList list_probes(const std::string& path) {
  ProgramFiles program = program_files(path);
  ProbeList list;
  list.program = program.files.front();
  list.is_script = program.is_script;
  list.missing = std::move(program.missing);
  for (const std::string& each : program.files) {
    const ProbeFile file = read_probes(ElfFile(each));
    if (file.sites.empty()) continue;
    ProbesOfFile& probes = list.files.emplace_back();
    probes.path = each;
    probes.is_native = file.is_native;
    for (const ProbeSite& site : file.sites) {
      ++probes.places[signature(site)];
      list.names.insert(site.full_name());
    }
  }
  return list;
}

}  // namespace tcplab::capture
