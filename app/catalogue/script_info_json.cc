#include "app/catalogue/script_info_json.hh"

namespace tcplab::app {

namespace {

nlohmann::ordered_json json_of(const std::optional<reports::QuizQuestion>& quiz) {
  if (!quiz) return nullptr;
  auto choices = nlohmann::ordered_json::array();
  for (const reports::QuizChoice& choice : quiz->choices)
    choices.push_back(
        {{"text", choice.text}, {"right", choice.right}, {"because", choice.because}});
  return {{"asks", quiz->asks}, {"choices", choices}};
}

std::optional<reports::QuizQuestion> quiz_of(const nlohmann::ordered_json& fields) {
  if (fields.is_null()) return std::nullopt;
  reports::QuizQuestion quiz{.asks = fields.at("asks"), .choices = {}};
  for (const auto& choice : fields.at("choices"))
    quiz.choices.push_back({choice.at("text"), choice.at("right"), choice.at("because")});
  return quiz;
}

nlohmann::ordered_json json_of(const std::optional<reports::RfcRequirement>& requirement) {
  if (!requirement) return nullptr;
  return {{"id", requirement->id},
          {"level", name(requirement->level)},
          {"rfc", requirement->rfc},
          {"says", requirement->says},
          {"met", requirement->met}};
}

std::optional<reports::RfcRequirement> requirement_of(const nlohmann::ordered_json& fields) {
  if (fields.is_null()) return std::nullopt;
  return reports::RfcRequirement{
      .id = fields.at("id"),
      .level = reports::requirement_level(fields.at("level").get<std::string>()).value(),
      .rfc = fields.at("rfc"),
      .says = fields.at("says"),
      .met = fields.at("met")};
}

}  // namespace

nlohmann::ordered_json json_of(const ScriptInfo& script) {
  auto families = nlohmann::ordered_json::array();
  for (const base::Family family : script.families)
    families.push_back(family == base::Family::ipv4 ? 4 : 6);
  return {{"name", script.name},
          {"topic", script.topic},
          {"file", script.file},
          {"title", script.title},
          {"asks", script.asks},
          {"here", script.here},
          {"article", script.article},
          {"why", script.why},
          {"source", script.source},
          {"tags", script.tags},
          {"families", families},
          {"needs", script.needs},
          {"since", script.since},
          {"quiz", json_of(script.quiz)},
          {"requires", json_of(script.requirement)}};
}

ScriptInfo script_info_of(const nlohmann::ordered_json& fields) {
  ScriptInfo script{.name = fields.at("name"),
                    .topic = fields.at("topic"),
                    .file = fields.at("file"),
                    .title = fields.at("title"),
                    .asks = fields.at("asks"),
                    .source = fields.at("source"),
                    .article = fields.at("article"),
                    .here = fields.at("here"),
                    .why = fields.at("why"),
                    .tags = fields.at("tags"),
                    .families = {},
                    .needs = fields.at("needs"),
                    .since = fields.at("since"),
                    .quiz = quiz_of(fields.at("quiz")),
                    .requirement = requirement_of(fields.at("requires"))};
  for (const int family : fields.at("families"))
    script.families.push_back(family == 4 ? base::Family::ipv4 : base::Family::ipv6);
  return script;
}

}  // namespace tcplab::app
