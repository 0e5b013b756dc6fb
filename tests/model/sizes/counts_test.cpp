// Outputs whose number of elements depends on data: a kernel counts them, and the run continues with that.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "support/buffers.h"
#include "support/error_text.h"
#include "support/load_model.h"

using namespace tensordsl;
using nlohmann::ordered_json;
using testing::attribute;
using testing::buffer_of;
using testing::Floats;
using testing::Ints;
using testing::load_model;
using testing::OnnxModel;
using testing::values_of;

namespace {

constexpr int kFloat = ::onnx::TensorProto::FLOAT, kBool = ::onnx::TensorProto::BOOL;

using Inputs = std::map<std::string, Buffer>;

std::shared_ptr<const Program> compiled(const OnnxModel& model, Device& device) {
  CompileTarget target;
  target.device = device.info();
  return std::make_shared<const Program>(load_model(model).compile(target));
}

std::vector<Buffer> run(Runner& runner, const Inputs& inputs) {
  runner.write_all(inputs);
  runner.run();
  return runner.read_all();
}

/// Outputs the positions of nonzero elements, these elements, and their number.
OnnxModel found_elements() {
  OnnxModel m;
  m.input("x", {2, 3}).node("NonZero", {"x"}, {"places"});
  m.node("Transpose", {"places"}, {"rows"}, {attribute("perm", Ints{1, 0})});
  m.node("GatherND", {"x", "rows"}, {"elements"}).node("Shape", {"elements"}, {"number"});
  m.node("ReduceSum", {"elements"}, {"sum"}, {attribute("keepdims", 0)});
  return m.output("places").output("elements").output("number").output("sum");
}

/// The end of an SSD network: the boxes and scores of the chosen candidates, in rows.
OnnxModel ssd_tail() {
  OnnxModel m;
  m.input("boxes", {1, 5, 4}).input("scores", {1, 2, 5});
  m.ints("limit", {1}, {2}).floats("overlap", {1}, {0.5F}).floats("least", {1}, {0.3F});
  m.node("NonMaxSuppression", {"boxes", "scores", "limit", "overlap", "least"}, {"chosen"});
  m.ints("two", {}, {2}).ints("one", {1}, {1}).ints("zero", {1}, {0});
  m.node("Gather", {"chosen", "two"}, {"place"}, {attribute("axis", 1)});
  m.node("Squeeze", {"boxes", "zero"}, {"all"}).node("Gather", {"all", "place"}, {"kept"});
  m.node("GatherND", {"scores", "chosen"}, {"score"}).node("Unsqueeze", {"score", "one"}, {"column"});
  m.node("Slice", {"chosen", "one", "two_", "one"}, {"classes"}).ints("two_", {1}, {2});
  m.node("Cast", {"classes"}, {"class"}, {attribute("to", kFloat)});
  m.node("Concat", {"kept", "column", "class"}, {"rows"}, {attribute("axis", 1)});
  return m.output("rows").output("chosen");
}

Inputs ssd_inputs(double scale) {
  const std::vector<double> boxes{0, 0, 1, 1, 0, 0.1, 1, 1.1, 0, 2, 1, 3, 0, 2.9, 1, 3.9, 0, 5, 1, 6};
  std::vector<double> scores{0.9, 0.8, 0.7, 0.6, 0.1, 0.2, 0.95, 0.1, 0.2, 0.5};
  for (double& score : scores) score *= scale;
  return {{"boxes", buffer_of(Float(32), {1, 5, 4}, boxes)},
          {"scores", buffer_of(Float(32), {1, 2, 5}, scores)}};
}

}  // namespace

