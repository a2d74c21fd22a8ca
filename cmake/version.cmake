# Sets TCPLAB_VERSION ("0.1.0") and TCPLAB_VERSION_TEXT, which --version prints. The version is that
# of the newest section of CHANGELOG.md. tests/structure/release_test.py checks that a tag equals it.
# The text is "0.1.0-dev" before the release. In a git clone it says how far the commit is from the
# release's tag: "0.1.0-12-gabc1234", and "0.1.0" at the tag.

set(changelog ${CMAKE_CURRENT_LIST_DIR}/../CHANGELOG.md)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${changelog})
file(STRINGS ${changelog} headings REGEX "^## [0-9]+\\.[0-9]+\\.[0-9]+")
list(GET headings 0 heading)
string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" TCPLAB_VERSION "${heading}")

set(TCPLAB_VERSION_TEXT ${TCPLAB_VERSION})
if(heading MATCHES "not released")
  string(APPEND TCPLAB_VERSION_TEXT -dev)
endif()
execute_process(COMMAND git describe --tags --match v${TCPLAB_VERSION}
                WORKING_DIRECTORY ${CMAKE_CURRENT_LIST_DIR} RESULT_VARIABLE status
                OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(status EQUAL 0)
  string(SUBSTRING ${described} 1 -1 TCPLAB_VERSION_TEXT)
endif()
