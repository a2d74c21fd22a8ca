# `cpack` in a build folder makes a Debian package of what `cmake --install` installs.
# dpkg-shlibdeps finds the libraries that the programs need.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tcplab)
set(CPACK_PACKAGE_VERSION ${TCPLAB_VERSION_TEXT})
set(CPACK_PACKAGE_CONTACT "the tcplab developers <tcplab@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "TCP failure-mode lab, and a netcat that logs system calls")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Only scenarios with a firewall run nft; only some run conntrack.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "nftables, conntrack")
# Only run --on starts kernels of their own.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "user-mode-linux")
include(CPack)
