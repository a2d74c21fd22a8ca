#include <sys/utsname.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/cli/commands.hh"
#include "app/cli/option_checks.hh"
#include "base/error.hh"
#include "lab/hosts/kernel_build.hh"
#include "lab/hosts/kernel_choice.hh"
#include "reports/text/json_document.hh"
#include "reports/text/text.hh"

namespace tcplab::app {

namespace {

void print_kernel(std::string_view name, std::string_view release, std::string_view what) {
  fmt::print("{:<8}  {:<20}  {}\n", name, release, what);
}

std::string running_release() {
  utsname system{};
  ::uname(&system);
  return static_cast<const char*>(system.release);
}

int print_kernels_json() {
  nlohmann::ordered_json document = reports::json_document("tcplab-kernels");
  auto& kernels = document["kernels"] = nlohmann::ordered_json::array();
  kernels.push_back({{"name", lab::kThisKernel}, {"release", running_release()}});
  for (const lab::KernelChoice& kernel : lab::known_kernels())
    kernels.push_back({{"name", kernel.version()},
                       {"release", kernel.release},
                       {"file", kernel.kernel.string()}});
  fmt::print("{}", reports::json_text(document));
  return 0;
}

int list_kernels() {
  print_kernel("--kernel", "RELEASE", "HOSTS");
  print_kernel(lab::kThisKernel, running_release(), "namespaces of the running kernel (default)");
  const std::vector<lab::KernelChoice> kernels = lab::known_kernels();
  for (const lab::KernelChoice& kernel : kernels)
    print_kernel(kernel.version(), kernel.release,
                 reports::printable(kernel.kernel.string()) + ", a kernel for each host");
  if (kernels.empty())
    fmt::print(
        "\nFor kernel hosts: sudo apt install user-mode-linux\n"
        "or, for a newer one: tcplab kernels build 6.12\n");
  return 0;
}

struct KernelsWords {
  std::string action;
  std::string source;
  bool is_json = false;
};

Command kernels_command(const KernelsWords& words) {
  if (words.action.empty()) return words.is_json ? print_kernels_json : list_kernels;
  if (words.is_json) throw base::UsageError("--json is for the list: tcplab kernels --json");
  if (words.action != "build" || words.source.empty())
    throw base::UsageError("say tcplab kernels, or tcplab kernels build 6.12");
  return [source = words.source]() { return lab::build_kernel(source); };
}

}  // namespace

void add_kernels_command(CLI::App& app, Command& chosen) {
  auto words = std::make_shared<KernelsWords>();
  CLI::App& command =
      *app.add_subcommand("kernels", "List the kernels that hosts can have, or build one")
           ->group(kMachineCommands);
  command.add_option("build", words->action, "Build a kernel, in ~/.cache/tcplab/kernels");
  command.add_option(
      "SOURCE", words->source,
      "Its source: a version (6.12, from Debian's package linux-source-6.12), a .tar file or a "
      "folder");
  command.add_flag("--json", words->is_json, kJsonHelp);
  command.callback([&chosen, words] { chosen = kernels_command(*words); });
}

}  // namespace tcplab::app