TEST_CASE("counts: outputs have the shapes that the data says, run after run") {
  const auto device = Device::open();
  const OnnxModel onnx = found_elements();
  const Model model = load_model(onnx);
  CHECK(model.params().empty());
  const auto program = compiled(onnx, *device);
  CHECK(program->params.empty());
  REQUIRE(program->counts.size() == 1);
  CHECK(to_string(program->counts[0].bound) == "6");
  Runner runner(program, *device);
  CHECK(error_of([&] { runner.read("places"); }) ==
        "run: the value of \"places_number.count\" depends on data and is not known before a run; run first");
  for (const auto& [values, places] : std::vector<std::pair<std::vector<double>, std::vector<double>>>{
           {{0, 5, 0, 7, 0, -1}, {0, 1, 1, 1, 0, 2}},
           {{0, 0, 0, 0, 0, 0}, {}},
           {{1, 1, 1, 1, 1, 1}, {0, 0, 0, 1, 1, 1, 0, 1, 2, 0, 1, 2}},
           {{0, 0, 3, 0, 0, 0}, {0, 2}}}) {
    const auto outputs = run(runner, {{"x", buffer_of(Float(32), {2, 3}, values)}});
    std::vector<double> elements;
    double sum = 0;
    for (const double value : values) {
      if (value != 0) elements.push_back(value);
      sum += value;
    }
    const auto count = static_cast<std::int64_t>(elements.size());
    CHECK(outputs[0].shape() == Ints{2, count});
    CHECK(values_of(outputs[0]) == places);
    CHECK(outputs[1].shape() == Ints{count});
    CHECK(values_of(outputs[1]) == elements);
    CHECK(values_of(outputs[2]) == std::vector<double>{static_cast<double>(count)});
    CHECK(values_of(outputs[3]) == std::vector<double>{sum});
    CHECK(runner.params().at("places_number.count") == ParamValue(count));
  }
}

TEST_CASE("counts: launches are timed, and handed over without waiting, as those of other Programs") {
  const auto device = Device::open();
  const auto program = compiled(found_elements(), *device);
  Runner runner(program, *device);
  runner.write("x", buffer_of(Float(32), {2, 3}, {0, 5, 0, 7, 0, -1}));
  CHECK(runner.run_intervals().size() == program->launches.size());
  CHECK(runner.run_timed().size() == program->launches.size());
  runner.write("x", buffer_of(Float(32), {2, 3}, {0, 0, 0, 7, 0, 0}));
  runner.start();
  runner.wait();
  CHECK(values_of(runner.read("elements")) == std::vector<double>{7});
}

TEST_CASE("counts: one may depend on another, and symbolic dimensions on neither") {
  const auto device = Device::open();
  OnnxModel m;
  m.input("x", {1}).node("NonZero", {"x"}, {"first"}).node("NonZero", {"first"}, {"second"});
  m.output("first").output("second");
  m.name_dim(0, 0, "length");
  const auto program = compiled(m, *device);
  CHECK(program->params == std::vector<Program::Param>{{"length", Int(32)}});
  REQUIRE(program->counts.size() == 2);
  CHECK(to_string(program->counts[1].bound) == program->counts[0].param);
  Runner runner(program, *device, {{"length", 5}});
  auto outputs = run(runner, {{"x", buffer_of(Float(32), {5}, {1, 0, 2, 0, 3})}});
  CHECK(values_of(outputs[0]) == std::vector<double>{0, 2, 4});
  CHECK(outputs[1].shape() == Ints{2, 2});
  CHECK(values_of(outputs[1]) == std::vector<double>{0, 0, 1, 2});
  outputs = run(runner, {{"x", buffer_of(Float(32), {5}, {0, 0, 0, 0, 0})}});
  CHECK(outputs[0].shape() == Ints{1, 0});
  CHECK(outputs[1].shape() == Ints{2, 0});
}

