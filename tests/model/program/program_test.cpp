// Programs as JSON and as folders.
#include "tensordsl/program.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "support/error_text.h"
#include "support/json_schema.h"
#include "support/load_model.h"
#include "support/source_dir.h"
#include "support/temporary.h"
#include "tensordsl/model.h"
#include "tensordsl/tensordsl.h"

using namespace tensordsl;
using nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

const Var x("x"), y("y");

/// Two kernels with a buffer in between.
Program fixed() {
  const Input a("a", Float(32), {8, 16});
  Func first("first"), out("out");
  first(y, x) = a(y, x) * 2.0f;
  out(y, x) = first(y, x) + first(y, x + 1);
  out.bound({8, 15});
  first.compute_root();
  return Pipeline(out).compile();
}

/// A Program over symbolic sizes, with requirements.
Program symbolic() {
  const Param n("n"), m("m");
  const Input a("a", Float(32), {n, m});
  Func first("first"), out("out");
  first(y, x) = a(y, x) * 2.0f;
  out(y, x) = first(y, x) + first(y, x + 1);
  first.compute_root();
  return Pipeline(out).compile();
}

Program textures() {
  const Input a("a", Float(32), {8, 16});
  Func out("out");
  out(y, x) = a(y, x) + 1.0f;
  out.bound({8, 16}).layout("y | x/4 | x%4").set_image(Image2D).vectorize(x, 4, Tail::Exact);
  Input image = a;
  image.layout("d0 | d1/4 | d1%4").set_image(Image2D);
  return Pipeline(out).compile();
}

/// Compares Programs without texts and constants, which JSON leaves out.
void check_round_trip(const Program& program) {
  const std::string json = to_json(program);
  CHECK(to_json(program_from_json(json)) == json);
}

std::string refusal(const ordered_json& json) {
  return error_of([&] { program_from_json(json.dump()); });
}

ordered_json read_json(const std::filesystem::path& path) {
  std::ifstream file(path);
  return ordered_json::parse(file);
}

struct Folder {
  std::filesystem::path path = testing::temporary("program_test");
  Folder() { std::filesystem::remove_all(path); }
  ~Folder() { std::filesystem::remove_all(path); }
};

}  // namespace

TEST_CASE("program: JSON is read back as it was written") {
  check_round_trip(symbolic());
  check_round_trip(textures());
}

TEST_CASE("program: sizes that are numbers are numbers, others are expressions") {
  const ordered_json fixed = ordered_json::parse(to_json(textures()));
  CHECK(fixed["tensors"][0]["bytes"] == 512);
  CHECK(fixed["tensors"][0]["image"]["width"] == 4);
  CHECK(fixed["inputs"][0]["shape"] == ordered_json({8, 16}));
  const ordered_json open = ordered_json::parse(to_json(symbolic()));
  CHECK(open["inputs"][0]["shape"] == ordered_json({"n", "m"}));
  CHECK(open["params"].size() == 4);  // n, m and the extents of the output
  CHECK(open["requirements"].size() > 0);
}

