// `tensordsl run`: its checks before it builds, its output, and the timeline that it writes.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "cli/pseudo_terminal.h"
#include "cli/small_model.h"

namespace tensordsl::testing {
namespace {

using nlohmann::json;

/// One file of the folder that is not the model's or a command's own.
bool is_there(const CommandLine& cli, const std::string& name) {
  return std::filesystem::exists(cli.path(name));
}

/// y = x + 1, of i64.
std::string integer_model(const CommandLine& cli) {
  OnnxModel model;
  model.input("x", {3}, ::onnx::TensorProto::INT64);
  model.initializer("one", {1}, ::onnx::TensorProto::INT64).add_int64_data(1);
  model.node("Add", {"x", "one"}, {"y"}).output("y");
  cli.write("integers.onnx", model.proto.SerializeAsString());
  Buffer x(Int(64), {3});
  x.set_int(0, std::numeric_limits<std::int64_t>::min());
  x.set_int(1, std::numeric_limits<std::int64_t>::max() - 1);
  x.set_int(2, 9007199254740992);
  runtime::write_npz(cli.path("integers.npz"), {{"x", x}});
  return cli.path("integers.onnx");
}

}  // namespace

TEST_CASE("cli: data files that do not fit are exit 2 with one line") {
  const SmallModel m;
  const auto run = [&](const std::string& option, const std::string& file) {
    return m.run({"run", m.model(), option, m.path(file)});
  };
  runtime::write_npz(m.path("other.npz"), {{"z", Buffer(Float(32), {1, 8})}});
  check_user_error(run("--expect", "other.npz"), "--expect: the file has no output \"y\"");
  check_user_error(run("--inputs", "other.npz"),
                   "--inputs: \"z\" in the file is not an input of the model; its inputs are \"x\"");
  runtime::write_npz(m.path("shape.npz"), {{"y", Buffer(Float(32), {8})}});
  check_user_error(run("--expect", "shape.npz"),
                   "--expect: output \"y\" is [8] in the file, but the model computes [1,8]");
  check_user_error_like(run("--expect", "absent.npz"), "--expect: " + m.path("absent.npz") + ": ");
  check_user_error_like(run("--inputs", "absent.npz"), "--inputs: " + m.path("absent.npz") + ": ");
  m.write("garbage.npz", "this is no archive");
  check_user_error_like(run("--inputs", "garbage.npz"), "--inputs: " + m.path("garbage.npz") + ": ");
  runtime::write_npz(m.path("input.npz"), {{"x", Buffer(Int(32), {2, 8})}});
  check_user_error(run("--inputs", "input.npz"),
                   "--inputs: \"x\" is i32 [2, 8] in the file, but the model expects f32 [1, 8]; convert it "
                   "with .astype(np.float32)");
}

TEST_CASE("cli: an array of another type is taken where its values all have the input's type") {
  const SmallModel m;
  const auto run = [&](Type type) {
    runtime::write_npz(m.path("other.npz"),
                       {{"x", runtime::read_npz(m.path("in.npz")).at("x").converted(type)}});
    return m.run({"run", m.model(), "--inputs", m.path("other.npz")});
  };
  for (const Type type : {Float(16), Int(8), Int(16), UInt(16), Bool()}) CHECK(run(type).code == 0);
  for (const Type type : {Float(64), Int(32), Int(64)}) {
    check_user_error(
        run(type),
        "--inputs: \"x\" is " + to_string(type) +
            " [1, 8] in the file, but the model expects f32 [1, 8]; convert it with .astype(np.float32)");
  }
}

TEST_CASE("cli: files and places are checked before the model is read, and nothing is left behind") {
  const SmallModel m;
  const std::string absent = m.path("absent.onnx");
  for (const char* option : {"--outputs", "--trace"}) {
    check_user_error(
        m.run({"run", absent, option, m.path("no/such/file")}),
        std::string(option) + ": cannot write " + m.path("no/such/file") + ": No such file or directory");
    check_user_error(
        m.run({"run", absent, option, m.path("")}),
        std::string(option) + ": cannot write " + m.path("") + ": it is a folder; name a file in it");
    check_user_error_like(m.run({"run", absent, option, m.path("new.file")}), absent);
    CHECK_FALSE(is_there(m, "new.file"));
  }
  check_user_error(
      m.run({"run", absent, "--write-cl", m.path("model.onnx/folder")}),
      "--write-cl: cannot create the folder " + m.path("model.onnx/folder") + ": Not a directory");
  check_user_error(m.run({"run", absent, "--write-cl", m.path("model.onnx")}),
                   "--write-cl: cannot create the folder " + m.path("model.onnx") + ": Not a directory");
  check_user_error_like(m.run({"compile", absent, "-o", m.path("a/new/folder/")}), absent);
  CHECK_FALSE(is_there(m, "a"));
  std::filesystem::create_directory(m.path("folder"));
  check_user_error_like(m.run({"compile", absent, "-o", m.path("folder")}), absent);
  CHECK(is_there(m, "folder"));
  CHECK(std::filesystem::is_empty(m.path("folder")));
  check_user_error_like(m.run({"run", absent, "--inputs", m.path("absent.npz")}), "--inputs: ");
  check_user_error_like(m.run({"run", absent, "--expect", m.path("absent.npz")}), "--expect: ");
}

TEST_CASE("cli: an empty name of a file or a folder is refused") {
  const SmallModel m;
  const auto end = [](const std::string& command) { return " (see tensordsl " + command + " --help)"; };
  for (const char* option : {"--inputs", "--outputs", "--expect", "--trace"}) {
    check_user_error(m.run({"run", m.model(), option, ""}),
                     std::string(option) + ": expected a file's name" + end("run"));
  }
  check_user_error(m.run({"run", m.model(), "--write-cl", ""}),
                   "--write-cl: expected a folder's name" + end("run"));
  check_user_error(m.run({"compile", m.model(), "-o", ""}),
                   "--output: expected a folder's name, or NAME.tdsl" + end("compile"));
  check_user_error(m.run({"profile", "-o", ""}), "--output: expected a file's name" + end("profile"));
  check_user_error(m.run({"profile", "--plots", ""}), "--plots: expected a folder's name" + end("profile"));
  check_user_error(m.run({"run", ""}), "MODEL: expected a file's name" + end("run"));
}

TEST_CASE("cli: run says which inputs were generated") {
  const SmallModel m;
  const CommandResult text = m.run({"run", m.model(), "--inputs", m.path("in.npz")});
  CHECK(text.out.find("input    x [1, 8]: from " + m.path("in.npz") + "\n") != std::string::npos);
  const json given = json::parse(m.run({"run", m.model(), "--inputs", m.path("in.npz"), "--json"}).out);
  CHECK(given["inputs"]["x"] == json{{"shape", {1, 8}}, {"generated", false}});
  const json generated = json::parse(m.run({"run", m.model(), "--json"}).out);
  CHECK(generated["inputs"]["x"] == json{{"shape", {1, 8}}, {"generated", true}});
  CHECK(generated["runs"] == 1);
  CHECK(generated["warm_up_ms"] > 0.0);
}

TEST_CASE("cli: the largest elements leave NaN out and say so; infinities are there") {
  const SmallModel m;
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  Buffer x(Float(32), {1, 8});
  for (std::int64_t i = 0; const double value : {nan, 1.0, -infinity, nan, infinity, 2.0, 3.0, nan})
    x.set(i++, value);
  runtime::write_npz(m.path("nan.npz"), {{"x", x}});
  OnnxModel model;
  model.input("x", {1, 8}).floats("one", {1}, {1.0f}).node("Add", {"x", "one"}, {"y"}).output("y");
  m.write("add.onnx", model.proto.SerializeAsString());
  const std::vector<std::string> command{"run", m.path("add.onnx"), "--inputs", m.path("nan.npz")};
  const CommandResult text = m.run(command);
  CHECK_MESSAGE(text.out.find("              4  inf\n              6  4.000000\n              5  3.000000\n  "
                              "            1  2.000000\n              2  -inf\nNaN      3 of 8 elements of y "
                              "are NaN; they do not count for the largest\n") != std::string::npos,
                text.out);
  auto as_json = command;
  as_json.insert(as_json.end(), {"--json", "--expect", m.path("expect.npz")});
  const CommandResult result = m.run(as_json);
  CHECK(result.code == 1);
  const json report = json::parse(result.out);
  CHECK(report["outputs"]["y"]["nan"] == 3);
  CHECK(report["outputs"]["y"]["top5"][0] == json{{"index", 4}, {"value", "Infinity"}});
  CHECK(report["outputs"]["y"]["top5"][4] == json{{"index", 2}, {"value", "-Infinity"}});
  CHECK(report["checks"][0]["max_difference"] == "Infinity");
}

TEST_CASE("cli: integers are printed as they are") {
  const CommandLine cli;
  const std::vector<std::string> command{"run", integer_model(cli), "--inputs", cli.path("integers.npz")};
  const CommandResult text = cli.run(command);
  CHECK_MESSAGE(text.out.find("              1  9223372036854775807\n"
                              "              2  9007199254740993\n"
                              "              0  -9223372036854775807\n") != std::string::npos,
                text.out);
  auto as_json = command;
  as_json.emplace_back("--json");
  const json report = json::parse(cli.run(as_json).out);
  CHECK(report["outputs"]["y"]["top5"][0]["value"] == std::numeric_limits<std::int64_t>::max());
  CHECK(report["outputs"]["y"]["top5"][2]["value"] == -std::numeric_limits<std::int64_t>::max());
}

TEST_CASE("cli: run --trace writes a timeline with an event for each launch") {
  const SmallModel m;
  const CommandResult result =
      m.run({"run", m.model(), "--trace", m.path("trace.json")}, {"TENSORDSL_CACHE=off"});
  REQUIRE_MESSAGE(result.code == 0, result.err);
  CHECK(result.out.find("trace    " + m.path("trace.json")) != std::string::npos);
  const json trace = json::parse(file_text(m.path("trace.json")));
  std::vector<std::string> host;
  int launches = 0;
  for (const json& event : trace["traceEvents"]) {
    if (event["cat"] == "host") host.push_back(event["name"]);
    if (event["cat"] == "kernel") ++launches;
  }
  CHECK(host == std::vector<std::string>{"import", "open the device", "lowering", "upload constants",
                                         "build kernels", "record launches", "warm-up", "runs",
                                         "traced run"});
  CHECK(launches == 1);
}

TEST_CASE("cli: a second run of a model takes the kernels that the first one has lowered") {
  const SmallModel m;
  const auto run = [&](std::vector<std::string> options, const std::string& state = "on") {
    options.insert(options.begin(), {"run", m.model(), "--inputs", m.path("in.npz"), "--json"});
    const CommandResult result =
        m.run(options, {"TENSORDSL_CACHE_DIR=" + m.path("cache"), "TENSORDSL_CACHE=" + state});
    REQUIRE_MESSAGE(result.code == 0, result.err);
    return json::parse(result.out);
  };
  const json first = run({}), second = run({});
  CHECK(first["lowered_earlier"] == false);
  CHECK(second["lowered_earlier"] == true);
  CHECK(second["compile_ms"] == 0.0);
  CHECK(second["outputs"] == first["outputs"]);
  CHECK(second["kernels"] == first["kernels"]);
  // Other options are another Program; without a cache nothing is taken.
  CHECK(run({"--precision", "fp16"})["lowered_earlier"] == false);
  CHECK(run({"--no-fusion"})["lowered_earlier"] == false);
  CHECK(run({"--no-fusion"})["lowered_earlier"] == true);
  CHECK(run({}, "off")["lowered_earlier"] == false);
  // Damaged packages are lowered once more.
  for (const auto& file : std::filesystem::directory_iterator(m.path("cache"))) {
    if (file.path().extension() == ".tdsl") std::ofstream(file.path()) << "damaged";
  }
  CHECK(run({})["lowered_earlier"] == false);
  CHECK(run({})["lowered_earlier"] == true);
}

TEST_CASE("cli: kernels of other weights, of the model's file or beside it, are lowered anew") {
  const CommandLine cli;
  OnnxModel model;
  model.input("x", {2});
  auto& weight = model.initializer("w", {2}, ::onnx::TensorProto::FLOAT);
  weight.set_data_location(::onnx::TensorProto::EXTERNAL);
  auto& place = *weight.add_external_data();
  place.set_key("location");
  place.set_value("w.bin");
  model.node("Mul", {"x", "w"}, {"y"}).output("y");
  Buffer x(Float(32), {2}), w(Float(32), {2});
  x.set(0, 1);
  runtime::write_npz(cli.path("x.npz"), {{"x", x}});
  const auto run = [&](double value, const std::string& name) {
    w.set(0, value);
    cli.write("w.bin", std::string(reinterpret_cast<const char*>(w.bytes().data()), w.size_bytes()));
    model.proto.mutable_graph()->set_name(name);
    cli.write("model.onnx", model.proto.SerializeAsString());
    const CommandResult result =
        cli.run({"run", cli.path("model.onnx"), "--inputs", cli.path("x.npz"), "--json"},
                {"TENSORDSL_CACHE_DIR=" + cli.path("cache"), "TENSORDSL_CACHE=on"});
    REQUIRE_MESSAGE(result.code == 0, result.err);
    const json report = json::parse(result.out);
    return std::pair(report["lowered_earlier"].get<bool>(),
                     report["outputs"]["y"]["top5"][0]["value"].get<double>());
  };
  CHECK(run(2, "g") == std::pair(false, 2.0));
  CHECK(run(2, "g") == std::pair(true, 2.0));
  CHECK(run(3, "g") == std::pair(false, 3.0));
  CHECK(run(2, "g") == std::pair(true, 2.0));
  CHECK(run(2, "h") == std::pair(false, 2.0));
}

TEST_CASE("cli: a model is run for the sizes and values that its inputs have, where it has to know them") {
  const CommandLine cli;
  OnnxModel model;
  model.input("x", {2, 3}).input("k", {1}, ::onnx::TensorProto::INT64);
  model.name_dim(0, 0, "rows");
  model.node("TopK", {"x", "k"}, {"y", "places"}).output("y");
  cli.write("model.onnx", model.proto.SerializeAsString());
  const auto run = [&](std::int64_t rows, std::int64_t count) {
    Buffer x(Float(32), {rows, 3}), k(Int(64), {1});
    k.set_int(0, count);
    runtime::write_npz(cli.path("in.npz"), {{"x", x}, {"k", k}});
    const CommandResult result = cli.run({"run", cli.path("model.onnx"), "--inputs", cli.path("in.npz"),
                                          "--outputs", cli.path("out.npz"), "--json"},
                                         {"TENSORDSL_CACHE_DIR=" + cli.path("cache"), "TENSORDSL_CACHE=on"});
    REQUIRE_MESSAGE(result.code == 0, result.err);
    CHECK(result.err.find(fmt::format(
              "warning: the model is loaded only for k = {}, the sizes of the inputs: ", count)) !=
          std::string::npos);
    CHECK(runtime::read_npz(cli.path("out.npz")).at("y").shape() == std::vector{rows, count});
    return json::parse(result.out)["lowered_earlier"].get<bool>();
  };
  CHECK(!run(2, 1));
  CHECK(run(2, 1));
  CHECK(run(5, 1));  // of any number of rows
  CHECK(!run(5, 2));
  CHECK(run(2, 1));
}

TEST_CASE("cli: what inputs of other sizes need is lowered beside what others need") {
  const CommandLine cli;
  OnnxModel model;
  model.input("a", {1, 3}).input("b", {1, 3});
  model.name_dim(0, 0, "n");
  model.name_dim(1, 0, "m");
  model.node("Add", {"a", "b"}, {"y"}).output("y");
  cli.write("model.onnx", model.proto.SerializeAsString());
  const auto run = [&](std::int64_t n, std::int64_t m) {
    Buffer a(Float(32), {n, 3}), b(Float(32), {m, 3});
    a.set(0, 2);
    b.set(0, 3);
    runtime::write_npz(cli.path("in.npz"), {{"a", a}, {"b", b}});
    const CommandResult result = cli.run({"run", cli.path("model.onnx"), "--inputs", cli.path("in.npz"),
                                          "--outputs", cli.path("out.npz"), "--json"},
                                         {"TENSORDSL_CACHE_DIR=" + cli.path("cache"), "TENSORDSL_CACHE=on"});
    REQUIRE_MESSAGE(result.code == 0, result.err);
    const Buffer y = runtime::read_npz(cli.path("out.npz")).at("y");
    CHECK(y.shape() == std::vector<std::int64_t>{std::max(n, m), 3});
    CHECK(y.get(0) == 5);
    return json::parse(result.out)["lowered_earlier"].get<bool>();
  };
  CHECK(!run(2, 2));
  CHECK(run(2, 2));
  CHECK(!run(2, 1));
  CHECK(run(2, 2));
  CHECK(run(2, 1));
  CHECK(run(4, 4));
  CHECK(!run(1, 4));
  CHECK(run(2, 1));
}

TEST_CASE("cli: a model is run for a size that it computes from its inputs, and another one is refused") {
  const CommandLine cli;
  OnnxModel model;
  model.input("x", {3}).ints("zero", {}, {0}).ints("one", {}, {1});
  model.node("ReduceSum", {"x"}, {"sum"}, {attribute("keepdims", 0)});
  model.node("Cast", {"sum"}, {"n"}, {attribute("to", ::onnx::TensorProto::INT64)});
  model.node("Range", {"zero", "n", "one"}, {"y"}).output("y");
  cli.write("model.onnx", model.proto.SerializeAsString());
  const auto run = [&](double each, const std::string& place, const std::vector<std::string>& more = {}) {
    Buffer x(Float(32), {3});
    for (std::int64_t i = 0; i < 3; ++i) x.set(i, each);
    runtime::write_npz(cli.path("in.npz"), {{"x", x}});
    std::vector<std::string> command{"run", cli.path(place), "--inputs", cli.path("in.npz")};
    command.insert(command.end(), more.begin(), more.end());
    return cli.run(command, {"TENSORDSL_CACHE_DIR=" + cli.path("cache"), "TENSORDSL_CACHE=on"});
  };
  const auto found = [&](double each) {
    const CommandResult result = run(each, "model.onnx", {"--json"});
    REQUIRE_MESSAGE(result.code == 0, result.err);
    const json report = json::parse(result.out);
    return std::pair(report["outputs"]["y"]["shape"][0].get<int>(), report["lowered_earlier"].get<bool>());
  };
  CHECK(found(2) == std::pair(6, false));
  CHECK(found(2) == std::pair(6, true));
  CHECK(found(3) == std::pair(9, false));
  CHECK(found(2) == std::pair(6, true));
  REQUIRE(run(2, "model.onnx", {"--write-cl", cli.path("written")}).code == 0);
  CHECK(run(2, "written").code == 0);
  check_user_error(
      run(3, "written"),
      "run: n is 9 with these inputs, but the model was compiled for 6; compile it for these inputs");
}

TEST_CASE("cli: a model that is too large for the cache is lowered at each run, which says so") {
  const CommandLine cli;
  Floats weights(70000);
  std::iota(weights.begin(), weights.end(), 0.0f);
  OnnxModel model;
  model.input("x", {70000}).floats("w", {70000}, weights).node("Mul", {"x", "w"}, {"y"}).output("y");
  cli.write("model.onnx", model.proto.SerializeAsString());
  const auto run = [&](const std::string& limit) {
    const CommandResult result = cli.run(
        {"run", cli.path("model.onnx"), "--json"},
        {"TENSORDSL_CACHE_DIR=" + cli.path("cache"), "TENSORDSL_CACHE=on", "TENSORDSL_CACHE_LIMIT=" + limit});
    REQUIRE_MESSAGE(result.code == 0, result.err);
    return std::pair(json::parse(result.out)["lowered_earlier"].get<bool>(), without_progress(result.err));
  };
  for (int i = 0; i < 2; ++i) {
    const auto [is_found, told] = run("1");
    CHECK(!is_found);
    CHECK(told ==
          "warning: the lowered model takes 276 KiB, more than a quarter of the cache limit of 1 MiB: it is "
          "not cached, and every run lowers the model again; set TENSORDSL_CACHE_LIMIT=2 to cache it\n");
  }
  CHECK(run("0") == std::pair(false, std::string()));
  CHECK(run("2") == std::pair(false, std::string()));
  CHECK(run("2") == std::pair(true, std::string()));
}

TEST_CASE("cli: outputs whose size depends on data are written, compared and traced") {
  const CommandLine cli;
  OnnxModel model;
  model.input("x", {4}).node("NonZero", {"x"}, {"y"}).output("y");
  cli.write("places.onnx", model.proto.SerializeAsString());
  Buffer x(Float(32), {4}), places(Int(64), {1, 2}), three(Int(64), {1, 3});
  x.set(1, 0.5);
  x.set(3, -1);
  places.set_int(0, 1);
  places.set_int(1, 3);
  runtime::write_npz(cli.path("x.npz"), {{"x", x}});
  runtime::write_npz(cli.path("places.npz"), {{"y", places}});
  runtime::write_npz(cli.path("three.npz"), {{"y", three}});
  const auto run = [&](const std::string& place, const std::string& expected) {
    return cli.run({"run", cli.path(place), "--inputs", cli.path("x.npz"), "--expect", cli.path(expected),
                    "--trace", cli.path("trace.json"), "--write-cl", cli.path("written")});
  };
  const CommandResult result = run("places.onnx", "places.npz");
  REQUIRE_MESSAGE(result.code == 0, result.err);
  CHECK(result.out.find("output   y [1, 2]") != std::string::npos);
  CHECK(is_there(cli, "trace.json"));
  CHECK(
      cli.run({"run", cli.path("written"), "--inputs", cli.path("x.npz"), "--expect", cli.path("places.npz")})
          .code == 0);
  check_user_error(run("places.onnx", "three.npz"),
                   "--expect: output \"y\" is [1,3] in the file, but the model computes [1,2]");
}

TEST_CASE("cli: a Program runs with values of its Params") {
  const CommandLine cli;
  const std::string generate =
      "'" TENSORDSL_SCALE_GEN "' -o '" + cli.path("") + "' count=symbolic >/dev/null";
  REQUIRE(std::system(generate.c_str()) == 0);
  const std::string program = cli.path("scale.json");
  const auto run = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"run", program};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return cli.run(arguments);
  };
  check_user_error(
      run({}),
      program +
          ": no value for the Params \"count\" (i32), \"factor\" (f32); pass each with --param NAME=NUMBER");
  check_user_error(run({"--param", "count=7"}),
                   program + ": no value for the Param \"factor\" (f32); pass it with --param NAME=NUMBER");
  check_user_error(
      run({"--param", "n=7"}),
      "--param n: " + program + " has no Param of this name; it has \"count\" (i32), \"factor\" (f32)");
  check_user_error(run({"--param", "count"}),
                   "--param count: expected NAME=NUMBER, for example --param count=1024");
  check_user_error(run({"--param", "count=1", "--param", "count=2"}),
                   "--param count=2: count is given twice; give it once");
  check_user_error(run({"--dim", "count=7"}), "--dim: " + program + " is already compiled; drop this option");
  check_user_error(run({"--precision", "fp16"}),
                   "--precision: " + program + " is already compiled; drop this option");
  check_user_error(run({"--no-lte"}), "--no-lte: " + program + " is already compiled; drop this option");
  check_user_error(run({"--no-memory-plan"}),
                   "--no-memory-plan: " + program + " is already compiled; drop this option");
  check_user_error(run({"--no-winograd"}),
                   "--no-winograd: " + program + " is already compiled; drop this option");
  check_user_error(run({"--winograd-memory", "1"}),
                   "--winograd-memory: " + program + " is already compiled; drop this option");
  Buffer in(Float(32), {7});
  for (std::int64_t i = 0; i < 7; ++i) in.set(i, static_cast<double>(i));
  runtime::write_npz(cli.path("in.npz"), {{"in", in}});
  const CommandResult result =
      run({"--param", "count=7", "--param", "factor=0.5", "--inputs", cli.path("in.npz")});
  REQUIRE_MESSAGE(result.code == 0, result.err);
  CHECK(result.out.find(
            "output   out [7]; index and value of the largest elements:\n              6  3.000000\n") !=
        std::string::npos);
  const json report = json::parse(run({"--param", "count=9", "--param", "factor=2", "--json"}).out);
  CHECK(report["outputs"]["out"]["shape"] == json({9}));
  CHECK(report["precision"] == nullptr);
  const SmallModel m;
  check_user_error(m.run({"run", m.model(), "--param", "n=1"}),
                   "--param n: " + m.model() + " has no Param of this name; it has none");
}

