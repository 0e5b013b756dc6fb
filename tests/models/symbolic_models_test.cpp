// The networks of models/ with symbolic dimensions: one Program gives ONNX Runtime's results at every size.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/buffer/npz.h"
#include "support/source_dir.h"
#include "tensordsl/default_input.h"
#include "tensordsl/model.h"

using namespace tensordsl;

namespace {

struct Sizes {
  int batch, sequence;
};

double max_difference(const Buffer& found, const Buffer& expected) {
  double most = 0;
  for (std::int64_t i = 0; i < expected.elements(); ++i) {
    const double difference = std::fabs(found.get(i) - expected.get(i));
    if (std::isnan(difference)) return difference;
    most = std::max(most, difference);
  }
  return most;
}

double max_of(const Buffer& buffer) {
  double most = 0;
  for (std::int64_t i = 0; i < buffer.elements(); ++i) most = std::max(most, std::fabs(buffer.get(i)));
  return most;
}

void check_sizes(const std::string& name, Precision precision, const std::vector<Sizes>& all_sizes) {
  const auto device = Device::open();
  ModelOptions options;
  options.random_weights = true;
  const std::filesystem::path models = source_dir() / "models";
  const Model model = Model::load((models / (name + ".onnx")).string(), options);
  CompileTarget target;
  target.device = device->info();
  target.precision = precision;
  const auto program = std::make_shared<const Program>(model.compile(target));
  for (const auto& [batch, sequence] : all_sizes) {
    CAPTURE(batch);
    CAPTURE(sequence);
    Runner runner(program, *device, {{"batch", batch}, {"sequence", sequence}});
    runner.write("input_ids", default_input({"input_ids", Int(64), {batch, sequence}}));
    runner.run();
    for (const auto& [output, expected] :
         runtime::read_npz(models / fmt::format("{}_{}x{}.expected.npz", name, batch, sequence))) {
      CAPTURE(output);
      const Buffer found = runner.read(output);
      REQUIRE(found.shape() == expected.shape());
      const double rtol = precision == Precision::Float16 ? 2e-2 : 1e-3;
      CHECK(max_difference(found, expected) <= rtol * max_of(expected));
    }
  }
}

}  // namespace

TEST_CASE("symbolic networks: a small transformer at four sizes") {
  for (const Precision precision : {Precision::Float32, Precision::Float16})
    check_sizes("transformer", precision, {{1, 1}, {2, 7}, {1, 64}, {3, 33}});
}

TEST_CASE("symbolic networks: a decoder behind tokens that it has seen, as states and as inputs") {
  constexpr std::int64_t kTokens = 5, kPast = 3;
  const auto device = Device::open();
  const std::filesystem::path models = source_dir() / "models";
  ModelOptions options;
  options.random_weights = true;
  const auto inputs = Model::load((models / "gpt.onnx").string(), options).inputs();
  for (const bool has_states : {false, true}) {
    CAPTURE(has_states);
    for (const ModelTensor& input : inputs) {
      if (has_states && input.name.starts_with("past_"))
        options.states.emplace(input.name, "present_" + input.name.substr(5));
    }
    const ParamValues params{{"batch", 1}, {"sequence", kTokens}, {"past", kPast}};
    Runner runner =
        Model::load((models / "gpt.onnx").string(), options).run(*device, Precision::Float32, params);
    runner.set_params(params);
    for (const ModelTensor& input : inputs) {
      std::vector<SizeExpr> shape{1, static_cast<int>(kTokens)};
      if (input.name != "tokens") shape = {1, 4, static_cast<int>(kPast), 32};
      runner.write(input.name, default_input({input.name, input.type, shape}));
    }
    runner.run();
    for (const auto& [output, expected] : runtime::read_npz(models / "gpt_1x5x3.expected.npz")) {
      CAPTURE(output);
      CHECK(max_difference(runner.read(output), expected) <= 1e-3 * max_of(expected));
    }
  }
}

TEST_CASE("symbolic networks: BERT at four lengths") {
  check_sizes("bert_base", Precision::Float32, {{1, 1}, {1, 7}, {1, 64}, {1, 128}});
}