TEST_CASE("program: what does not fit together is refused with what is wrong") {
  const ordered_json good = ordered_json::parse(to_json(symbolic()));
  const auto with = [&](const char* at, const ordered_json& value) {
    ordered_json j = good;
    j[ordered_json::json_pointer(at)] = value;
    return refusal(j);
  };
  CHECK(with("/version", 7) == "program: version 7 is not supported; supported: 1 to 6");
  CHECK(with("/version", 0) == "program: version 0 is not supported; supported: 1 to 6");
  CHECK(with("/launches/0/kernel", 7) == "program: kernel 7 is out of range; there are 2");
  CHECK(with("/launches/0/kernel", -1) == "program: kernel -1 is out of range; there are 2");
  CHECK(with("/launches/0/tensors/0", 99) == "program: tensor 99 is out of range; there are 3");
  CHECK(with("/outputs/0/tensor", 3) == "program: tensor 3 is out of range; there are 3");
  CHECK(with("/tensors/0/type", "f7") == "program: unknown type \"f7\"");
  CHECK(with("/tensors/0/kind", "guess") == "program: unknown kind \"guess\"");
  CHECK(with("/tensors/0/layout", "d0").find("dimension \"d1\" is missing") != std::string::npos);
  CHECK(with("/tensors/0/elements", "n*").find("program: ") == 0);
  CHECK(with("/inputs/0/shape/0", 4294967297) == "program: expected a number of type i32, found 4294967297");
  CHECK(with("/launches/0/kernel", 18446744073709551615U) ==
        "program: expected a number of type i64, found 18446744073709551615");
  CHECK(with("/tensors/0/layout", "2000000000+d0 d1").find("up to 2^29") != std::string::npos);
  CHECK(with("/launches/0/groups", ordered_json({70, 1, 1}))
            .find("has a different number of work-groups than its kernel") != std::string::npos);
  CHECK(with("/tensors/1/elements", -5).find("has a negative number of elements") != std::string::npos);
  CHECK(with("/slots", ordered_json({-4})) == "program: a slot's size is negative: -4");
  CHECK(with("/tensors/0/offset", 4) ==
        "program: \"a\" has an offset, but is neither a constant nor in a slot");
  CHECK(refusal({}).find("program: ") == 0);
  CHECK(error_of([] { program_from_json("{"); }).find("program: ") == 0);
}

TEST_CASE("program: an offset that does not fit its slot is refused") {
  Program program = fixed();
  std::size_t first = 0;
  while (program.tensors[first].kind != Program::Tensor::Kind::Intermediate) ++first;
  Program::Tensor& tensor = program.tensors[first];
  const auto placed = [&](std::int64_t offset, std::int64_t room) {
    tensor.slot = 0;
    tensor.offset = offset;
    program.slot_bytes = {room};
    return error_of([&] { program_from_json(to_json(program)); });
  };
  const std::int64_t bytes = tensor.elements.constant().value() * 4;
  CHECK(placed(4096, 4096 + bytes) == "no error");
  check_round_trip(program);
  CHECK(ordered_json::parse(to_json(program))["version"] == 3);
  const ordered_json schema = read_json(source_dir() / "src/runtime/json/program.schema.json");
  CHECK(schema_mismatch(schema, schema, ordered_json::parse(to_json(program)), "program") == "");
  CHECK(placed(4096, 4095 + bytes) == "program: \"first\" exceeds its slot");
  CHECK(placed(8192, 4096) == "program: \"first\" exceeds its slot");
  CHECK(placed(-4, 4096) == "program: an offset is negative: -4");
  CHECK(placed(6, 4096 + bytes) ==
        "program: \"first\" is at 6 in its slot, which is not a multiple of its type's 4 bytes");
  REQUIRE(placed(4096, 4096 + bytes) == "no error");
  ordered_json old = ordered_json::parse(to_json(program));
  old["version"] = 1;
  CHECK(refusal(old) == "program: version 1 cannot have offsets in slots");
  for (KernelSource& kernel : program.kernels) {
    for (KernelArgument& argument : kernel.arguments) argument.alignment = 64;
  }
  CHECK(placed(64, 4096 + bytes) == "no error");
  CHECK(placed(32, 4096 + bytes) ==
        "program: the argument first needs alignment to 64 bytes, but \"first\" is at 32 in its slot");
}

namespace {

/// Three convolutions, between which there are two images.
Program images_between() {
  testing::OnnxModel model;
  model.input("x", {1, 4, 8, 8}).floats("w", {4, 4, 3, 3}, std::vector<float>(144, 0.5F));
  model.node("Conv", {"x", "w"}, {"a"}, {testing::attribute("pads", testing::Ints{1, 1, 1, 1})});
  model.node("Conv", {"a", "w"}, {"b"}, {testing::attribute("pads", testing::Ints{1, 1, 1, 1})});
  model.node("Conv", {"b", "w"}, {"y"}).output("y");
  CompileTarget target;
  target.profile = load_hw_profile("adreno640");
  return testing::load_model(model).compile(target);
}

}  // namespace

