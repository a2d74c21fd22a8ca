// The objects that a script holds. They point to parts of the run, which live as long as the run.
#pragma once

#include <memory>

#include "lab/laboratory.hh"

namespace tcplab::app {

struct LuaLab {
  static constexpr const char* kLuaName = "lab";
  static std::string text() { return "lab"; }
};

struct LuaHost {
  static constexpr const char* kLuaName = "host";
  lab::LabHost* host;

  std::string text() const { return "host " + host->name(); }
};

struct Service;

struct LuaProgram {
  static constexpr const char* kLuaName = "program";
  lab::LabProgram* program;
  std::shared_ptr<Service> service = nullptr;  // null: it is none

  std::string text() const { return "program " + program->title(); }
};

struct LuaFault {
  static constexpr const char* kLuaName = "fault";
  std::weak_ptr<lab::Fault> fault;  // empty once it is removed
};

struct LuaConnection {
  static constexpr const char* kLuaName = "connection";
  lab::LabHost* host;
  lab::ConnectionKey key;

  std::string text() const {
    return "connection " + key.local.to_string() + " > " + key.remote.to_string() + " of " +
           host->name();
  }
};

}  // namespace tcplab::app
