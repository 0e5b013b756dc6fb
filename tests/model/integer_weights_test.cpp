// Integers of a file in kernels, in the constants that are shipped, and in results.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "support/load_model.h"
#include "support/some_device.h"

using namespace tensordsl;
using testing::attribute;
using testing::Floats;
using testing::Ints;
using testing::load_model;
using testing::OnnxModel;

namespace {

/// A table of words, of which a product makes others: 96 and 64 numbers each.
OnnxModel words(int type, std::int64_t zero) {
  constexpr std::int64_t kWords = 300, kWidth = 64, kColumns = 96;
  const auto integers = [&](std::int64_t count) {
    Ints values;
    for (std::int64_t i = 0; i < count; ++i)
      values.push_back(i * 37 % 255 - (type == ::onnx::TensorProto::INT8 ? 127 : 0));
    return values;
  };
  const auto scales = [](std::int64_t count) {
    Floats values;
    for (std::int64_t i = 0; i < count; ++i) values.push_back(0.01F + std::sin(static_cast<float>(i)) / 300);
    return values;
  };
  OnnxModel model(21);
  model.input("i", {5}, ::onnx::TensorProto::INT64);
  model.small_ints("table", {kWords, kWidth}, integers(kWords * kWidth), type);
  model.floats("table_s", {kWords}, scales(kWords));
  model.small_ints("table_z", {kWords}, Ints(kWords, zero), type);
  model.small_ints("weights", {kWidth, kColumns}, integers(kWidth * kColumns), type);
  model.floats("weights_s", {kColumns}, scales(kColumns));
  model.small_ints("weights_z", {kColumns}, Ints(kColumns, zero), type);
  model.node("DequantizeLinear", {"table", "table_s", "table_z"}, {"t"}, {attribute("axis", 0)});
  model.node("DequantizeLinear", {"weights", "weights_s", "weights_z"}, {"w"}, {attribute("axis", 1)});
  return model.node("Gather", {"t", "i"}, {"g"}).node("MatMul", {"g", "w"}, {"y"}).output("y");
}

}  // namespace

TEST_CASE("integer weights: kernels read bytes, and the constants take what the file's integers do") {
  const auto device = Device::open();
  CompileTarget target;
  target.device = device->info();
  for (const auto& [type, zero] :
       {std::pair(::onnx::TensorProto::INT8, 0), {::onnx::TensorProto::UINT8, 93}}) {
    CAPTURE(zero);
    const Model model = load_model(words(type, zero));
    const auto program = std::make_shared<const Program>(model.compile(target));
    if (device->info().backend == "opencl") {
      const std::string argument = zero == 0 ? "const char* restrict" : "const uchar* restrict";
      const auto reads_bytes = [&](const KernelSource& kernel) {
        return kernel.text.find(argument) != std::string::npos;
      };
      CHECK(std::ranges::all_of(program->kernels, reads_bytes));
    }
    // The bytes, a scale for each row or column, and the padding to multiples of 64.
    CHECK(program->constants.size <= 300 * 64 + 64 * 96 + (300 + 96) * 4 + 4 * 64);
    Buffer i(Int(64), {5});
    for (std::int64_t word = 0; word < 5; ++word) i.set_int(word, word * 71);
    Runner runner(program, *device);
    runner.write("i", i);
    runner.run();
    const Buffer found = runner.read();
    const Buffer expected = model.interpret({{"i", i}}).at("y");
    double difference = 0, largest = 0;
    for (std::int64_t e = 0; e < found.elements(); ++e) {
      difference = std::max(difference, std::abs(found.get(e) - expected.get(e)));
      largest = std::max(largest, std::abs(expected.get(e)));
    }
    CHECK(largest > 1);
    CHECK(difference <= 1e-5 * largest);
  }
}

TEST_CASE("integer weights: with fp16 they are f16 where matrix units multiply these, and else bytes") {
  const Model model = load_model(words(::onnx::TensorProto::INT8, 0));
  CompileTarget target;
  target.device = some_device();
  target.precision = Precision::Float16;
  for (const bool has_matrix_units : {false, true}) {
    CAPTURE(has_matrix_units);
    target.device->has_matrix_units = has_matrix_units;
    const std::size_t integers = 300 * 64 + 64 * 96;
    CHECK((model.compile(target).constants.size < 2 * integers) == !has_matrix_units);
  }
}