TEST_CASE("program: images in slots are version 4, alike, and as large as the slot at most") {
  Program program = images_between();
  std::vector<Program::Tensor*> images;
  for (Program::Tensor& tensor : program.tensors) {
    if (tensor.slot >= 0 && tensor.image) images.push_back(&tensor);
  }
  REQUIRE(images.size() == 2);
  CHECK(program.slot_bytes == std::vector<std::int64_t>{1024, 1024});
  program.constants = {};  // which the text leaves out
  check_round_trip(program);
  const ordered_json schema = read_json(source_dir() / "src/runtime/json/program.schema.json");
  CHECK(schema_mismatch(schema, schema, ordered_json::parse(to_json(program)), "program") == "");
  ordered_json old = ordered_json::parse(to_json(program));
  CHECK(old["version"] == 4);
  old["version"] = 3;
  CHECK(refusal(old) == "program: version 3 cannot have images in slots");
  const auto changed = [&](const auto& change) {
    Program other = program;
    change(other, other.tensors[static_cast<std::size_t>(images[1] - program.tensors.data())]);
    return error_of([&] { program_from_json(to_json(other)); });
  };
  CHECK(changed([](Program&, Program::Tensor&) {}) == "no error");
  CHECK(changed([](Program&, Program::Tensor& b) { b.slot = 0; }) == "no error");
  CHECK(changed([](Program& p, Program::Tensor&) { p.slot_bytes[1] = 1023; }) ==
        "program: \"b\" exceeds its slot");
  CHECK(changed([](Program&, Program::Tensor& b) { b.image->width = "9"; }) ==
        "program: the images of slot 1 do not fit into it");
  CHECK(changed([](Program&, Program::Tensor& b) { b.image->layers = "2000000000"; }) ==
        "program: the images of slot 1 do not fit into it");
  CHECK(changed([](Program&, Program::Tensor& b) { b.image->width = "0"; }) ==
        "program: the image \"b\" in a slot must have at least one texel");
  CHECK(changed([](Program&, Program::Tensor& b) { b.stored.image = Image2DArray, b.slot = 0; }) ==
        "program: \"a\" and \"b\" share a slot, but are different kinds of images");
  CHECK(changed([](Program&, Program::Tensor& b) { b.image.reset(), b.stored.image.reset(), b.slot = 0; }) ==
        "program: \"a\" and \"b\" share a slot, but only one of them is an image");
}

TEST_CASE("program: written over another one, nothing of that one is left, and what is not of it stays") {
  const fs::path folder = testing::temporary("program_over_another");
  fs::remove_all(folder);
  const auto files = [&] {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
      names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
  };
  write_program(symbolic(), folder.string());
  const auto alone = files();
  std::ofstream(folder / "notes.cl") << "mine";
  write_program(textures(), folder.string());
  write_program(symbolic(), folder.string());
  auto expected = alone;
  expected.insert(std::ranges::upper_bound(expected, "notes.cl"), "notes.cl");
  CHECK(files() == expected);
  // Files that are not a Program are overwritten without harm.
  std::ofstream(folder / "program.json") << R"({"kernels": [{"file": "../outside.cl"}, 3], "constants": 5})";
  CHECK_NOTHROW(write_program(symbolic(), folder.string()));
  std::ofstream(folder / "program.json") << "{";
  CHECK_NOTHROW(write_program(symbolic(), folder.string()));
  fs::remove_all(folder);
}

