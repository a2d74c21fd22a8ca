// The objects that a script holds. What they point to lives as long as the run.
#pragma once

#include <memory>

#include "scenarios/engine/lab/laboratory.hh"

namespace tcplab::engine {

struct LuaLab {
  static constexpr const char* kLuaName = "lab";
};

struct LuaHost {
  static constexpr const char* kLuaName = "host";
  LabHost* host;
};

struct Service;

struct LuaProgram {
  static constexpr const char* kLuaName = "program";
  LabProgram* program;
  std::shared_ptr<Service> service = nullptr;  // null: it is none
};

struct LuaFault {
  static constexpr const char* kLuaName = "fault";
  std::weak_ptr<Fault> fault;  // empty once it is removed
};

struct LuaConnection {
  static constexpr const char* kLuaName = "connection";
  LabHost* host;
  ConnectionKey key;
};

}  // namespace tcplab::engine
