#include "onnx_data/run_cases.h"

#include <doctest/doctest.h>
#include <fstream>

#include "onnx_data/report.h"
#include "support/onnx_model.h"
#include "support/temporary.h"

namespace tensordsl::conformance {
namespace {

namespace fs = std::filesystem;
using testing::Ints;
using testing::OnnxModel;

/// A folder of data that goes with the object.
class Data {
 public:
  Data() : root_(testing::temporary("run_cases")) {}
  Data(const Data&) = delete;
  Data& operator=(const Data&) = delete;
  ~Data() { fs::remove_all(root_); }

  using Tensors = std::vector<::onnx::TensorProto>;

  void add_model(const std::string& name, const OnnxModel& model) const {
    fs::create_directories(root_ / name);
    write(root_ / name / "model.onnx", model.proto);
  }
  void add_set(const std::string& name, int number, const Tensors& inputs, const Tensors& outputs) const {
    const fs::path set = root_ / name / ("test_data_set_" + std::to_string(number));
    fs::create_directories(set);
    for (std::size_t i = 0; i < inputs.size(); ++i)
      write(set / ("input_" + std::to_string(i) + ".pb"), inputs[i]);
    for (std::size_t i = 0; i < outputs.size(); ++i)
      write(set / ("output_" + std::to_string(i) + ".pb"), outputs[i]);
  }
  const fs::path& root() const { return root_; }

 private:
  template <typename Proto>
  static void write(const fs::path& path, const Proto& proto) {
    std::ofstream(path, std::ios::binary) << proto.SerializeAsString();
  }

  fs::path root_;
};

::onnx::TensorProto floats(const testing::Floats& values) {
  OnnxModel model;
  model.floats("", {static_cast<std::int64_t>(values.size())}, values);
  return model.proto.graph().initializer(0);
}

::onnx::TensorProto ints(const Ints& values) {
  OnnxModel model;
  model.ints("", {static_cast<std::int64_t>(values.size())}, values);
  return model.proto.graph().initializer(0);
}

OnnxModel one_operator(const std::string& op) {
  OnnxModel model;
  model.input("x", {2}).node(op, {"x"}, {"y"}).output("y");
  return model;
}

}  // namespace

TEST_CASE("cases run together, and each has its own result") {
  const Data data;
  data.add_model("node/a", one_operator("Neg"));
  data.add_set("node/a", 0, {floats({1, -2})}, {floats({-1, 2})});
  data.add_model("node/b", one_operator("Neg"));
  data.add_set("node/b", 0, {floats({1, -2})}, {floats({-1, 3})});
  data.add_model("node/c", one_operator("NotThere"));
  data.add_set("node/c", 0, {floats({1, -2})}, {floats({-1, 3})});
  // The data of each set determine its dimension.
  OnnxModel any = one_operator("Abs");
  auto& type = *any.proto.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type();
  type.mutable_shape()->mutable_dim(0)->set_dim_param("n");
  data.add_model("node/d", any);
  data.add_set("node/d", 0, {floats({1, -2})}, {floats({1, 2})});
  data.add_set("node/d", 1, {floats({3, -4, 5})}, {floats({3, 4, 5})});
  // The shape must be known.
  OnnxModel reshape;
  reshape.input("x", {2}).input("shape", {1}, ::onnx::TensorProto::INT64);
  reshape.node("Reshape", {"x", "shape"}, {"y"}).output("y");
  data.add_model("node/e", reshape);
  data.add_set("node/e", 0, {floats({1, 2}), ints({-1})}, {floats({1, 2})});

  const std::vector<Case> cases = find_cases(data.root(), "");
  REQUIRE(cases.size() == 5);
  CHECK(cases[0].name == "node/a");
  CHECK(find_cases(data.root(), "[bc]$").size() == 2);
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < cases.size(); ++i) jobs.push_back({i});
  std::vector<Result> results(cases.size());
  const Listener listener{[](const std::vector<std::size_t>&) {},
                          [&](std::size_t number, const Result& result) { results[number] = result; }};
  const auto device = Device::open();
  run_cases(cases, jobs, *device, listener);
  // Once all together, and the wrong one again.
  const BuildStatistics built = device->build_statistics();
  CHECK(built.compiled + built.from_cache == 2);

  const auto findings = findings_of(cases, results);
  CHECK(list(findings, "passed") == "node/a\nnode/d\nnode/e (constant: shape)\n");
  CHECK(list(findings, "wrong") == "node/b: output 'y': 1 of 2 elements differ; element 1 is 2, not 3\n");
  CHECK(list(findings, "refused") == "node/c: node 'y': operator NotThere (opset 17) is not supported\n");
}

}  // namespace tensordsl::conformance