TEST_CASE("program: what is written is what the schema describes, and the schema refuses other things") {
  const ordered_json schema = read_json(source_dir() / "src/runtime/json/program.schema.json");
  const auto check = [&](const ordered_json& json) {
    return schema_mismatch(schema, schema, json, "program");
  };
  CHECK(check(ordered_json::parse(to_json(symbolic()))) == "");
  CHECK(check(ordered_json::parse(to_json(textures()))) == "");
  const Model model =
      Model::load((source_dir() / "models/squeezenet1_0.onnx").string(), {.random_weights = true});
  CHECK(check(ordered_json::parse(to_json(model.compile()))) == "");
  testing::OnnxModel counted;
  counted.input("x", {4}).node("NonZero", {"x"}, {"y"}).output("y");
  CompileTarget target;
  target.on_host = {"NonZero"};
  ordered_json with_steps = ordered_json::parse(to_json(testing::load_model(counted).compile(target)));
  CHECK(with_steps["counts"].size() == 1);
  CHECK(with_steps["host_steps"].size() == 1);
  CHECK(check(with_steps) == "");
  with_steps["host_steps"][0]["definitions"][0].erase("dims");
  CHECK(check(with_steps) == "program/host_steps/0/definitions/0: dims is missing");
  ordered_json bad = ordered_json::parse(to_json(textures()));
  bad["tensors"][1].erase("layout");
  CHECK(check(bad) == "program/tensors/1: layout is missing");
  bad = ordered_json::parse(to_json(textures()));
  bad["launches"][0]["speed"] = 3;
  CHECK(check(bad) == "program/launches/0: speed is unknown");
  bad = ordered_json::parse(to_json(textures()));
  bad["kernels"][0]["entry"] = 3;
  CHECK(check(bad) == "program/kernels/0/entry: 3 is no string");
}

TEST_CASE("program: an image of an unknown kind or of three channels is refused") {
  ordered_json j = ordered_json::parse(to_json(textures()));
  j["tensors"][0]["image"]["channels"] = 3;
  CHECK(refusal(j) == "program: the image \"a\" must have 1 or 4 channels");
  j["tensors"][0]["image"]["kind"] = "image7d";
  CHECK(refusal(j) == "program: unknown image \"image7d\"");
}

// Whatever is changed in a program, reading it ends in a Program or in a ParseError.
TEST_CASE("program: damaged JSON is read or refused, and nothing else") {
  const std::string good = to_json(symbolic());
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    std::string bad = good;
    for (unsigned k = 0; k <= random() % 3; ++k) {
      const std::size_t at = random() % bad.size();
      switch (random() % 3) {
        case 0:
          bad[at] = static_cast<char>(random() % 128);
          break;
        case 1:
          bad.erase(at, 1 + random() % 20);
          break;
        default:
          bad.insert(at, good.substr(random() % good.size(), 1 + random() % 20));
      }
    }
    try {
      program_from_json(bad);
    } catch (const ParseError&) {
    }
  }
}

TEST_CASE("program: a folder is read back, with texts and constants") {
  const Folder folder;
  Program program = textures();
  const auto bytes = std::make_shared<std::byte[]>(100);
  bytes[99] = std::byte{42};
  program.constants = {bytes, 100};
  write_program(program, folder.path.string());
  const Program read = read_program(folder.path.string());
  CHECK(to_json(read) == to_json(program));
  for (KernelSource& kernel : program.kernels) kernel.shared.clear();
  CHECK(read.kernels == program.kernels);
  REQUIRE(read.constants.size == 100);
  CHECK(read.constants.data[99] == std::byte{42});
}

TEST_CASE("program: a folder with missing, short or foreign files is refused") {
  const Folder folder;
  const std::string path = folder.path.string();
  CHECK(error_of([&] { read_program(path); }).find("program.json: cannot be read") != std::string::npos);
  Program program = textures();
  program.constants = {std::make_shared<std::byte[]>(100), 100};
  write_program(program, path);
  std::filesystem::resize_file(folder.path / "constants.bin", 99);
  CHECK(error_of([&] { read_program(path); }).find("the constants have 99 bytes, but should have 100") !=
        std::string::npos);
  write_program(program, path);
  ordered_json json = ordered_json::parse(to_json(program));
  json["kernels"][0]["file"] = "../secret.cl";
  std::ofstream(folder.path / "program.json") << json.dump();
  CHECK(error_of([&] { read_program(path); }).find("\"../secret.cl\" is not a file name in its folder") !=
        std::string::npos);
}
