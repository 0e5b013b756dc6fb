// Random models on a device, against their definitions.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>

#include "runtime/program/combine_kernels.h"
#include "runtime/program/merge_programs.h"
#include "support/buffers.h"
#include "support/load_model.h"
#include "support/random_graph.h"

namespace tensordsl::testing {
namespace {

int setting(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text ? std::atoi(text) : otherwise;
}

/// All optimizations, and each of them left out.
std::vector<Optimizations> variants() {
  return {{},
          {.movement_elimination = false},
          {.fusion = false},
          {.layout_selection = false},
          {.memory_plan = false}};
}

struct Case {
  int seed = 0;
  OnnxModel onnx;
  std::map<std::string, Buffer> inputs;
  std::map<std::string, Buffer> expected;  ///< the outputs of every node
  std::vector<runtime::NamedProgram> programs;
};

/// The model, with what each of its nodes gives as an output.
OnnxModel with_all_outputs(OnnxModel onnx) {
  onnx.proto.mutable_graph()->clear_output();
  for (const ::onnx::NodeProto& node : onnx.proto.graph().node()) {
    for (const std::string& name : node.output()) onnx.output(name);
  }
  return onnx;
}

/// For each value of a case, the largest magnitude in it and in all that it is computed from.
std::map<std::string, double> largest_operands(const Case& one) {
  std::map<std::string, double> largest;
  for (const auto& [name, input] : one.inputs) largest[name] = largest_magnitude(input);
  for (const ::onnx::NodeProto& node : one.onnx.proto.graph().node()) {
    double operand = 0;
    for (const std::string& name : node.input()) operand = std::max(operand, largest[name]);
    for (const std::string& name : node.output()) {
      const auto found = one.expected.find(name);
      largest[name] = std::max(operand, found == one.expected.end() ? 0 : largest_magnitude(found->second));
    }
  }
  return largest;
}

Case draw(int seed, const Device& device) {
  std::mt19937 random(static_cast<unsigned>(seed));
  Case one;
  one.seed = seed;
  one.onnx = RandomGraph(random, 5 + static_cast<int>(random() % 56)).model();
  const Model model = load_model(one.onnx);
  for (const ModelTensor& input : model.inputs()) {
    std::vector<std::int64_t> shape;
    for (const Expr& extent : input.shape) shape.push_back(*ir::as_int(extent));
    one.inputs[input.name] =
        filled(input.type, shape, [](std::int64_t i) { return static_cast<double>(i * 37 % 101) / 50 - 1; });
  }
  one.expected = load_model(with_all_outputs(one.onnx)).interpret(one.inputs);
  CompileTarget target;
  target.device = device.info();
  const auto add = [&] {
    one.programs.push_back({"seed" + std::to_string(seed) + "_" + std::to_string(one.programs.size()),
                            std::make_shared<const Program>(model.compile(target))});
  };
  for (const Optimizations& variant : variants()) {
    target.optimizations = variant;
    add();
  }
  target.optimizations = {};
  target.profile = load_hw_profile("adreno640");  // which has images
  add();
  return one;
}

/// A difference of large and nearly equal numbers keeps their rounding errors: eight of theirs are allowed.
void check(const Buffer& found, const Buffer& expected, double largest_operand) {
  REQUIRE(found.shape() == expected.shape());
  CHECK(largest_difference(found, expected) <=
        1e-4 * largest_magnitude(expected) + 1e-6 * std::max(largest_operand, 1.0));
}

}  // namespace

// Many models to an OpenCL program: builds take most of the time. docs/HACKING.md has the settings.
TEST_CASE("random graphs: kernels give what the definitions say") {
  constexpr int kModelsOfProgram = 20;
  const int first = setting("TENSORDSL_FUZZ_FIRST", 0), last = first + setting("TENSORDSL_FUZZ_GRAPHS", 10);
  const auto device = Device::open();
  for (int seed = first; seed < last; seed += kModelsOfProgram) {
    std::vector<Case> cases;
    std::vector<runtime::NamedProgram> programs;
    std::map<std::string, Buffer> inputs;
    for (int i = seed; i < std::min(seed + kModelsOfProgram, last); ++i) {
      CAPTURE(i);
      cases.push_back(draw(i, *device));
      for (const runtime::NamedProgram& program : cases.back().programs) {
        programs.push_back(program);
        for (const auto& [name, value] : cases.back().inputs) inputs[program.name + "/" + name] = value;
      }
    }
    Runner runner(
        std::make_shared<const Program>(runtime::with_combined_kernels(runtime::merge_programs(programs))),
        *device);
    runner.write_all(inputs);
    runner.run();
    for (const Case& one : cases) {
      const std::map<std::string, double> operands = largest_operands(one);
      for (const runtime::NamedProgram& program : one.programs) {
        for (const Program::Value& output : program.program->outputs) {
          CAPTURE(program.name);
          CAPTURE(output.name);
          if (one.expected.contains(output.name))
            check(runner.read(program.name + "/" + output.name), one.expected.at(output.name),
                  operands.at(output.name));
        }
      }
    }
  }
}

}  // namespace tensordsl::testing
