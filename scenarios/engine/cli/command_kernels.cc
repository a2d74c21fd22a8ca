#include <sys/utsname.h>

#include <fmt/format.h>

#include "reports/text/text.hh"
#include "scenarios/engine/cli/command_line.hh"
#include "scenarios/engine/cli/commands.hh"
#include "scenarios/engine/hosts/kernel_choice.hh"

namespace tcplab::engine {

namespace {

void print_kernel(std::string_view on, std::string_view release, std::string_view what) {
  fmt::print("{:<8}  {:<20}  {}\n", on, release, what);
}

/// "6.1" of "6.1.176".
std::string short_version(const std::string& release) {
  const auto minor = release.find('.');
  return minor == std::string::npos ? release : release.substr(0, release.find('.', minor + 1));
}

int list_kernels() {
  utsname system{};
  ::uname(&system);
  print_kernel("--on", "RELEASE", "HOSTS");
  print_kernel(kThisKernel, static_cast<const char*>(system.release),
               "namespaces of the running kernel (default)");
  const std::vector<KernelChoice> kernels = known_kernels();
  for (const KernelChoice& kernel : kernels)
    print_kernel(short_version(kernel.release), kernel.release,
                 reports::printable(kernel.kernel.string()) + ", a kernel for each host");
  if (kernels.empty())
    fmt::print("\nFor hosts with kernels of their own: sudo apt install user-mode-linux\n");
  return 0;
}

}  // namespace

void add_kernels_command(CommandLine& app, Command& chosen) {
  CommandLine command =
      app.add_subcommand("kernels", "List the kernels that hosts can have").group(kMachineCommands);
  command.callback([&chosen] { chosen = list_kernels; });
}

}  // namespace tcplab::engine
