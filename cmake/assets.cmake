# Compiles the styles and scripts of the web pages into the program. Each is a file of its own.

set(scripts report.js fold.js view.js overview.js plots.js narrow.js source.js predict.js headline.js
    projector.js copy.js presentation.js common.js flame.js)
set(styles report.css view.css presentation.css site.css audit.css flame.css bar.css front.css)
foreach(asset ${styles} ${scripts} index.js front.js slides.css slides.js player.html legend.html
    view.html filters.html flame.html)
  string(REPLACE "." "_" name ${asset})
  set(file ${PROJECT_SOURCE_DIR}/reports/html/${asset})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} ${name})
endforeach()
# One style, and one module: the files share their names.
foreach(asset view_css presentation_css audit_css flame_css)
  string(APPEND report_css "${${asset}}")
endforeach()
# Only pages of a site need these.
string(APPEND site_css "${bar_css}${front_css}")
foreach(asset fold_js view_js overview_js plots_js narrow_js source_js predict_js headline_js
    projector_js copy_js presentation_js common_js flame_js)
  string(APPEND report_js "\n${${asset}}")
endforeach()
foreach(name flame_js front_js)
  string(APPEND ${name} "\n${common_js}")
endforeach()
foreach(name report_css site_css slides_css report_js index_js front_js flame_js slides_js bar_css)
  # Comments, indents and empty lines are for readers of the files: each page would carry them. No
  # string has several lines, or two blanks before "// ".
  string(REGEX REPLACE "\n *//[^\n]*" "" ${name} "${${name}}")
  string(REGEX REPLACE "\n */\\*([^*]|\\*+[^*/])*\\*+/(\n|$)" "\n" ${name} "${${name}}")
  string(REGEX REPLACE "  // [^\n]*" "" ${name} "${${name}}")
  string(REGEX REPLACE "\n[ \n]+" "\n" ${name} "${${name}}")
  if(name MATCHES _css)
    string(REPLACE " { " "{" ${name} "${${name}}")
    string(REPLACE "; }" "}" ${name} "${${name}}")
  endif()
  # Of the element's text, which begins with a newline. See page_begin().
  string(SHA256 ${name}_hash "\n${${name}}")
endforeach()
# In a site, a page's only script loads the shared one. The front page is in the site's folder, the
# others with scripts are one folder down.
set(root_of_report_js ../)
set(root_of_index_js ../)
set(root_of_front_js "")
foreach(name report_js index_js front_js)
  string(SUBSTRING ${${name}_hash} 0 12 version)
  string(REPLACE _js "-${version}.js" ${name}_file assets/${name})
  set(${name}_loader
      "document.head.append(Object.assign(document.createElement('script'),\
{src:'${root_of_${name}}${${name}_file}'}))")
  string(SHA256 ${name}_loader_hash "${${name}_loader}")
endforeach()
string(SHA256 version "${report_css}${site_css}")
string(SUBSTRING ${version} 0 12 version)
set(site_css_file assets/report-${version}.css)
configure_file(reports/html/assets.cc.in ${PROJECT_BINARY_DIR}/assets.cc @ONLY)
target_sources(reports_html PRIVATE ${PROJECT_BINARY_DIR}/assets.cc)
