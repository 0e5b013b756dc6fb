// A decoder token by token: its keys and values stay in the device's memory, and each step adds its own.
// generate_tokens [gpt.onnx] [--time]; models/make_gpt.py writes the model.
#include <tensordsl/model.h>
#include <tensordsl/tensordsl.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <vector>

using namespace tensordsl;

namespace {

constexpr int kTokens = 32;

// [states]
/// The output whose value becomes each input of the next run: past_key_0 takes present_key_0.
std::map<std::string, std::string> states_of(const std::string& file) {
  std::map<std::string, std::string> states;
  for (const ModelTensor& input : Model::load(file, {.random_weights = true}).inputs()) {
    if (input.name.starts_with("past_")) states.emplace(input.name, "present_" + input.name.substr(5));
  }
  return states;
}
// [end]

Buffer as_input(const std::vector<std::int64_t>& tokens) {
  Buffer buffer(Int(64), {1, static_cast<std::int64_t>(tokens.size())});
  for (std::size_t i = 0; i < tokens.size(); ++i) buffer.set_int(static_cast<std::int64_t>(i), tokens[i]);
  return buffer;
}

// [step]
/// The scores [1, sequence, words] of tokens after those that the Runner has seen.
Buffer run(Runner& runner, const std::vector<std::int64_t>& tokens) {
  runner.set_params({{"sequence", tokens.size()}});
  runner.write("tokens", as_input(tokens));
  runner.run();
  return runner.read("scores");
}
// [end]

/// The word with the highest score after the last token.
std::int64_t best(const Buffer& scores) {
  const std::int64_t words = scores.shape()[2], last = scores.elements() - words;
  std::int64_t word = 0;
  for (std::int64_t i = 1; i < words; ++i) word = scores.get(last + i) > scores.get(last + word) ? i : word;
  return word;
}

}  // namespace

int main(int count, char** arguments) try {
  std::string file = "models/gpt.onnx";
  bool is_timed = false;
  for (int i = 1; i < count; ++i) {
    is_timed = is_timed || std::string_view(arguments[i]) == "--time";
    if (std::string_view(arguments[i]) != "--time") file = arguments[i];
  }
  // [runner]
  const Model model = Model::load(file, {.random_weights = true, .states = states_of(file)});
  const auto device = Device::open();
  // Room for all tokens, as one sequence and as the past of the last token.
  Runner runner =
      model.run(*device, Precision::Float32, {{"batch", 1}, {"sequence", kTokens}, {"past", kTokens}});
  // [end]

  std::vector<std::int64_t> tokens{7};
  std::vector<Buffer> scores;
  using Clock = std::chrono::steady_clock;
  std::vector<double> milliseconds;
  while (tokens.size() <= kTokens) {
    const auto begin = Clock::now();
    scores.push_back(run(runner, {tokens.back()}));
    milliseconds.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
    tokens.push_back(best(scores.back()));
  }
  tokens.pop_back();

  runner.clear_states();
  const Buffer together = run(runner, tokens);
  double worst = 0;
  const std::int64_t words = together.shape()[2];
  for (std::int64_t i = 0; i < together.elements(); ++i) {
    const Buffer& step = scores[static_cast<std::size_t>(i / words)];
    worst = std::max(worst, std::abs(together.get(i) - step.get(i % words)));
  }
  std::printf("%d tokens, the last is %d; largest difference from one pass over all of them %g\n", kTokens,
              static_cast<int>(tokens.back()), worst);
  if (is_timed)
    std::printf("step 2: %.3f ms, step %d: %.3f ms\n", milliseconds[1], kTokens, milliseconds.back());
  return worst <= 1e-4 ? 0 : 1;
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
