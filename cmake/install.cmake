# Installs the files besides the programs. tests/structure/install_test.sh checks the result.
# A Debian package does not have the component `plain`: it has a copyright file instead of LICENSE, and
# compressed manual pages (cmake/package.cmake). Other distributions compress what is installed here.

install(DIRECTORY scenarios/ DESTINATION ${CMAKE_INSTALL_DATADIR}/tcplab/scenarios
        FILES_MATCHING PATTERN "*.lua")
install(DIRECTORY conformance DESTINATION ${CMAKE_INSTALL_DATADIR}/tcplab
        FILES_MATCHING PATTERN "*.lua" PATTERN "rfc9293.txt")
install(DIRECTORY scorecard DESTINATION ${CMAKE_INSTALL_DATADIR}/tcplab
        FILES_MATCHING PATTERN "*.lua" PATTERN results EXCLUDE)
install(DIRECTORY editor/ DESTINATION ${CMAKE_INSTALL_DATADIR}/tcplab/editor OPTIONAL)
# For pip, and for PYTHONPATH: docs/python.md. pip may have left folders beside python/tcplab.
install(FILES python/pyproject.toml python/README.md
        DESTINATION ${CMAKE_INSTALL_DATADIR}/tcplab/python OPTIONAL)
install(DIRECTORY python/tcplab DESTINATION ${CMAKE_INSTALL_DATADIR}/tcplab/python OPTIONAL
        FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed" PATTERN __pycache__ EXCLUDE)
# What `tcplab site` shows. The folder is like the source tree, so that links between documents hold.
# Container images may leave out share/doc.
install(FILES README.md ARCHITECTURE.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATADIR}/tcplab
        OPTIONAL)
install(FILES bench/README.md DESTINATION ${CMAKE_INSTALL_DATADIR}/tcplab/bench OPTIONAL)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DATADIR}/tcplab
        FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.png" PATTERN "*.html"
        PATTERN "*.schema.json"
        PATTERN "*.in.md" EXCLUDE)
install(FILES LICENSE TYPE DOC COMPONENT plain OPTIONAL)
install(FILES README.md ARCHITECTURE.md TYPE DOC OPTIONAL)
install(DIRECTORY docs/ TYPE DOC FILES_MATCHING PATTERN "*.md" PATTERN "*.schema.json"
        PATTERN "*.in.md" EXCLUDE PATTERN pictures EXCLUDE)

file(GLOB manuals CONFIGURE_DEPENDS man/*.1)
install(FILES ${manuals} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT plain)

# bash-completion finds the file of a command by the command's name.
file(GLOB completions CONFIGURE_DEPENDS completions/*.bash)
foreach(completion ${completions})
  get_filename_component(command ${completion} NAME_WE)
  install(FILES ${completion} RENAME ${command}
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
endforeach()

install(FILES completions/tcplab.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
# zsh searches site-functions below /usr/local, and on Debian vendor-completions below /usr.
foreach(folder site-functions vendor-completions)
  install(FILES completions/_tcplab DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/${folder})
endforeach()

# Other projects get tcplab_add_scenarios() from find_package(tcplab).
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_DATADIR}/cmake/tcplab)
configure_package_config_file(cmake/tcplabConfig.cmake.in ${PROJECT_BINARY_DIR}/tcplabConfig.cmake
                              INSTALL_DESTINATION ${package} NO_SET_AND_CHECK_MACRO
                              NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tcplabConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${PROJECT_BINARY_DIR}/tcplabConfig.cmake
              ${PROJECT_BINARY_DIR}/tcplabConfigVersion.cmake cmake/TcplabScenarios.cmake
        DESTINATION ${package})
install(DIRECTORY ci/ DESTINATION ${CMAKE_INSTALL_DATADIR}/tcplab/ci USE_SOURCE_PERMISSIONS)
