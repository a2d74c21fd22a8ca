# Compiler options for every file of this project.

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
# g++ before 13 warns about a designated initializer that leaves a field at its default.
add_compile_options(-Wno-missing-field-initializers)
if(TCPLAB_WERROR)
  add_compile_options(-Werror)
endif()
if(TCPLAB_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  # Without these three, a file compiles in three quarters of the time, and tcplab has a third of the
  # data. AddressSanitizer finds what null and object-size find. Our parsers copy numbers out of
  # bytes; tools/fuzz checks their alignment.
  add_compile_options(-fno-sanitize=null,object-size,alignment)
  # With -fsanitize=address, -Wmaybe-uninitialized gives false warnings (gcc(1); for example for
  # std::regex in gcc 12). The Release build still has the warning.
  add_compile_options(-Wno-maybe-uninitialized)
  add_link_options(-fsanitize=address,undefined)
  # A position-independent executable has a relocation for each place that a sanitizer checks.
  # Applying them takes half a second at each start of tcplab.
  add_link_options($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
endif()
if(TCPLAB_CHECKS)
  # What ./test builds: little slower than without. A wrong index, an overflow of a signed number and the
  # like end the program with SIGABRT or SIGILL. Our parsers copy numbers out of bytes; tools/fuzz checks
  # their alignment.
  add_compile_options(-D_GLIBCXX_ASSERTIONS -fsanitize=undefined -fsanitize-undefined-trap-on-error
                      -fno-sanitize=null,object-size,alignment)
  # False for std::optional, with these checks. ./test --all also builds without them.
  add_compile_options(-Wno-maybe-uninitialized)
endif()
# At its default heap limit, the compiler spends up to a tenth of the time on garbage collection.
# With this one, it needs at most 0.1 GB more for each job.
set(heap "--param ggc-min-heapsize=600000")
# -O1 takes a fifth less time to compile than -O2. Rooms that handle each frame or system call get -O2
# (optimize_rooms).
set(CMAKE_CXX_FLAGS_RELEASE "-O1 -DNDEBUG ${heap}")
# -Og, because a test build is compiled often: with the sanitizers, -O1 takes 1.5 times as long to
# compile.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-Og -g1 ${heap}")

# The files of a room are compiled together (a unity build), because most of the time goes into headers.
# So a name in an anonymous namespace is unique in its room. If g++ runs out of memory, lower the batch
# size.
if(NOT DEFINED CMAKE_UNITY_BUILD)
  set(CMAKE_UNITY_BUILD ON)
endif()
set(CMAKE_UNITY_BUILD_BATCH_SIZE 12)
if(CMAKE_UNITY_BUILD)
  # This warning is false there: g++ takes the .cc files for headers.
  add_compile_options(-Wno-subobject-linkage)
endif()

# No precompiled headers: measured here, they made app/ and lab/ three times as slow to compile,
# and saved nothing elsewhere.
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()
