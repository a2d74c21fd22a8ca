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
# A test build is compiled far more often than it is stepped through: -O1 takes half as long again
# under the sanitizers. With its usual limit the compiler spends a tenth of that on tidying up.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-Og -g1 --param ggc-min-heapsize=600000")

# No precompiled headers: measured here, they made the files of scenarios/engine three times as
# slow to compile, and saved nothing elsewhere.
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()
