// Attention in one kernel, and in several where a device has no room for it.
#include <doctest/doctest.h>

#include <limits>

#include "support/load_model.h"
#include "support/some_device.h"

using namespace tensordsl;
using testing::attribute;
using testing::Ints;
using testing::load_model;
using testing::OnnxModel;

namespace {

OnnxModel attention() {
  OnnxModel model;
  model.input("q", {2, 40, 8}).input("k", {2, 8, 100}).input("v", {2, 100, 24});
  model.node("MatMul", {"q", "k"}, {"s"}).node("Softmax", {"s"}, {"w"}).node("MatMul", {"w", "v"}, {"y"});
  return model.output("y");
}

Program compiled(std::int64_t local_memory_bytes) {
  CompileTarget target;
  target.device = some_device();
  target.device->local_memory_bytes = local_memory_bytes;
  target.device->local_memory_on_chip = true;
  return load_model(attention()).compile(target);
}

}  // namespace

TEST_CASE("attention: its scores are in no tensor") {
  const Program program = compiled(32 * 1024);
  CHECK(program.launches.size() == 1);
  CHECK(program.launches[0].label == "MatMul+Softmax+MatMul");
  CHECK(program.tensors.size() == 4);
  CHECK(program.warnings.empty());
  // Counts 48 queries and 100 keys, with 8 and 24 multiply-adds for each pair.
  CHECK(program.launches[0].flops == 2 * 2 * 48 * 100 * (8 + 24));
}

TEST_CASE("attention: a device without room for the scores computes it in several kernels, with a warning") {
  const Program program = compiled(4096);
  CHECK(program.launches.size() == 3);
  CHECK(program.host_steps.empty());
  REQUIRE(program.warnings.size() == 1);
  CHECK(program.warnings[0] ==
        "node 's' (MatMul), node 'w' (Softmax), node 'y' (MatMul): several kernels, because kernel "
        "matmul_softmax_matmul_kernel: its tiles need 13952 bytes of local memory, but the device has 4096; "
        "make them smaller, drop double_buffer(), or move one with store_in(Private)");
}

TEST_CASE("attention: a query of which a mask hides all keys gives 0, in the one kernel too") {
  const auto device = Device::open();
  // With 2000 keys a kernel holds some of them at a time; a single query has no others to fill the lanes.
  for (const auto& [queries, keys] : {std::pair{5, 7}, {5, 2000}, {1, 7}, {1, 300}}) {
    for (const bool is_bool : {true, false}) {
      CAPTURE(queries);
      CAPTURE(keys);
      CAPTURE(is_bool);
      OnnxModel model(23);
      model.input("q", {1, 2, queries, 4}).input("k", {1, 2, keys, 4}).input("v", {1, 2, keys, 3});
      model.input("mask", {queries, keys}, is_bool ? ::onnx::TensorProto::BOOL : ::onnx::TensorProto::FLOAT);
      model.node("Attention", {"q", "k", "v", "mask"}, {"y"}).output("y");
      Runner runner = load_model(model).run(*device);
      Buffer v(Float(32), {1, 2, keys, 3}), mask(is_bool ? Bool() : Float(32), {queries, keys});
      for (std::int64_t i = 0; i < v.elements(); ++i) v.set(i, static_cast<double>(i % 17));
      // Every key that a query sees has the same weight. The first sees none, the others every third one.
      const auto is_seen = [&](std::int64_t i, std::int64_t j) { return i > 0 && (i + j) % 3 == 0; };
      for (std::int64_t i = 0; i < mask.elements(); ++i) {
        const bool sees = is_seen(i / keys, i % keys);
        mask.set(i, is_bool ? sees : sees ? 0 : -std::numeric_limits<double>::infinity());
      }
      runner.write("q", Buffer(Float(32), {1, 2, queries, 4}));
      runner.write("k", Buffer(Float(32), {1, 2, keys, 4}));
      runner.write("v", v);
      runner.write("mask", mask);
      runner.run();
      const Buffer y = runner.read("y");
      for (std::int64_t at = 0; at < y.elements(); ++at) {
        const std::int64_t element = at % 3, i = at / 3 % queries, head = at / 3 / queries;
        double sum = 0, seen = 0;
        for (std::int64_t j = 0; j < keys; ++j) {
          if (!is_seen(i, j)) continue;
          sum += v.get((head * keys + j) * 3 + element);
          ++seen;
        }
        CHECK(y.get(at) == doctest::Approx(seen == 0 ? 0 : sum / seen));
      }
    }
  }
}

TEST_CASE("attention: a query sees the keys of its window that are there, and where there is none gives 0") {
  constexpr int kBatches = 2, kQueries = 4, kKeys = 6;
  struct Case {
    int is_causal, left, right;
    Ints counts;
  };
  const auto device = Device::open();
  for (const Case& c : {Case{0, 1, 1, {}}, Case{1, 2, -1, {}}, Case{0, -1, 0, {}}, Case{0, -1, -1, {4, 6}},
                        Case{1, -1, -1, {2, 5}}, Case{1, 1, 1, {1, 6}}}) {
    CAPTURE(c.is_causal);
    CAPTURE(c.left);
    CAPTURE(c.right);
    OnnxModel model(25);
    model.input("q", {kBatches, 1, kQueries, 2}).input("k", {kBatches, 1, kKeys, 2});
    model.input("v", {kBatches, 1, kKeys, 1});
    std::vector<std::string> inputs{"q", "k", "v"};
    if (!c.counts.empty()) {
      model.ints("counts", {kBatches}, c.counts);
      inputs.insert(inputs.end(), {"", "", "", "counts"});
    }
    model.node("Attention", inputs, {"y"},
               {attribute("is_causal", c.is_causal), attribute("left_window_size", c.left),
                attribute("right_window_size", c.right)});
    Runner runner = load_model(model.output("y")).run(*device);
    // Every key has the same weight, so a result is the mean of the values that a query sees.
    runner.write("q", Buffer(Float(32), {kBatches, 1, kQueries, 2}));
    runner.write("k", Buffer(Float(32), {kBatches, 1, kKeys, 2}));
    Buffer v(Float(32), {kBatches, 1, kKeys, 1});
    for (int i = 0; i < v.elements(); ++i) v.set(i, i + 1);
    runner.write("v", v);
    runner.run();
    const Buffer y = runner.read("y");
    for (int b = 0; b < kBatches; ++b) {
      const int keys = c.counts.empty() ? kKeys : static_cast<int>(c.counts[static_cast<std::size_t>(b)]);
      for (int i = 0; i < kQueries; ++i) {
        const int place = c.counts.empty() ? i : keys - kQueries + i;
        double sum = 0, seen = 0;
        for (int j = 0; j < keys; ++j) {
          if ((c.is_causal == 1 && j > place) || (c.left >= 0 && j < place - c.left) ||
              (c.right >= 0 && j > place + c.right))
            continue;
          sum += b * kKeys + j + 1;
          ++seen;
        }
        CHECK(y.get(b * kQueries + i) == doctest::Approx(seen == 0 ? 0 : sum / seen));
      }
    }
  }
}
