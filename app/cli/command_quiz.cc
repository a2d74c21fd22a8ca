#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <random>

#include "app/catalogue/catalogue.hh"
#include "app/cli/answers.hh"
#include "app/cli/commands.hh"
#include "app/cli/option_checks.hh"
#include "app/cli/suite_views.hh"
#include "app/suite/run_plan.hh"
#include "app/suite/shard.hh"
#include "app/terminal/terminal.hh"
#include "base/error.hh"

namespace tcplab::app {

namespace {

using reports::QuizAnswer;
using reports::QuizMark;
using reports::QuizQuestion;

constexpr int kWrongAnswers = 1;
constexpr int kNothingScored = 4;
constexpr std::size_t kQuestionsOfAll = 5;
constexpr std::uint64_t kMostSeed = 10000;  // a short number is easy to type

struct QuizOptions {
  std::vector<std::string> selectors{};
  std::optional<std::uint64_t> seed{};
  std::string family{};  // empty: the first that the scenario supports
  std::string timers = "fast";
  std::size_t most = 0;  // 0: all that were chosen, or kQuestionsOfAll of the whole catalogue
  std::string out = "runs";
};

std::vector<base::Family> families(const QuizOptions& options) {
  if (options.family == "4") return {base::Family::ipv4};
  if (options.family == "6") return {base::Family::ipv6};
  return {base::Family::ipv4, base::Family::ipv6};
}

/// Plans one run for each scenario that has a question.
std::vector<RunPlan> plan(const QuizOptions& options, std::uint64_t seed) {
  std::vector<ScriptInfo> scripts;
  for (const auto& choice : Catalogue(Catalogue::default_folder()).choose(options.selectors))
    scripts.push_back(scenarios_of(choice).front());  // its cases have the same question
  std::erase_if(scripts, [](const ScriptInfo& script) { return !script.quiz; });
  if (scripts.empty())
    throw base::UsageError("none of these scenarios has a question; see: tcplab list --json");
  std::vector<RunPlan> plans = plan_runs(
      scripts,
      {.families = families(options),
       .is_one_family = true,
       .timers = options.timers == "stock" ? lab::TimerProfile::stock : lab::TimerProfile::fast,
       .repeat = 1,
       .out = options.out});
  if (plans.empty()) throw base::UsageError("none of these scenarios runs on IPv" + options.family);
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
  /// Asks one question. Returns false if the quiz is to end.
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

  /// Returns whether the run passed. Throws base::UsageError for a bad script.
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
  int interrupted_ = 0;  // exit status: 128 + the signal; 0 if none
};

int quiz(const QuizOptions& options) {
  const std::uint64_t seed = options.seed ? *options.seed : std::random_device{}() % kMostSeed;
  const auto answers = answers_of_stdin();
  Quiz quiz(plan(options, seed), *answers);
  std::cout << "To repeat this order: --seed " << seed << "\n\n";
  return quiz.run();
}

}  // namespace

void add_quiz_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<QuizOptions>();
  CLI::App& command =
      *app.add_subcommand("quiz", "Ask what will happen, run the experiment, and keep score")
           ->group(kRunCommands);
  command.add_option(
      "WHICH", options->selectors,
      "Scenario names, topics, tags, .lua files or folders (default 5 of the whole catalogue)");
  command.add_option("--most", options->most, "Ask at most N questions")
      ->option_text("N")
      ->check(in_range(1, 1000));
  command.add_option("--seed", options->seed, "Repeat the order of this seed")
      ->option_text("NUMBER")
      ->check(at_least(0));
  command
      .add_option("--family", options->family,
                  "Choose the Internet Protocol (default: the first that the scenario supports)")
      ->option_text("4|6")
      ->check(one_of({"4", "6"}));
  command.add_option("--timers", options->timers, kTimersHelp)
      ->option_text("fast|stock")
      ->check(one_of({"fast", "stock"}))
      ->capture_default_str();
  command.add_option("--out", options->out, "Write the folder of each run into DIR")
      ->option_text("DIR")
      ->check(not_empty())
      ->capture_default_str();
  command.footer(
      "At a terminal, an answer is one key. Otherwise it is one line of standard input.\n"
      "Exit status: 0 all answers right, 1 one was wrong, 2 usage, 4 none was scored.");
  command.callback([options, &chosen] { chosen = [options] { return quiz(*options); }; });
}

}  // namespace tcplab::app