TEST_CASE("cli: what commands tell of models and devices is not wider than the terminal") {
  const SmallModel m;
  OnnxModel model;
  model.input("x0", {1, 8}).floats("one", {1}, {1.0f});
  std::string label;
  for (int i = 0; i < 30; ++i) {
    model.node("Add", {"x" + std::to_string(i), "one"}, {"x" + std::to_string(i + 1)});
    label += i == 0 ? "Add" : "+Add";
  }
  model.output("x30");
  m.write("long.onnx", model.proto.SerializeAsString());
  for (const int columns : {40, 80}) {
    CAPTURE(columns);
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{TENSORDSL_CLI, "run", m.model(), "--expect", m.path("expect.npz")},
          {TENSORDSL_CLI, "bench", m.path("long.onnx"), "--runs", "20"},
          {TENSORDSL_CLI, "bench", m.model(), "--seconds", "0.1"},
          {TENSORDSL_CLI, "devices"}}) {
      CAPTURE(command[1]);
      PseudoTerminal terminal(command, columns);
      std::string output;
      CHECK(terminal.wait(output) <= 1);
      CHECK_MESSAGE(longest_line(output) <= static_cast<std::size_t>(columns), output);
    }
  }
  // Elsewhere names are whole.
  CHECK(m.run({"bench", m.path("long.onnx"), "--runs", "20"}).out.find("(" + label + ")") !=
        std::string::npos);
}

}  // namespace tensordsl::testing
