#include "lab/hosts/make_host_maker.hh"

#include <utility>

#include "lab/hosts/kernel_maker.hh"
#include "lab/hosts/namespace_maker.hh"
#include "lab/hosts/peer_maker.hh"
#include "lab/hosts/stack_maker.hh"

namespace tcplab::lab {

namespace {

std::unique_ptr<HostMaker> maker_of_kernels(const KernelChoice& choice,
                                            boost::asio::io_context& loop) {
  if (choice.is_own()) return std::make_unique<KernelMaker>(choice, loop);
  auto namespaces = std::make_unique<NamespaceMaker>(loop);
  if (choice.stacks.empty()) return namespaces;
  return std::make_unique<StackMaker>(choice.stacks, choice.may_skip_time(), loop,
                                      std::move(namespaces));
}

}  // namespace

std::unique_ptr<HostMaker> make_host_maker(const KernelChoice& choice,
                                           boost::asio::io_context& loop) {
  return std::make_unique<PeerMaker>(maker_of_kernels(choice, loop));
}

}  // namespace tcplab::lab
