# Compiles the styles and scripts of the web pages into the program. Each is a file of its own.

foreach(asset report.css presentation.css report.js presentation.js index.js player.html legend.html
        filters.html)
  string(REPLACE "." "_" name ${asset})
  set(file ${PROJECT_SOURCE_DIR}/reports/html/${asset})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} ${name})
endforeach()
string(APPEND report_css "${presentation_css}")
string(APPEND report_js "\n${presentation_js}")
foreach(name report_css report_js index_js)
  # Of the element's text, which begins with a newline. See page_begin().
  string(SHA256 ${name}_hash "\n${${name}}")
endforeach()
configure_file(reports/html/assets.cc.in ${PROJECT_BINARY_DIR}/assets.cc @ONLY)
target_sources(reports_html PRIVATE ${PROJECT_BINARY_DIR}/assets.cc)
