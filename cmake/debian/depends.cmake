# Finds the packages of the libraries that the programs need. cpack runs this before it makes a package.
# CPACK_DEBIAN_PACKAGE_SHLIBDEPS does the same, but first starts two programs for each of our 500 files,
# which takes minutes on a busy machine. tcplab-agent is static and needs none.
set(folder ${CPACK_TOPLEVEL_DIRECTORY}/depends)
file(WRITE ${folder}/debian/control "Source: tcplab\n\nPackage: tcplab\nArchitecture: any\n")
file(GLOB programs ${CPACK_TEMPORARY_DIRECTORY}/usr/bin/*
     ${CPACK_TEMPORARY_DIRECTORY}/usr/libexec/tcplab/*.so)
execute_process(COMMAND dpkg-shlibdeps -O ${programs} WORKING_DIRECTORY ${folder}
                OUTPUT_VARIABLE depends OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
if(NOT depends MATCHES "^shlibs:Depends=([^\n]+)$")
  message(FATAL_ERROR "dpkg-shlibdeps prints no packages, but: ${depends}")
endif()
set(CPACK_DEBIAN_PACKAGE_DEPENDS ${CMAKE_MATCH_1})
