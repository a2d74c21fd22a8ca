# Finds the libraries. All come from the distribution, Debian 12 or Ubuntu 24.04;
# tools/packages-build.txt lists the packages.

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(Boost 1.81 REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
pkg_check_modules(LUA REQUIRED IMPORTED_TARGET lua5.4-c++)
# On Debian 12, the functions of lua5.4-c++ have C linkage, as lua.hpp declares. On Ubuntu 24.04
# they have C++ linkage, but lua.hpp still declares C linkage. There we use a lua.hpp of our own.
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
pkg_check_modules(DW REQUIRED IMPORTED_TARGET libdw)
pkg_check_modules(CMARK REQUIRED IMPORTED_TARGET libcmark-gfm)
pkg_check_modules(TINS REQUIRED IMPORTED_TARGET libtins)
pkg_check_modules(TRACEEVENT REQUIRED IMPORTED_TARGET libtraceevent)

# Compiles Boost.Asio once, in a library of its own, instead of in every file that includes it.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/asio.cc
     CONTENT "#include <boost/asio/impl/src.hpp>\n")
add_library(asio STATIC ${PROJECT_BINARY_DIR}/asio.cc)
target_compile_definitions(asio PUBLIC BOOST_ASIO_SEPARATE_COMPILATION BOOST_ASIO_NO_DEPRECATED)
target_compile_options(asio PRIVATE -w)
target_link_libraries(asio PUBLIC Boost::headers Threads::Threads)