TEST_CASE("counts: a detector ends in rows of what it has chosen") {
  const auto device = Device::open();
  Runner runner(compiled(ssd_tail(), *device), *device);
  auto outputs = run(runner, ssd_inputs(1));
  CHECK(values_of(outputs[1]) == std::vector<double>{0, 0, 0, 0, 0, 2, 0, 1, 1, 0, 1, 4});
  REQUIRE(outputs[0].shape() == Ints{4, 6});
  CHECK(values_of(outputs[0]) == std::vector<double>{0,
                                                     0,
                                                     1,
                                                     1,
                                                     static_cast<double>(0.9F),
                                                     0,
                                                     0,
                                                     2,
                                                     1,
                                                     3,
                                                     static_cast<double>(0.7F),
                                                     0,
                                                     0,
                                                     static_cast<double>(0.1F),
                                                     1,
                                                     static_cast<double>(1.1F),
                                                     static_cast<double>(0.95F),
                                                     1,
                                                     0,
                                                     5,
                                                     1,
                                                     6,
                                                     0.5,
                                                     1});
  outputs = run(runner, ssd_inputs(0.1));
  CHECK(outputs[0].shape() == Ints{0, 6});
  CHECK(outputs[1].shape() == Ints{0, 3});
}

TEST_CASE("counts: a detector keeps boxes above a threshold, and the best of them") {
  // The end of a YOLO network without an operator for it: scores, a mask, Compress, TopK of at most some.
  const auto device = Device::open();
  OnnxModel m;
  m.input("scores", {6}).input("boxes", {6, 4}).floats("least", {}, {0.5F});
  m.node("Greater", {"scores", "least"}, {"mask"}).node("Compress", {"scores", "mask"}, {"good"});
  m.node("Compress", {"boxes", "mask"}, {"kept"}, {attribute("axis", 0)});
  m.node("Shape", {"good"}, {"number"}).ints("three", {1}, {3}).node("Min", {"number", "three"}, {"k"});
  m.node("TopK", {"good", "k"}, {"best", "which"}).node("Gather", {"kept", "which"}, {"y"});
  m.output("best").output("y");
  Runner runner(compiled(m, *device), *device);
  std::vector<double> boxes;
  for (int i = 0; i < 24; ++i) boxes.push_back(i);
  const Buffer all = buffer_of(Float(32), {6, 4}, boxes);
  auto outputs =
      run(runner, {{"scores", buffer_of(Float(32), {6}, {0.25, 0.75, 0.625, 0, 1, 0.875})}, {"boxes", all}});
  CHECK(values_of(outputs[0]) == std::vector<double>{1, 0.875, 0.75});
  CHECK(values_of(outputs[1]) == std::vector<double>{16, 17, 18, 19, 20, 21, 22, 23, 4, 5, 6, 7});
  outputs = run(runner, {{"scores", buffer_of(Float(32), {6}, {0.25, 0.75, 0, 0, 0, 0})}, {"boxes", all}});
  CHECK(values_of(outputs[0]) == std::vector<double>{0.75});
  CHECK(values_of(outputs[1]) == std::vector<double>{4, 5, 6, 7});
  outputs = run(runner, {{"scores", buffer_of(Float(32), {6}, {0, 0, 0, 0, 0, 0})}, {"boxes", all}});
  CHECK(outputs[0].shape() == Ints{0});
  CHECK(outputs[1].shape() == Ints{0, 4});
}

TEST_CASE("counts: an element of what turns out to be empty is refused before it is read") {
  const auto device = Device::open();
  OnnxModel m;
  m.input("x", {4}).node("NonZero", {"x"}, {"places"}).ints("zero", {}, {0});
  m.node("Gather", {"places", "zero"}, {"y"}, {attribute("axis", 1)}).output("y");
  Runner runner(compiled(m, *device), *device);
  CHECK(values_of(run(runner, {{"x", buffer_of(Float(32), {4}, {0, 0, 1, 1})}})[0]) ==
        std::vector<double>{2});
  CHECK(error_of([&] {
          run(runner, {{"x", buffer_of(Float(32), {4}, {0, 0, 0, 0})}});
        }).find("but its extent is 0") != std::string::npos);
}

