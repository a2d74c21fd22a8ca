# A room is a folder: every .cc in it makes one library, included from the top as "room/x.hh".

# add_room(folder library...): a folder without a .cc of its own makes an INTERFACE library, by which
# a room of sub-rooms is linked as a whole.
function(add_room folder)
  string(REPLACE "/" "_" target ${folder})
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cc)
  list(FILTER sources EXCLUDE REGEX "/main\\.cc$")
  if(sources)
    add_library(${target} STATIC ${sources})
    set(scope PUBLIC)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(${target} ${scope} ${PROJECT_SOURCE_DIR})
  target_link_libraries(${target} ${scope} ${ARGN})
endfunction()

# add_program(name room main.cc)
function(add_program name room main)
  if(NOT EXISTS ${PROJECT_SOURCE_DIR}/${main})
    return()
  endif()
  # The room is called as its program where the two have one name (dnc).
  set(target ${name}_program)
  add_executable(${target} ${main})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name})
  target_link_libraries(${target} PRIVATE ${room})
  target_compile_definitions(${target} PRIVATE TCPLAB_VERSION="${PROJECT_VERSION}")
  install(TARGETS ${target} RUNTIME)
endfunction()
