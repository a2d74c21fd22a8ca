#include "reports/brief/brief_style.hh"

namespace tcplab::reports {

// The classes are those of a page's picture (reports/html), the colours those of report.css.
const std::string_view kBriefStyle = R"(
.paper { fill: #ffffff; stroke: #d9d7d0; }
text { font: 12px ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono",
  "Liberation Mono", monospace; fill: #1b1d21; }
.title, .asks, .foot, .gap, .name, .remark, .why, .pilltext, .pausetext, .met, .missed, .seen {
  font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans",
  "DejaVu Sans", sans-serif; }
.title { font-size: 19px; font-weight: 700; }
.asks { font-size: 14px; }
.foot, .address, .time, .dim { fill: #686d76; }
.foot { font-size: 11.5px; }
.time { font-size: 11px; text-anchor: end; }
.name { font-size: 15px; font-weight: 700; text-anchor: middle; }
.address { font-size: 11.5px; text-anchor: middle; }
.h0 .name { fill: #0b62a0; }
.h1 .name { fill: #7a3fa0; }
.h2 .name { fill: #00706b; }
.h3 .name { fill: #6f5b3e; }
.left { text-anchor: end; }
.strong, .state { font-weight: 700; }
.error, .bad { fill: #b3410a; font-weight: 600; }
.action { fill: #8a5a00; }
.good { fill: #00704f; }
.note { fill: #4b5aa8; }
.remark { fill: #4b5aa8; font-style: italic; }
.hit { fill: none; }
.gap { font-style: italic; text-anchor: middle; fill: #4a4e56; }
.gap, .frame > text { paint-order: stroke; stroke: #ffffff; stroke-width: 4px;
  stroke-linejoin: round; }
.cut { stroke: #686d76; stroke-width: 2; stroke-dasharray: 1 4; stroke-linecap: round; }
.life { stroke: #d9d7d0; stroke-width: 2; }
.s-LISTEN rect { fill: #a7adb5; }
.s-SYN_SENT rect { fill: #f0e442; }
.s-SYN_RECV rect { fill: #dcc800; }
.s-ESTABLISHED rect { fill: #1fb587; }
.s-FIN_WAIT1 rect { fill: #8fd0f5; }
.s-FIN_WAIT2 rect { fill: #56b4e9; }
.s-CLOSING rect { fill: #6ea3dc; }
.s-TIME_WAIT rect { fill: #d78fb9; }
.s-CLOSE_WAIT rect { fill: #f2b233; }
.s-LAST_ACK rect { fill: #ee8a4a; }
.s-CLOSE rect, .s-CLOSED rect { fill: #c9ccd1; }
.along { font-size: 9.5px; font-weight: 600; letter-spacing: 0.4px; fill: #16181b; }
.dark rect { fill: #ffffff; stroke: #686d76; stroke-dasharray: 2 3; }
.dark .along { display: none; }
.hangs { stroke: #8a5a00; stroke-width: 1.4; stroke-dasharray: 1 4; stroke-linecap: round; }
.frame > path { stroke: #35383f; stroke-width: 1.5; fill: none; }
.frame > path:only-of-type { marker-end: url(#tip); }
#tip path { fill: #35383f; fill: context-stroke; }
.frame > text { text-anchor: middle; }
.frame > .why { font-size: 11px; font-style: italic; fill: #8a5a00; }
.lost > .why { fill: #b3410a; }
.reset > path { stroke: #b3410a; stroke-width: 2; }
.reset > text { fill: #b3410a; font-weight: 700; }
.reset > .why { font-weight: 400; }
.other > path { stroke: #686d76; stroke-width: 1; }
.other > text { fill: #686d76; }
.lost > path { stroke: #b3410a; }
.frame > .lostmark { stroke: #b3410a; stroke-width: 3; stroke-linecap: round; }
.held > path { stroke: #8a5a00; }
.frame > .heldmark { stroke: #8a5a00; stroke-width: 4; stroke-linecap: round; }
.forged > path { stroke: #b0609a; stroke-dasharray: 6 4; stroke-width: 2; }
.forged > text { fill: #b0609a; }
.duplicate > path { stroke-width: 4; stroke-opacity: 0.55; }
.damaged > path { stroke-dasharray: 2 3; stroke-width: 2.5; }
.delayed > path { stroke: #8a5a00; }
.flood > path { stroke-width: 5; stroke-opacity: 0.6; }
.rule { stroke: #8a5a00; stroke-width: 1; stroke-opacity: 0.45; }
.pill { fill: #fff5e0; stroke: #8a5a00; stroke-width: 1.2; }
.pilltext { font-weight: 600; text-anchor: middle; fill: #8a5a00; }
.icon { fill: none; stroke: #8a5a00; stroke-width: 1.6; stroke-linecap: round;
  stroke-linejoin: round; }
.judged { fill: #e6f1ee; }
.judged.failed { fill: #f5e6de; stroke: #b3410a; }
.missed { fill: #b3410a; font-weight: 700; }
.tear, .pause { fill: #fbfaf7; stroke: #d9d7d0; }
.pausetext { text-anchor: middle; fill: #686d76; }
@media (prefers-color-scheme: dark) {
  .paper { fill: #1b1e23; stroke: #353a43; }
  text { fill: #e8e6e1; }
  .foot, .address, .time, .dim, .pausetext, .other > text { fill: #9aa0aa; }
  .gap { fill: #c3c6cc; }
  .gap, .frame > text { stroke: #1b1e23; }
  .h0 .name { fill: #6cbcf5; }
  .h1 .name { fill: #c79bf0; }
  .h2 .name { fill: #4fc7c0; }
  .h3 .name { fill: #cdb48a; }
  .error, .bad, .lost > .why, .reset > text, .missed { fill: #ff8f57; }
  .action, .frame > .why, .pilltext { fill: #f0b849; }
  .good { fill: #3fc79a; }
  .note, .remark { fill: #a3b0ff; }
  .along { fill: #16181b; }
  .life, .tear, .pause { stroke: #353a43; }
  .tear, .pause { fill: #15171b; }
  .dark rect { fill: #1b1e23; stroke: #9aa0aa; }
  .frame > path { stroke: #cfd2d8; }
  #tip path { fill: #cfd2d8; fill: context-stroke; }
  .other > path, .cut { stroke: #9aa0aa; }
  .reset > path, .lost > path, .frame > .lostmark { stroke: #ff8f57; }
  .held > path, .frame > .heldmark, .delayed > path, .hangs, .rule, .icon { stroke: #f0b849; }
  .pill { fill: #2d2617; stroke: #f0b849; }
  .forged > path { stroke: #dd9dc6; }
  .forged > text { fill: #dd9dc6; }
  .judged { fill: #1e2f2d; }
  .judged.failed { fill: #382a29; stroke: #ff8f57; }
}
)";

}  // namespace tcplab::reports
