#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <random>

#include "base/error.hh"
#include "scenarios/engine/cli/answers.hh"
#include "scenarios/engine/cli/command_line.hh"
#include "scenarios/engine/cli/commands.hh"
#include "scenarios/engine/cli/suite_views.hh"
#include "scenarios/engine/script/catalogue.hh"
#include "scenarios/engine/suite/run_plan.hh"
#include "scenarios/engine/suite/shard.hh"
#include "scenarios/engine/terminal/terminal.hh"

namespace tcplab::engine {

namespace {

using reports::QuizAnswer;
using reports::QuizMark;
using reports::QuizQuestion;

constexpr int kWrongAnswers = 1;
constexpr int kNothingScored = 4;
constexpr std::size_t kQuestionsOfAll = 5;
constexpr std::uint64_t kMostSeed = 10000;  // short to type

struct QuizOptions {
  std::vector<std::string> selectors{};
  std::optional<std::uint64_t> seed{};
  std::string family{};  // empty: the first that the scenario is about
  std::string timers = "fast";
  std::size_t most = 0;  // 0: all that were chosen, or some of the whole catalogue
  std::string out = "runs";
};

std::vector<base::Family> families(const QuizOptions& options) {
  if (options.family == "4") return {base::Family::ipv4};
  if (options.family == "6") return {base::Family::ipv6};
  return {base::Family::ipv4, base::Family::ipv6};
}

/// One experiment for each question; those without one are left out.
std::vector<RunPlan> plan(const QuizOptions& options, std::uint64_t seed) {
  std::vector<ScriptInfo> scripts;
  for (const auto& file : Catalogue(Catalogue::default_folder()).select(options.selectors))
    scripts.push_back(Script(file.string()).info());
  std::erase_if(scripts, [](const ScriptInfo& script) { return !script.quiz; });
  if (scripts.empty())
    throw base::UsageError("none of these has a question; tcplab list --json says which do");
  std::vector<RunPlan> plans = plan_runs(
      scripts, {.families = families(options),
                .is_one_family = true,
                .timers = options.timers == "stock" ? TimerProfile::stock : TimerProfile::fast,
                .repeat = 1,
                .out = options.out});
  if (plans.empty())
    throw base::UsageError("none of these questions is about IPv" + options.family);
  std::size_t most = options.most;
  if (options.selectors.empty() && most == 0) most = kQuestionsOfAll;
  if (options.selectors.empty()) shuffle(plans, seed);
  if (most > 0 && plans.size() > most) plans.resize(most);
  for (RunPlan& one : plans) shuffle_choices(*one.script.quiz, one.script.name, seed);
  return plans;
}

class Quiz {
public:
  Quiz(std::vector<RunPlan> plans, Answers& answers) : plans_(std::move(plans)), source_(answers) {}

  int run() {
    for (std::size_t i = 0; i < plans_.size(); ++i)
      if (!ask(i) || (i + 1 < plans_.size() && !source_.go_on())) break;
    if (interrupted_ != 0) return interrupted_;
    print(reports::quiz_score(answers_, style_));
    const auto marked = [&](QuizMark mark) {
      return std::ranges::count(answers_, mark, &QuizAnswer::mark);
    };
    if (marked(QuizMark::wrong) > 0) return kWrongAnswers;
    return marked(QuizMark::right) > 0 ? 0 : kNothingScored;
  }

private:
  /// False when there shall be no more.
  bool ask(std::size_t number) {
    const RunPlan& plan = plans_[number];
    const QuizQuestion& question = *plan.script.quiz;
    print(reports::quiz_question(question, plan.script.title, number + 1, plans_.size(), style_));
    const std::optional<std::size_t> chosen = source_.next(question.choices.size());
    if (!chosen) return false;
    const bool is_shown = experiment(plan);
    if (interrupted_ != 0) return false;
    const QuizMark mark = !is_shown                         ? QuizMark::unproven
                          : question.choices[*chosen].right ? QuizMark::right
                                                            : QuizMark::wrong;
    print(reports::quiz_verdict(question, *chosen, mark, style_));
    std::cout << "\n";
    answers_.push_back({plan.script.name, plan.folder.string(), mark});
    return true;
  }

  /// Whether it showed what its script says. Throws base::UsageError for a script that is wrong.
  bool experiment(const RunPlan& plan) {
    LiveView view(false, std::cout, STDOUT_FILENO);
    const SuiteResult suite = run_suite({plan}, {.jobs = 1, .every_event = true}, view);
    if (suite.exit_status > 128) interrupted_ = suite.exit_status;
    return suite.exit_status == 0;
  }

  void print(const std::vector<reports::StyledText>& lines) {
    for (const reports::StyledText& line : lines)
      std::cout << reports::render(line, style_) << "\n";
    std::cout.flush();
  }

  std::vector<RunPlan> plans_;
  Answers& source_;
  reports::Style style_ = style_of(STDOUT_FILENO);
  std::vector<QuizAnswer> answers_;
  int interrupted_ = 0;  // 128 + the signal, as an exit status
};

int quiz(const QuizOptions& options) {
  const std::uint64_t seed = options.seed ? *options.seed : std::random_device{}() % kMostSeed;
  const auto answers = answers_of_stdin();
  Quiz quiz(plan(options, seed), *answers);
  std::cout << "In the same order again: --seed " << seed << "\n\n";
  return quiz.run();
}

}  // namespace

void add_quiz_command(CommandLine& app, Command& chosen) {
  auto options = std::make_shared<QuizOptions>();
  CommandLine command =
      app.add_subcommand("quiz", "Asks what will happen, runs the experiment, and keeps score");
  command.add_option("WHICH", options->selectors,
                     "names, topics, tags, files or folders; some of all when none is given");
  command.add_option("--seed", options->seed, "the order that this number stands for")
      .check(at_least(0));
  command.add_option("--family", options->family, "which Internet Protocol the experiments are on")
      .check(one_of({"4", "6"}));
  command.add_option("--timers", options->timers, "fast: seconds; stock: the kernel's defaults")
      .check(one_of({"fast", "stock"}))
      .capture_default_str();
  command.add_option("--most", options->most, "so many questions").check(in_range(1, 1000));
  command.add_option("--out", options->out, "where each run leaves its folder")
      .check(not_empty())
      .capture_default_str();
  command.footer(
      "One key an answer at a terminal; else a line each of standard input.\n"
      "Exit status: 0 all right, 1 one was wrong, 2 usage, 4 none was put to the test.");
  command.callback([options, &chosen] { chosen = [options] { return quiz(*options); }; });
}

}  // namespace tcplab::engine
