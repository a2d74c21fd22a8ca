#include <sys/utsname.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/commands.hh"
#include "app/cli/option_checks.hh"
#include "base/error.hh"
#include "lab/hosts/kernel_build.hh"
#include "lab/hosts/kernel_choice.hh"
#include "reports/text/text.hh"

namespace tcplab::app {

namespace {

void print_kernel(std::string_view name, std::string_view release, std::string_view what) {
  fmt::print("{:<8}  {:<20}  {}\n", name, release, what);
}

int list_kernels() {
  utsname system{};
  ::uname(&system);
  print_kernel("--kernel", "RELEASE", "HOSTS");
  print_kernel(lab::kThisKernel, static_cast<const char*>(system.release),
               "namespaces of the running kernel (default)");
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
};

Command kernels_command(const KernelsWords& words) {
  if (words.action.empty()) return list_kernels;
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
  command.callback([&chosen, words] { chosen = kernels_command(*words); });
}

}  // namespace tcplab::app
