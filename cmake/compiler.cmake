# How every file here is compiled.

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
# g++ before 13 takes a designated initializer that leaves a field to its default for a mistake.
add_compile_options(-Wno-missing-field-initializers)
if(TCPLAB_WERROR)
  add_compile_options(-Werror)
endif()
if(TCPLAB_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  # gcc(1), -fsanitize=address: instrumentation makes -Wmaybe-uninitialized see what is not there
  # (std::regex, in gcc 12). The Release build still warns.
  add_compile_options(-Wno-maybe-uninitialized)
  add_link_options(-fsanitize=address,undefined)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
# A test build is compiled far more often than it is stepped through.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1")

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # ccache(1), "Precompiled headers": without these two it cannot reuse a file that includes one.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()

# precompile(target <header>...): parse these once a target, where it has anything to compile.
function(precompile target)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    return()
  endif()
  target_precompile_headers(${target} PRIVATE ${ARGN})
  target_compile_options(${target} PRIVATE -fpch-preprocess)  # for ccache, as above
endfunction()
