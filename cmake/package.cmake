# `cpack` in a build folder makes a Debian package: what `cmake --install` installs, but with the files of
# cmake/debian. tools/package makes the build folder for it, with the compiler options of Debian: a Release
# build has -O1.
#
# The package is native (deb-version(7)), so its version has no hyphen: 0.1.0, 0.1.0~dev, 0.1.0+12.gabc1234.
string(REPLACE "-dev" "~dev" version ${TCPLAB_VERSION_TEXT})
string(REGEX REPLACE "-([0-9]+)-" "+\\1." version ${version})
set(TCPLAB_MAINTAINER "the tcplab developers <tcplab@tcplab.invalid>" CACHE STRING
    "Who makes the package, with an address")

install(CODE "execute_process(COMMAND ${PROJECT_SOURCE_DIR}/cmake/debian/write-files
  \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\" \"${version}\" \"${TCPLAB_MAINTAINER}\"
  COMMAND_ERROR_IS_FATAL ANY)" COMPONENT debian EXCLUDE_FROM_ALL)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tcplab)
set(CPACK_PACKAGE_VERSION ${version})
set(CPACK_PACKAGE_CONTACT ${TCPLAB_MAINTAINER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "TCP failure-mode lab, and a netcat that logs system calls")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"tcplab builds hosts on this machine, runs programs on them, makes power,
cables or packets fail, and shows the system calls, TCP states and packets of
both ends on one timeline. It has nearly 400 scenarios of TCP failures; others
are Lua scripts.
.
dnc is a netcat for watching TCP fail: it makes one system call at a time, and
prints each call and the kernel's answer.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
# All but the component `plain`.
set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};tcplab;Unspecified;/"
                                 "${PROJECT_BINARY_DIR};tcplab;debian;/")
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
    GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian/depends.cmake)
# Only scenarios with a firewall run nft; only some run conntrack.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "nftables, conntrack")
# Only run --kernel starts kernel hosts.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "user-mode-linux")
include(CPack)
