// docs/ARCHITECTURE.md shows what the compiler really prints. After a wanted change of the output,
// TENSORDSL_UPDATE_DOCS=1 build/release/bin/test_architecture   writes the new text into the document.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "apps/examples/convolution.h"
#include "docs/generated_blocks.h"
#include "graph/graph_passes.h"
#include "lower/lower.h"
#include "support/onnx_model.h"
#include "support/source_dir.h"
#include "support/temporary.h"
#include "tensordsl/model.h"

namespace tensordsl::docs {
namespace {

constexpr const char* kDocument = "docs/ARCHITECTURE.md";

/// x [1,3,8,8] -> Conv 3x3 of 4 channels, padded by 1, with a bias -> Relu, for a CPU with vectors of 16.
const Model& small_model() {
  static const Model model = [] {
    testing::OnnxModel onnx;
    onnx.input("x", {1, 3, 8, 8}).floats("weights", {4, 3, 3, 3}, std::vector<float>(108, 0.5F));
    onnx.floats("bias", {4}, {1, 2, 3, 4});
    onnx.node("Conv", {"x", "weights", "bias"}, {"c"},
              {testing::attribute("pads", testing::Ints{1, 1, 1, 1})});
    onnx.node("Relu", {"c"}, {"y"}).output("y");
    const auto path = testing::temporary("architecture_test.onnx");
    std::ofstream(path, std::ios::binary) << onnx.proto.SerializeAsString();
    Model loaded = Model::load(path.string());
    std::filesystem::remove(path);
    return loaded;
  }();
  return model;
}

std::string passes_table() {
  std::string table = "| pass | does |\n|---|---|\n";
  for (const graph::GraphPass& pass : graph::graph_passes())
    table += fmt::format("| `{}` | {} |\n", pass.name, pass.summary);
  return table;
}

std::string_view name_of(lower::Stage stage) {
  constexpr std::array<std::string_view, 5> kNames = {"Definitions", "Nests", "Loops", "WorkItems",
                                                      "Kernels"};
  return kNames.at(static_cast<std::size_t>(stage));
}

std::string steps_table(lower::StepScope scope) {
  std::string table = "| step | does |\n|---|---|\n";
  for (const lower::StepInfo& step : lower::lowering_steps()) {
    if (step.scope != scope) continue;
    table += fmt::format("| `{}`{} | {}", step.name, step.is_optional ? ", optional" : "", step.summary);
    table += step.gives ? fmt::format("; gives the stage *{}* |\n", name_of(*step.gives)) : " |\n";
  }
  return table;
}

std::string generated(const std::string& name) {
  if (name == "graph_passes") return passes_table();
  if (name == "pipeline_steps") return steps_table(lower::StepScope::Pipeline);
  if (name == "nest_steps") return steps_table(lower::StepScope::Nest);
  if (name == "kernel_steps") return steps_table(lower::StepScope::Kernel);
  if (name.starts_with("model_")) {
    CompileTarget target;
    target.profile = load_hw_profile("pocl_cpu_avx512");
    return small_model().emit(name.substr(6), target);
  }
  if (name == "source") return read_file("apps/examples/convolution.h");
  return Pipeline(small_convolution()).emit(name);
}

}  // namespace

TEST_CASE("ARCHITECTURE.md shows the stages of the convolution as the compiler prints them") {
  INFO("to accept the new text: TENSORDSL_UPDATE_DOCS=1 build/release/bin/test_architecture");
  CHECK(is_current(kDocument, generated));
}

TEST_CASE("ARCHITECTURE.md shows every stage") {
  const std::string document = read_file(kDocument);
  for (const std::string stage : {"source", "funcs", "loops", "ir", "cl", "model_graph", "model_classes",
                                  "model_groups", "model_layouts", "model_nest", "model_program"}) {
    CHECK_MESSAGE(document.find("<!-- generated: " + stage + " -->") != std::string::npos, stage);
  }
}

TEST_CASE("ARCHITECTURE.md has the tables of passes and steps") {
  const std::string document = read_file(kDocument);
  for (const std::string table : {"graph_passes", "pipeline_steps", "nest_steps", "kernel_steps"})
    CHECK_MESSAGE(document.find("<!-- table: " + table + " -->\n| ") != std::string::npos, table);
  CHECK(passes_table().find("\n| `fuse` | decides which Funcs") != std::string::npos);
  CHECK(steps_table(lower::StepScope::Nest).find("\n| `unroll_loops` | copies") != std::string::npos);
}

TEST_CASE("ARCHITECTURE.md names every pass and what passes share") {
  const std::string document = read_file(kDocument);
  int passes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_dir() / "src/lower/passes")) {
    if (entry.path().extension() != ".h") continue;
    ++passes;
    const std::string name = entry.path().stem().string();
    CHECK_MESSAGE(document.find("`" + name + "`") != std::string::npos, name);
  }
  CHECK(passes > 10);
}

TEST_CASE("ARCHITECTURE.md names every file that rewrites, fuses or places") {
  const std::string document = read_file(kDocument);
  for (const char* room : {"rewrite", "views", "attention", "store", "fuse", "winograd"}) {
    for (const auto& entry : std::filesystem::directory_iterator(source_dir() / "src/graph" / room)) {
      const std::string name = entry.path().stem().string();
      if (entry.path().extension() == ".h")
        CHECK_MESSAGE(document.find("`" + name + "`") != std::string::npos, name);
    }
  }
}

TEST_CASE("generated blocks are replaced and everything else stays") {
  const auto upper = [](const std::string& name) { return name + "!\n\n"; };
  CHECK(with_generated_blocks("a\n<!-- generated: x -->\n```cpp\nold\nold\n```\nb\n```\nkept\n```\n",
                              upper) == "a\n<!-- generated: x -->\n```cpp\nx!\n```\nb\n```\nkept\n```\n");
  CHECK(with_generated_blocks("<!-- generated: x -->\n```\n```\n", upper) ==
        "<!-- generated: x -->\n```\nx!\n```\n");
  CHECK(with_generated_blocks("a\n<!-- table: x -->\n| old |\n| old |\n\nb\n", upper) ==
        "a\n<!-- table: x -->\nx!\n\nb\n");
  CHECK(with_generated_blocks("no block\n", upper) == "no block\n");
  CHECK_THROWS_WITH_AS(with_generated_blocks("<!-- generated: x -->\n```\nold\n", upper),
                       "a generated block is not closed", std::runtime_error);
}

}  // namespace tensordsl::docs