TEST_CASE("counts: nothing runs with what a kernel cannot have counted") {
  const auto device = Device::open();
  Program program = *compiled(found_elements(), *device);
  program.counts[0].bound = 2;
  Runner runner(std::make_shared<const Program>(program), *device);
  runner.write("x", buffer_of(Float(32), {2, 3}, {0, 5, 0, 7, 0, -1}));
  CHECK_THROWS_WITH_AS(runner.run(),
                       "run: \"places_number.count\" was computed as 3, but the program limits it to 0 to 2; "
                       "its file is damaged or a kernel is wrong (run tensordsl diff on its model)",
                       Error);
}

TEST_CASE("counts: a Program that is written and read again has them, and others have version 1") {
  const auto device = Device::open();
  const auto program = compiled(found_elements(), *device);
  const std::string json = to_json(*program);
  CHECK(to_json(program_from_json(json)) == json);
  ordered_json j = ordered_json::parse(json);
  CHECK(j["version"] == 2);
  OnnxModel plain;
  plain.input("x", {2}).node("Relu", {"x"}, {"y"}).output("y");
  CHECK(ordered_json::parse(to_json(*compiled(plain, *device)))["version"] == 1);
  const auto refusal = [](const ordered_json& damaged) {
    return error_of([&] { program_from_json(damaged.dump()); });
  };
  ordered_json damaged = j;
  damaged["counts"][0]["tensor"] = 99;
  CHECK(refusal(damaged).starts_with("program: tensor 99 is out of range; there are"));
  damaged = j;
  damaged["counts"][0]["launches"] = 99;
  CHECK(refusal(damaged) ==
        "program: the program is damaged: its counts, host steps and loops are not in the order of its "
        "launches; compile it again");
  damaged = j;
  damaged["counts"][0]["tensor"] = 0;
  CHECK(refusal(damaged) ==
        "program: the count places_number.count is in a tensor of f32; expected i32 or i64");
  damaged = j;
  damaged["counts"][0]["launches"] = 1.5;
  CHECK(refusal(damaged) == "program: expected an integer, found 1.5");
  damaged = j;
  damaged["counts"][0]["launches"] = -1;
  CHECK(refusal(damaged) == "program: a place among the launches or counts is negative: -1");
  damaged = j;
  damaged["version"] = 1;
  CHECK(refusal(damaged) == "program: version 1 has no counts and no host steps");
  damaged = j;
  damaged.erase("counts");
  CHECK(refusal(damaged).ends_with("is not a Param"));
}

TEST_CASE("counts: those that no output depends on are not computed") {
  OnnxModel m;
  m.input("x", {4}).node("NonZero", {"x"}, {"places"}).node("Relu", {"x"}, {"y"}).output("y");
  const Program program = load_model(m).compile();
  CHECK(program.counts.empty());
  CHECK(program.launches.size() == 1);
}

TEST_CASE("counts: a count may be what an operator takes as a number, and is refused where none may be") {
  OnnxModel m;
  m.input("x", {4}).node("NonZero", {"x"}, {"places"}).node("Shape", {"places"}, {"shape"});
  m.ints("one", {}, {1}).node("Gather", {"shape", "one"}, {"number"});
  m.input("condition", {4}, kBool);
  m.node("OneHot", {"places", "number", "values"}, {"y"}).floats("values", {2}, {0, 1}).output("y");
  CHECK(m.error() == "no error");
  OnnxModel loop;
  loop.input("x", {4}).node("NonZero", {"x"}, {"places"}).node("Shape", {"places"}, {"shape"});
  loop.node("Tile", {"x", "repeats"}, {"y"}).node("Size", {"places"}, {"size"});
  loop.node("Reshape", {"size", "row"}, {"repeats"}).ints("row", {1}, {1}).output("y");
  CHECK(loop.error() == "no error");
  OnnxModel split;
  split.input("x", {4}).node("NonZero", {"x"}, {"places"}).ints("parts", {2}, {1, 1});
  split.node("ConvTranspose", {"places", "places"}, {"y"}).output("y");
  CHECK(split.error().find("ConvTranspose") != std::string::npos);
}
