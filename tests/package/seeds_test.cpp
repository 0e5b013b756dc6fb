// Tests that the fuzzer's first packages, in seeds/, are those that are written today. After an intended
// change: TENSORDSL_UPDATE_GOLDEN=1 build/release/bin/test_package_seeds
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include "base/mapped_file.h"
#include "support/load_model.h"
#include "support/source_dir.h"
#include "support/temporary.h"
#include "tensordsl/tensordsl.h"

using namespace tensordsl;
using testing::attribute;
using testing::Floats;
using testing::Ints;
using testing::OnnxModel;

namespace fs = std::filesystem;

namespace {

const Var x("x"), y("y");

/// Convolutions with weights, intermediates in slots.
Program buffers() {
  OnnxModel m(11);
  m.input("image", {1, 4, 6, 6})
      .floats("w", {4, 4, 3, 3}, Floats(144, 0.5F))
      .floats("v", {4, 4, 1, 1}, Floats(16, 0.25F));
  m.node("Conv", {"image", "w"}, {"a"}, {attribute("pads", Ints{1, 1, 1, 1})}).node("Relu", {"a"}, {"b"});
  m.node("Softmax", {"b"}, {"s"}, {attribute("axis", 3)})
      .node("Conv", {"s", "v"}, {"c"})
      .node("Softmax", {"c"}, {"y"}, {attribute("axis", 3)});
  return testing::load_model(m.output("y")).compile();
}

/// Input, intermediate and output in images.
Program images() {
  const Input a("a", Float(16), {8, 16});
  Func first("first"), out("out");
  first(y, x) = a(y, x) + 1.0f;
  out(y, x) = first(y, x) * 2.0f;
  for (Func* f : {&first, &out})
    f->bound({8, 16}).layout("y | x/4 | x%4").set_image(Image2D).vectorize(x, 4, Tail::Exact);
  first.compute_root();
  Input image = a;
  image.layout("d0 | d1/4 | d1%4").set_image(Image2D);
  return Pipeline(out).compile();
}

/// Open sizes, with the checks of them.
Program symbolic() {
  const Param n("n"), m("m");
  const Input a("a", Float(32), {n, m});
  Func first("first"), out("out");
  first(y, x) = a(y, x) * 2.0f;
  out(y, x) = first(y, x) + first(y, x + 1);
  first.compute_root();
  return Pipeline(out).compile();
}

/// A size that depends on data, and a step of the host.
Program counts() {
  OnnxModel m;
  m.input("x", {6}).node("NonZero", {"x"}, {"y"}).output("y");
  CompileTarget target;
  target.on_host = {"NonZero"};
  return testing::load_model(m).compile(target);
}

/// A state that grows.
Program states() {
  OnnxModel m;
  m.input("past", {2, 1}).input("x", {2, 1});
  m.name_dim(0, 1, "past_size").name_dim(1, 1, "fresh");
  m.node("Concat", {"past", "x"}, {"present"}, {attribute("axis", 1)}).ints("last", {1}, {1});
  m.node("ReduceSum", {"present", "last"}, {"sums"}, {attribute("keepdims", 0)});
  ModelOptions options;
  options.states = {{"past", "present"}};
  return testing::load_model(m.output("present").output("sums"), options).compile();
}

std::map<std::string, std::string> files_in(const fs::path& folder) {
  std::map<std::string, std::string> files;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::directory_iterator(folder))
    files[entry.path().filename().string()] = std::string(MappedFile(entry.path()).text());
  return files;
}

}  // namespace

TEST_CASE("package: the fuzzer's seeds are what is written today") {
  const bool update = std::getenv("TENSORDSL_UPDATE_GOLDEN") != nullptr;
  const fs::path seeds = source_dir() / "tests/package/seeds";
  const fs::path written = testing::temporary("package_seeds");
  for (const auto& [name, program] : std::map<std::string, Program>{{"buffers", buffers()},
                                                                    {"images", images()},
                                                                    {"symbolic", symbolic()},
                                                                    {"counts", counts()},
                                                                    {"states", states()}}) {
    CAPTURE(name);
    fs::remove_all(written);
    Package package;
    package.program = std::make_shared<const Program>(program);
    package.made_from = name + ".onnx";
    package.compiled_for = "any device";
    package.profile = to_json(HwProfile());
    write_package(package, (update ? seeds / name : written).string());
    if (!update) CHECK(files_in(written) == files_in(seeds / name));
  }
  fs::remove_all(written);
}
