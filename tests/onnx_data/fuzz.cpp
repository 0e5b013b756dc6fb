// Damages the models of ONNX's own data, every operator among them: each is compiled, or refused in one line.
//   scripts/onnx-data debian build/release/bin/onnx_data_fuzz --rounds 4
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "onnx_data/case.h"
#include "support/model_mutator.h"
#include "support/temporary.h"
#include "tensordsl/error.h"
#include "tensordsl/model.h"

namespace tensordsl::conformance {
namespace {

// A model that takes too long is a defect as well: the signal ends the program, and its last line says where.
constexpr unsigned kMostSeconds = 120;

struct Options {
  std::string data, only;
  std::uint32_t rounds = 1, seed = 1;
};

struct Counts {
  int compiled = 0, refused = 0, wrong = 0;
};

/// Describes a defect in how loading the model ended; empty if there is none.
std::string defect_of(const std::filesystem::path& model, Counts& counts) {
  const std::string name = model.filename().string();
  try {
    ModelOptions options;
    options.random_weights = true;
    const Model loaded = Model::load(model.string(), options);
    loaded.compile({});
    ++counts.compiled;
    return "";
  } catch (const InternalError& error) {
    return error.what();
  } catch (const Error& error) {
    ++counts.refused;
    const std::string text = error.what();
    return text.find('\n') == std::string::npos ? "" : "several lines: " + text;
  } catch (const std::exception& error) {
    return fmt::format("an exception that is no Error: {}", error.what());
  }
}

/// Every case is damaged in its own way.
std::uint32_t seed_of(const std::string& name, std::uint32_t seed) {
  for (const char letter : name) seed = (seed ^ static_cast<unsigned char>(letter)) * 16777619U;
  return seed;
}

::onnx::ModelProto damaged(::onnx::ModelProto model, std::uint32_t seed) {
  testing::ModelMutator(seed).damage_fields(*model.mutable_graph());
  // Clears the declared types of outputs: they no longer hold, and loading would end with them at once.
  for (auto& output : *model.mutable_graph()->mutable_output()) output.clear_type();
  return model;
}

int run(const Options& options) {
  const std::filesystem::path file = testing::temporary("fuzz.onnx");
  Counts counts;
  for (const Case& one : find_cases(options.data, options.only)) {
    const ::onnx::ModelProto model = read_model(one);
    for (std::uint32_t round = 0; round < options.rounds; ++round) {
      const std::uint32_t seed = options.seed + round;
      fmt::print("{} {}\r", one.name, seed);
      std::fflush(stdout);
      std::ofstream(file, std::ios::binary) << damaged(model, seed_of(one.name, seed)).SerializeAsString();
      alarm(kMostSeconds);
      const std::string defect = defect_of(file, counts);
      alarm(0);
      if (defect.empty()) continue;
      ++counts.wrong;
      fmt::print("{} --seed {}: {}\n", one.name, seed, defect);
    }
  }
  std::filesystem::remove(file);
  fmt::print("\n{} compiled, {} refused, {} wrong\n", counts.compiled, counts.refused, counts.wrong);
  return counts.wrong == 0 && counts.compiled > 0 && counts.refused > 0 ? 0 : 1;
}

}  // namespace
}  // namespace tensordsl::conformance

int main(int count, char** arguments) try {
  using namespace tensordsl::conformance;
  CLI::App app("Damages the models of ONNX's own data and compiles them");
  Options options;
  app.add_option("--data", options.data, "the folder with node, simple and so on")->required();
  app.add_option("--only", options.only,
                 "cases in whose name, as \"node/test_abs\", the regular expression is found");
  app.add_option("--rounds", options.rounds, "of each case");
  app.add_option("--seed", options.seed, "of the first round");
  CLI11_PARSE(app, count, arguments);
  return run(options);
} catch (const tensordsl::Error& error) {
  std::fprintf(stderr, "onnx_data_fuzz: %s\n", error.what());
  return 2;
}
