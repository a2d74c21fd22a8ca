#include "reports/site/markdown.hh"

#include <cmark-gfm-core-extensions.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <regex>
#include <string_view>

#include "reports/html/markup.hh"

namespace tcplab::site {

namespace {

using Node = cmark_node*;

struct NodeFree {
  void operator()(Node node) const { cmark_node_free(node); }
};
struct ParserFree {
  void operator()(cmark_parser* parser) const { cmark_parser_free(parser); }
};
struct IteratorFree {
  void operator()(cmark_iter* iterator) const { cmark_iter_free(iterator); }
};
using Tree = std::unique_ptr<cmark_node, NodeFree>;

Tree parse(const std::string& markdown) {
  cmark_gfm_core_extensions_ensure_registered();
  const std::unique_ptr<cmark_parser, ParserFree> parser(cmark_parser_new(CMARK_OPT_DEFAULT));
  cmark_parser_attach_syntax_extension(parser.get(), cmark_find_syntax_extension("table"));
  cmark_parser_feed(parser.get(), markdown.data(), markdown.size());
  return Tree(cmark_parser_finish(parser.get()));
}

/// Returns the nodes below `root`, in the order of the text. A list, so that a caller may change
/// the tree.
std::vector<Node> nodes_below(Node root) {
  std::vector<Node> nodes;
  const std::unique_ptr<cmark_iter, IteratorFree> iterator(cmark_iter_new(root));
  while (cmark_iter_next(iterator.get()) != CMARK_EVENT_DONE)
    if (cmark_iter_get_event_type(iterator.get()) == CMARK_EVENT_ENTER)
      nodes.push_back(cmark_iter_get_node(iterator.get()));
  return nodes;
}

std::string text_or_empty(const char* text) { return text == nullptr ? "" : text; }

bool is_a(Node node, cmark_node_type type) { return cmark_node_get_type(node) == type; }

std::string text_below(Node root) {
  std::string text;
  for (Node node : nodes_below(root)) {
    if (is_a(node, CMARK_NODE_TEXT) || is_a(node, CMARK_NODE_CODE))
      text += text_or_empty(cmark_node_get_literal(node));
    if (is_a(node, CMARK_NODE_SOFTBREAK) || is_a(node, CMARK_NODE_LINEBREAK)) text += ' ';
  }
  return text;
}

/// Returns an inline node that renders as this markup around its children.
Node markup_node(const std::string& before, const std::string& after) {
  Node node = cmark_node_new(CMARK_NODE_CUSTOM_INLINE);
  cmark_node_set_on_enter(node, before.c_str());
  cmark_node_set_on_exit(node, after.c_str());
  return node;
}

void move_children(Node from, Node into) {
  for (Node child = cmark_node_first_child(from); child != nullptr;) {
    Node next = cmark_node_next(child);
    cmark_node_append_child(into, child);  // unlinks it first
    child = next;
  }
}

/// Replaces a node by its children.
void dissolve(Node node) {
  for (Node child = cmark_node_first_child(node); child != nullptr;) {
    Node next = cmark_node_next(child);
    cmark_node_insert_before(node, child);
    child = next;
  }
  cmark_node_free(node);
}

bool is_in_link(Node node) {
  for (Node up = cmark_node_parent(node); up != nullptr; up = cmark_node_parent(up))
    if (is_a(up, CMARK_NODE_LINK)) return true;
  return false;
}

/// Returns a block that renders as this markup.
Node markup_block(const std::string& markup) {
  Node node = cmark_node_new(CMARK_NODE_CUSTOM_BLOCK);
  cmark_node_set_on_enter(node, markup.c_str());
  return node;
}

/// Removes raw HTML, and keeps the places that it names and the parts that it folds.
void replace_raw_html(Node root) {
  static const std::regex kPlace("<a id=\"([A-Za-z0-9_-]+)\">");
  static const std::regex kFold("(</?(details|summary|code)>|[^<>&])+");
  for (Node node : nodes_below(root)) {
    if (!is_a(node, CMARK_NODE_HTML_BLOCK) && !is_a(node, CMARK_NODE_HTML_INLINE)) continue;
    const std::string literal = text_or_empty(cmark_node_get_literal(node));
    std::smatch found;
    if (is_a(node, CMARK_NODE_HTML_INLINE) && std::regex_match(literal, found, kPlace))
      cmark_node_insert_before(node,
                               markup_node("<span id=\"" + found[1].str() + "\">", "</span>"));
    if (is_a(node, CMARK_NODE_HTML_BLOCK) && std::regex_match(literal, kFold))
      cmark_node_insert_before(node,
                               markup_block(literal.substr(0, literal.find_last_not_of('\n') + 1)));
    cmark_node_free(node);
  }
}

void redirect_links(Node root, const AddressRules& rules) {
  for (Node node : nodes_below(root)) {
    if (!is_a(node, CMARK_NODE_LINK) && !is_a(node, CMARK_NODE_IMAGE)) continue;
    const std::string address = rules.of_link(text_or_empty(cmark_node_get_url(node)));
    if (address.empty())
      dissolve(node);
    else
      cmark_node_set_url(node, address.c_str());
  }
}

void link_code(Node root, const AddressRules& rules) {
  for (Node node : nodes_below(root)) {
    if (!is_a(node, CMARK_NODE_CODE) || is_in_link(node)) continue;
    const std::string address = rules.of_code(text_or_empty(cmark_node_get_literal(node)));
    if (address.empty()) continue;
    Node link = cmark_node_new(CMARK_NODE_LINK);
    cmark_node_set_url(link, address.c_str());
    cmark_node_insert_before(node, link);
    cmark_node_append_child(link, node);
  }
}

/// Gives each heading an anchor. As on GitHub, a second "The lab" is the-lab-1.
std::vector<Heading> name_headings(Node root) {
  std::vector<Heading> headings;
  std::map<std::string, int> counts;
  for (Node node : nodes_below(root)) {
    if (!is_a(node, CMARK_NODE_HEADING)) continue;
    const std::string text = text_below(node);
    std::string anchor = anchor_of(text);
    const int before = counts[anchor]++;
    if (before > 0) anchor += "-" + std::to_string(before);
    Node place = markup_node("<span id=\"" + html::escaped(anchor) + "\">", "</span>");
    move_children(node, place);
    cmark_node_append_child(node, place);
    headings.push_back({cmark_node_get_heading_level(node), text, anchor});
  }
  return headings;
}

std::string first_paragraph(Node root) {
  for (Node node = cmark_node_first_child(root); node != nullptr; node = cmark_node_next(node))
    if (is_a(node, CMARK_NODE_PARAGRAPH)) return text_below(node);
  return "";
}

TableRow row_of(Node row) {
  TableRow cells;
  for (Node node = cmark_node_first_child(row); node != nullptr; node = cmark_node_next(node)) {
    TableCell cell{.text = text_below(node)};
    for (Node below : nodes_below(node))
      if (cell.address.empty() && is_a(below, CMARK_NODE_LINK))
        cell.address = text_or_empty(cmark_node_get_url(below));
    cells.push_back(std::move(cell));
  }
  return cells;
}

/// Whether a node is a table. Public headers have no constant for the nodes of the extension.
bool is_table(Node node) { return text_or_empty(cmark_node_get_type_string(node)) == "table"; }

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// Returns the tree as HTML. Wide tables and code scroll in boxes of their own, which the keyboard
/// reaches. Text cannot contain these tags: it is escaped.
std::string to_html(Node root) {
  const std::unique_ptr<char, decltype(&std::free)> rendered_text(
      cmark_render_html(root, CMARK_OPT_DEFAULT, nullptr), &std::free);
  std::string text = rendered_text.get();
  replace_all(text, "<table>", "<div class=\"wide\" tabindex=\"0\"><table>");
  replace_all(text, "</table>", "</table></div>");
  replace_all(text, "<pre>", "<pre tabindex=\"0\">");
  return text;
}

}  // namespace

std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char c : heading) {
    const auto octet = static_cast<unsigned char>(c);
    if (c == ' ')
      anchor += '-';
    else if (octet >= 0x80 || std::isalnum(octet) != 0 || c == '-' || c == '_')
      anchor += static_cast<char>(octet < 0x80 ? std::tolower(octet) : octet);
  }
  return anchor;
}

std::vector<TableRow> first_table(const std::string& markdown, const AddressRules& rules) {
  const Tree tree = parse(markdown);
  redirect_links(tree.get(), rules);
  Node table = cmark_node_first_child(tree.get());
  while (table != nullptr && !is_table(table)) table = cmark_node_next(table);
  std::vector<TableRow> rows;
  if (table == nullptr) return rows;
  for (Node row = cmark_node_first_child(table); row != nullptr; row = cmark_node_next(row))
    rows.push_back(row_of(row));
  return rows;
}

RenderedText rendered(const std::string& markdown, const AddressRules& rules) {
  const Tree tree = parse(markdown);
  replace_raw_html(tree.get());
  redirect_links(tree.get(), rules);
  link_code(tree.get(), rules);
  RenderedText text;
  text.introduction = first_paragraph(tree.get());
  text.headings = name_headings(tree.get());
  text.html = to_html(tree.get());
  return text;
}

}  // namespace tcplab::site
