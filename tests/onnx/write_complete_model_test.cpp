// Models as files for other tools.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "onnx/file/write_complete_model.h"
#include "support/onnx_model.h"
#include "support/temporary.h"

namespace tensordsl {

namespace fs = std::filesystem;
using testing::OnnxModel;

namespace {

/// A folder that vanishes with its owner.
struct Folder {
  fs::path path = testing::temporary("complete");
  Folder() { fs::create_directories(path / "out"); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path); }
};

void make_external(::onnx::TensorProto& tensor, const std::string& location) {
  tensor.set_data_location(::onnx::TensorProto::EXTERNAL);
  auto* entry = tensor.add_external_data();
  entry->set_key("location");
  entry->set_value(location);
}

}  // namespace

TEST_CASE("complete models: every tensor is an output, and no weights are missing") {
  const Folder folder;
  OnnxModel model;
  model.input("x", {1, 2});
  make_external(model.initializer("w", {2, 3}, ::onnx::TensorProto::FLOAT), "absent.bin");
  make_external(model.initializer("b", {3}, ::onnx::TensorProto::FLOAT), "there.bin");
  model.node("MatMul", {"x", "w"}, {"p"}).node("Add", {"p", "b"}, {"y"}).output("y");
  const float values[3] = {1, 2, 3};
  std::ofstream(folder.path / "there.bin", std::ios::binary)
      .write(reinterpret_cast<const char*>(values), sizeof values);
  std::ofstream(folder.path / "m.onnx", std::ios::binary) << model.proto.SerializeAsString();

  CHECK(onnx::write_complete_model(folder.path / "m.onnx", folder.path / "out", true) ==
        std::vector<std::string>{"y", "p"});
  const onnx::Graph written = onnx::import_onnx(folder.path / "out" / "model.onnx");
  onnx::ImportOptions options;
  options.random_weights = true;
  const onnx::Graph original = import_onnx(folder.path / "m.onnx", options);
  CHECK(written.constants == original.constants);
  CHECK(written.constants.at("b").get(2) == 3);
  CHECK(written.outputs == std::vector<std::string>{"y", "p"});

  CHECK_THROWS_AS(onnx::write_complete_model(folder.path / "m.onnx", folder.path / "out", false), ModelError);
  CHECK_THROWS_WITH_AS(onnx::write_complete_model(folder.path / "none.onnx", folder.path / "out", false),
                       ((folder.path / "none.onnx").string() + ": there is no such file").c_str(),
                       ModelError);
}

}  // namespace tensordsl
