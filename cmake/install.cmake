# What `cmake --install` puts in place beside the programs. tests/install checks the result.

install(DIRECTORY scenarios/ DESTINATION ${CMAKE_INSTALL_DATADIR}/tcplab/scenarios
        FILES_MATCHING PATTERN "*.lua" PATTERN engine EXCLUDE)
install(DIRECTORY editor/ DESTINATION ${CMAKE_INSTALL_DATADIR}/tcplab/editor OPTIONAL)
install(FILES LICENSE README.md ARCHITECTURE.md TYPE DOC OPTIONAL)
install(DIRECTORY docs/ TYPE DOC FILES_MATCHING PATTERN "*.md")

file(GLOB manuals CONFIGURE_DEPENDS man/*.1)
install(FILES ${manuals} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

# bash-completion finds a command's file by the command's name.
file(GLOB completions CONFIGURE_DEPENDS completions/*.bash)
foreach(completion ${completions})
  get_filename_component(command ${completion} NAME_WE)
  install(FILES ${completion} RENAME ${command}
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
endforeach()
