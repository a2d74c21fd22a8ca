# What we stand on, all of it from the distribution: Debian 12 and Ubuntu 24.04.
# tools/packages-build.txt has the packages.

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(Boost 1.81 REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
pkg_check_modules(LUA REQUIRED IMPORTED_TARGET lua5.4-c++)
# Its functions have C linkage on Debian 12, as lua.hpp declares them, and C++ linkage on Ubuntu
# 24.04, where lua.hpp is wrong about them: then one of ours stands before it.
include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_LIBRARIES PkgConfig::LUA)
check_cxx_source_compiles("#include <lua.hpp>\nint main() { return lua_type(nullptr, 0); }"
  LUA_HAS_C_LINKAGE)
unset(CMAKE_REQUIRED_LIBRARIES)
if(NOT LUA_HAS_C_LINKAGE)
  file(WRITE ${PROJECT_BINARY_DIR}/lua/lua.hpp
    "#include <lua.h>\n#include <lualib.h>\n#include <lauxlib.h>\n")
  target_include_directories(PkgConfig::LUA BEFORE INTERFACE ${PROJECT_BINARY_DIR}/lua)
endif()
pkg_check_modules(MNL REQUIRED IMPORTED_TARGET libmnl)
pkg_check_modules(PCAP REQUIRED IMPORTED_TARGET libpcap)
find_package(ZLIB REQUIRED)
pkg_check_modules(EDIT REQUIRED IMPORTED_TARGET libedit)
pkg_check_modules(TINS REQUIRED IMPORTED_TARGET libtins)

# Boost.Asio compiled once, in a library of its own, and not again in every file that waits.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/asio.cc
     CONTENT "#include <boost/asio/impl/src.hpp>\n")
add_library(asio STATIC ${PROJECT_BINARY_DIR}/asio.cc)
target_compile_definitions(asio PUBLIC BOOST_ASIO_SEPARATE_COMPILATION BOOST_ASIO_NO_DEPRECATED)
target_compile_options(asio PRIVATE -w)
target_link_libraries(asio PUBLIC Boost::headers Threads::Threads)
