#include "scenarios/engine/hosts/make_host_maker.hh"

#include "scenarios/engine/hosts/kernel_maker.hh"
#include "scenarios/engine/hosts/namespace_maker.hh"

namespace tcplab::engine {

std::unique_ptr<HostMaker> make_host_maker(const KernelChoice& choice,
                                           boost::asio::io_context& loop) {
  if (choice.is_own()) return std::make_unique<KernelMaker>(choice, loop);
  return std::make_unique<NamespaceMaker>(loop);
}

}  // namespace tcplab::engine
