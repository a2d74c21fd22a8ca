# A room is a folder. Its .cc files make one library. Headers are included as "room/x.hh", relative
# to the top folder.

# add_room(folder rooms libraries) adds the library of a room. A folder without a .cc file makes an
# INTERFACE library: a room of sub-rooms is linked as a whole that way.
function(add_room folder rooms libraries)
  string(REPLACE "/" "_" target ${folder})
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cc)
  list(FILTER sources EXCLUDE REGEX "/main\\.cc$")
  if(sources)
    add_library(${target} STATIC EXCLUDE_FROM_ALL ${sources})
    set(scope PUBLIC)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  list(TRANSFORM rooms REPLACE "/" "_")
  target_include_directories(${target} ${scope} ${PROJECT_SOURCE_DIR})
  target_link_libraries(${target} ${scope} ${rooms} ${libraries})
endfunction()

# add_rooms(file) adds each room in the table `file`, but not those that it says another file builds.
function(add_rooms file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} table)
  string(REGEX REPLACE "\n +" " " table "${table}")
  string(REGEX REPLACE "\n" ";" lines "${table}")
  foreach(line ${lines})
    if(line MATCHES "^([a-z/]+):([^|]*)(.*)$")
      set(folder ${CMAKE_MATCH_1})
      string(REPLACE "|" " " libraries "${CMAKE_MATCH_3}")
      separate_arguments(rooms UNIX_COMMAND "${CMAKE_MATCH_2}")
      separate_arguments(libraries UNIX_COMMAND "${libraries}")
      add_room(${folder} "${rooms}" "${libraries}")
    endif()
  endforeach()
endfunction()

# add_program(name room main.cc) adds a program that links the room.
function(add_program name room main)
  if(NOT EXISTS ${PROJECT_SOURCE_DIR}/${main})
    return()
  endif()
  # A room may have the same name as its program (dnc), so the target needs a name of its own.
  set(target ${name}_program)
  add_executable(${target} ${main})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name})
  target_link_libraries(${target} PRIVATE ${room})
  target_compile_definitions(${target} PRIVATE TCPLAB_VERSION="${TCPLAB_VERSION_TEXT}")
  install(TARGETS ${target} RUNTIME)
endfunction()

# optimize_rooms(room...): compiles these rooms with -O2 in a Release build, but not in one with checks.
function(optimize_rooms)
  if(TCPLAB_CHECKS)
    return()
  endif()
  foreach(room ${ARGN})
    target_compile_options(${room} PRIVATE $<$<CONFIG:Release>:-O2>)
  endforeach()
endfunction()
