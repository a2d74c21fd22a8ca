// Loads any bytes as a scenario in a sandbox. Low limits make each run short.
#include "app/script/script.hh"
#include "base/error.hh"
#include "tests/fuzz/input_file.hh"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tcplab;
  static fuzz::InputFile file;
  if (!file.hold(data, size)) return 0;
  app::SandboxLimits limits;
  limits.memory = std::size_t{1} << 20;
  limits.instructions = 2'000;
  limits.script_size = std::size_t{16} << 10;  // the loader allocates this much at each run
  try {
    app::Script script(file.path(), limits);
    script.start();
    script.line(1);
  } catch (const base::UsageError&) {
    return 0;  // refused with one line, as intended
  }
  return 0;
}
