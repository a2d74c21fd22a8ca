// Says in one line what is wrong with a command line, and which word was probably meant.
#pragma once

#include <exception>
#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace tcplab::app {

/// Returns "unknown command \"rnu\"; did you mean run? ..." for the error that parsing
/// `arguments` gave.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error,
                          const std::vector<std::string>& arguments);

/// Returns the line that reports an error: "tcplab: ", one printable line, cut to a sane length.
std::string error_message(const std::exception& error);

}  // namespace tcplab::app
