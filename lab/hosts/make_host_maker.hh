// Makes the HostMaker for the chosen kernel.
#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>

#include "lab/hosts/host_maker.hh"
#include "lab/hosts/kernel_choice.hh"

namespace tcplab::lab {

/// `loop`: the run's; it must outlive the result.
std::unique_ptr<HostMaker> make_host_maker(const KernelChoice& choice,
                                           boost::asio::io_context& loop);

}  // namespace tcplab::lab
