// Chooses how the hosts of a run are made.
#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>

#include "scenarios/engine/hosts/host_maker.hh"
#include "scenarios/engine/hosts/kernel_choice.hh"

namespace tcplab::engine {

/// `loop`: of the run; it lives longer.
std::unique_ptr<HostMaker> make_host_maker(const KernelChoice& choice,
                                           boost::asio::io_context& loop);

}  // namespace tcplab::engine
