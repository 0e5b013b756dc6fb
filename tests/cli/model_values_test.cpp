// Tests the values that a model takes and gives on the command line: f64, initializers, large constants.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "cli/command_line.h"
#include "runtime/buffer/npy.h"
#include "runtime/buffer/npz.h"
#include "support/onnx_model.h"

namespace tensordsl::testing {
namespace {

constexpr int kDouble = ::onnx::TensorProto::DOUBLE;

Buffer doubles(const std::vector<double>& values) {
  Buffer buffer(Float(64), {static_cast<std::int64_t>(values.size())});
  std::ranges::copy(values, buffer.as<double>().begin());
  return buffer;
}

/// Writes ones as the input x, and returns the file.
std::string ones(const CommandLine& cli, const std::vector<std::int64_t>& shape) {
  Buffer x(Float(32), shape);
  for (std::int64_t i = 0; i < x.elements(); ++i) x.set(i, 1);
  runtime::write_npz(cli.path("ones.npz"), {{"x", x}});
  return cli.path("ones.npz");
}

}  // namespace

TEST_CASE("cli: a model of f64 reads and writes f64") {
  const CommandLine cli;
  OnnxModel model;
  model.input("x", {2}, kDouble).initializer("k", {}, kDouble).add_double_data(2);
  model.node("Mul", {"x", "k"}, {"y"}).output("y", {2}, kDouble);
  cli.write("m.onnx", model.proto.SerializeAsString());
  runtime::write_npz(cli.path("in.npz"), {{"x", doubles({1e300, 0.1})}});
  const CommandResult result = cli.run({"run", cli.path("m.onnx"), "--inputs", cli.path("in.npz"),
                                        "--outputs", cli.path("out.npz"), "--allow-narrowing"});
  REQUIRE_MESSAGE(result.code == 0, result.err);
  const Buffer y = runtime::read_npz(cli.path("out.npz")).at("y");
  CHECK(y.type() == Float(64));
  // Warns where the device has no f64.
  if (result.err.empty()) CHECK(std::ranges::equal(y.as<double>(), std::vector{2e300, 0.2}));
}

TEST_CASE("cli: a model of f64 for a profile has a warning, and --allow-narrowing another one") {
  const CommandLine cli;
  OnnxModel model;
  model.input("x", {2}, kDouble).node("Relu", {"x"}, {"y"}).output("y", {2}, kDouble);
  cli.write("m.onnx", model.proto.SerializeAsString());
  const std::vector<std::string> compile{"compile", cli.path("m.onnx"), "--profile", "adreno640",
                                         "-o",      cli.path("out")};
  CHECK(cli.run(compile).err ==
        "warning: the tensor 'x' is f64: the kernels need a device with f64 (cl_khr_fp64)\n");
  std::vector<std::string> narrow = compile;
  narrow.emplace_back("--allow-narrowing");
  CHECK(cli.run(narrow).err ==
        "warning: the tensor 'x' is f64 in the model, but is computed in f32, because no device is given\n");
}

TEST_CASE("cli: --inputs gives initializers that are inputs their values") {
  const CommandLine cli;
  OnnxModel model;
  model.input("x", {2}).input("k", {2}).floats("k", {2}, {10, 20}).node("Add", {"x", "k"}, {"y"}).output("y");
  cli.write("m.onnx", model.proto.SerializeAsString());
  const auto y = [&](const std::map<std::string, Buffer>& inputs) {
    runtime::write_npz(cli.path("in.npz"), inputs);
    const CommandResult result = cli.run(
        {"run", cli.path("m.onnx"), "--inputs", cli.path("in.npz"), "--outputs", cli.path("out.npz")});
    REQUIRE_MESSAGE(result.code == 0, result.err);
    return runtime::read_npz(cli.path("out.npz")).at("y").get(1);
  };
  const Buffer x = doubles({1, 2}).converted(Float(32)), k = doubles({3, 4}).converted(Float(32));
  CHECK(y({{"x", x}}) == 22);
  CHECK(y({{"x", x}, {"k", k}}) == 6);
  CHECK(y({{"x", x}, {"k", k.converted(Float(16))}}) == 6);
}

TEST_CASE("cli: --constant is a number, true or false, or several of these, without rounding integers") {
  const CommandLine cli;
  OnnxModel model;
  model.input("x", {2}, ::onnx::TensorProto::INT64).input("k", {2}, ::onnx::TensorProto::INT64);
  model.node("Add", {"x", "k"}, {"y"}).output("y");
  cli.write("m.onnx", model.proto.SerializeAsString());
  Buffer x(Int(64), {2});
  runtime::write_npz(cli.path("in.npz"), {{"x", x}});
  const auto run = [&](const std::string& constant, const std::string& inputs = "in.npz") {
    return cli.run({"run", cli.path("m.onnx"), "--inputs", cli.path(inputs), "--outputs", cli.path("out.npz"),
                    "--constant", constant});
  };
  const auto y = [&](const std::string& constant) {
    const CommandResult result = run(constant);
    REQUIRE_MESSAGE(result.code == 0, result.err);
    const Buffer sums = runtime::read_npz(cli.path("out.npz")).at("y");
    return std::vector{sums.get_int(0), sums.get_int(1)};
  };
  CHECK(y("k=9007199254740993,-1") == std::vector<std::int64_t>{9007199254740993, -1});
  CHECK(y("k=true,1e3") == std::vector<std::int64_t>{1, 1000});
  constexpr const char* kExamples =
      "for example --constant rate=16000, --constant flag=true or --constant scales=1,2.5";
  for (const auto& [value, part] : {std::pair("[5]", "[5]"),
                                    {"1, 2", " 2"},
                                    {"1,", ""},
                                    {"", ""},
                                    {"True,1", "True"},
                                    {"0x10", "0x10"},
                                    {"1_000,1", "1_000"}}) {
    check_user_error(run(std::string("k=") + value),
                     std::string("--constant k=") + value + ": \"" + part +
                         "\" is not a number, true or false; separate numbers with commas, without spaces, " +
                         kExamples);
  }
  check_user_error(run("k"), std::string("--constant k: expected NAME=VALUE, ") + kExamples);
  check_user_error(run("k=1,9223372036854775808"),
                   cli.path("m.onnx") +
                       ": the input 'k' is i64[2]; the constant given for it has the element "
                       "9223372036854775808, which is out of the range of i64");
  runtime::write_npz(cli.path("both.npz"), {{"x", x}, {"k", x}});
  check_user_error(run("k=1,2", "both.npz"),
                   "--inputs: \"k\" in the file also has a value by --constant; drop one of them");
}

TEST_CASE("cli: a large constant is computed when the model is loaded") {
  const CommandLine cli;
  OnnxModel model;
  model.input("x", {1, 300})
      .floats("a", {300, 300}, Floats(90000, 0.5F))
      .floats("b", {300, 300}, Floats(90000, 2));
  model.node("MatMul", {"a", "b"}, {"c"}).node("MatMul", {"x", "c"}, {"y"}).output("y");
  cli.write("m.onnx", model.proto.SerializeAsString());
  const CommandResult graph = cli.run({"compile", cli.path("m.onnx"), "--emit", "graph"});
  REQUIRE_MESSAGE(graph.code == 0, graph.err);
  CHECK(graph.out.find("%y: f32[1,300] = MatMul(%x, c: f32[300,300])") != std::string::npos);
  CHECK(graph.out.find("%c") == std::string::npos);
}

TEST_CASE("cli: symbolic dimensions have the sizes of the inputs that are given") {
  const CommandLine cli;
  OnnxModel model;
  model.input("x", {1, 1}).input("more", {1}).node("Add", {"x", "more"}, {"y"}).output("y");
  auto* graph = model.proto.mutable_graph();
  const auto dim = [&](int input, int d) {
    return graph->mutable_input(input)->mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim(
        d);
  };
  dim(0, 0)->set_dim_param("batch");
  dim(0, 1)->set_dim_param("past + length");
  dim(1, 0)->set_dim_param("past + length");
  cli.write("m.onnx", model.proto.SerializeAsString());
  runtime::write_npz(cli.path("in.npz"), {{"x", Buffer(Float(32), {2, 7})}});
  const auto run = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments{"run", cli.path("m.onnx"), "--inputs", cli.path("in.npz")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return cli.run(arguments);
  };
  const CommandResult result = run({"--param", "past=3"});
  REQUIRE_MESSAGE(result.code == 0, result.err);
  CHECK(result.out.find("y [2, 7]") != std::string::npos);
  check_user_error(
      run({}),
      cli.path("m.onnx") +
          ": no value for the Params \"length\" (i32), \"past\" (i32); pass each with --param NAME=NUMBER");
  check_user_error(run({"--param", "past=3", "--param", "length=5"}),
                   "--inputs: \"x\" is f32 [2, 7] in the file, but the model expects f32 [2, 8]");
}

TEST_CASE("cli: a terabyte of random weights is refused at once") {
  const CommandLine cli;
  OnnxModel model;
  model.input("x", {1});
  for (int i = 0; i < 256; ++i) {
    const std::string weight = "w" + std::to_string(i);
    auto& tensor = model.initializer(weight, {1 << 30}, ::onnx::TensorProto::FLOAT);
    tensor.set_data_location(::onnx::TensorProto::EXTERNAL);
    auto* entry = tensor.add_external_data();
    entry->set_key("location");
    entry->set_value("absent.bin");
    model.node("Add", {"x", weight}, {"y" + std::to_string(i)}).output("y" + std::to_string(i));
  }
  cli.write("m.onnx", model.proto.SerializeAsString());
  for (const char* command : {"run", "diff", "bench"}) {
    check_user_error(cli.run({command, cli.path("m.onnx"), "--random-weights"}),
                     cli.path("m.onnx") +
                         ": its initializers need 1099511627776 bytes (1.0 TiB), but the limit is 8589934592 "
                         "bytes (8.0 GiB); the largest are \"w0\" f32[1073741824], 4294967296 bytes (4.0 "
                         "GiB); \"w1\" f32[1073741824], 4294967296 bytes (4.0 GiB); \"w2\" f32[1073741824], "
                         "4294967296 bytes (4.0 GiB)");
  }
}

TEST_CASE("cli: run writes the only output to a .npy, and refuses one for several outputs") {
  const CommandLine cli;
  OnnxModel one, two;
  one.input("x", {2, 2}).node("Relu", {"x"}, {"y"}).output("y");
  cli.write("one.onnx", one.proto.SerializeAsString());
  two.input("x", {2, 2}).node("Relu", {"x"}, {"y"}).node("Neg", {"x"}, {"z"}).output("y").output("z");
  cli.write("two.onnx", two.proto.SerializeAsString());
  const std::string file = cli.path("out.npy");
  const CommandResult written =
      cli.run({"run", cli.path("one.onnx"), "--outputs", file, "--inputs", ones(cli, {2, 2})});
  REQUIRE_MESSAGE(written.code == 0, written.err);
  Buffer expected(Float(32), {2, 2});
  for (std::int64_t i = 0; i < 4; ++i) expected.set(i, 1);
  const auto bytes = expected.bytes();
  CHECK(file_text(file) == runtime::npy_header(expected) +
                               std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  std::filesystem::remove(file);
  check_user_error(cli.run({"run", cli.path("two.onnx"), "--outputs", file}),
                   "--outputs: " + file + " holds one array, and the model has 2 outputs; name a .npz");
  CHECK_FALSE(std::filesystem::exists(file));
  cli.write("in.npy", file_text(file));
  check_user_error(cli.run({"run", cli.path("one.onnx"), "--inputs", cli.path("in.npy")}),
                   "--inputs: " + cli.path("in.npy") +
                       ": an .npy file has one array without a name; write an .npz file with numpy.savez and "
                       "the name of the input");
}

TEST_CASE("cli: bench takes inputs of models and packages, and says what is wrong with a file") {
  const CommandLine cli;
  OnnxModel model;
  model.input("x", {2, 2}).node("Relu", {"x"}, {"y"}).output("y");
  cli.write("m.onnx", model.proto.SerializeAsString());
  REQUIRE(cli.run({"compile", cli.path("m.onnx"), "-o", cli.path("m.tdsl")}).code == 0);
  for (const std::string& place : {cli.path("m.onnx"), cli.path("m.tdsl")}) {
    CAPTURE(place);
    const auto bench = [&](const std::string& inputs) {
      return cli.run({"bench", place, "--runs", "20", "--inputs", inputs});
    };
    const CommandResult right = bench(ones(cli, {2, 2}));
    CHECK_MESSAGE(right.code == 0, right.err);
    check_user_error(bench(cli.path("absent.npz")), "--inputs: " + cli.path("absent.npz") + ": No such file");
    check_user_error(bench(ones(cli, {3, 2})),
                     "--inputs: \"x\" is f32 [3, 2] in the file, but the model expects f32 [2, 2]");
  }
}

TEST_CASE("cli: run shows the largest values of each row of a batch, of the first eight rows") {
  const CommandLine cli;
  OnnxModel model;
  model.input("x", {9, 3}).node("Relu", {"x"}, {"y"}).output("y");
  cli.write("m.onnx", model.proto.SerializeAsString());
  Buffer x(Float(32), {9, 3});
  for (std::int64_t i = 0; i < 27; ++i) x.set(i, static_cast<double>(i % 3 == i / 3 % 3 ? i + 1 : 0.5));
  runtime::write_npz(cli.path("in.npz"), {{"x", x}});
  const std::vector<std::string> command{"run", cli.path("m.onnx"), "--inputs", cli.path("in.npz")};
  const CommandResult text = cli.run(command);
  CHECK_MESSAGE(text.out.find("output   y [9, 3]\n"
                              "         row 0: 0 1.000000, 1 0.500000, 2 0.500000\n"
                              "         row 1: 1 5.000000, 0 0.500000, 2 0.500000\n") != std::string::npos,
                text.out);
  CHECK(text.out.find("         row 7: 1 23.000000, 0 0.500000, 2 0.500000\n"
                      "         and 1 more rows\n") != std::string::npos);
  auto as_json = command;
  as_json.emplace_back("--json");
  const auto report = nlohmann::json::parse(cli.run(as_json).out);
  CHECK(report["outputs"]["y"]["top5_of_rows"].size() == 8);
  CHECK(report["outputs"]["y"]["top5_of_rows"][1][0] == nlohmann::json{{"index", 1}, {"value", 5.0}});
}

TEST_CASE("cli: run warns of outputs that are not finite where the inputs are") {
  const CommandLine cli;
  OnnxModel model;
  model.input("x", {4}).node("Log", {"x"}, {"y"}).node("Relu", {"x"}, {"z"}).output("y").output("z");
  cli.write("m.onnx", model.proto.SerializeAsString());
  const auto warning_of = [&](const std::vector<float>& values) {
    Buffer x(Float(32), {4});
    std::ranges::copy(values, x.as<float>().begin());
    runtime::write_npz(cli.path("in.npz"), {{"x", x}});
    const CommandResult result =
        cli.run({"run", cli.path("m.onnx"), "--inputs", cli.path("in.npz"), "--json"});
    CHECK(result.code == 0);
    return without_progress(result.err);
  };
  CHECK(warning_of({1, 2, 3, 4}) == "");
  CHECK(warning_of({1, 0, 0, 4}) ==
        "tensordsl: warning: output y: 2 infinite of 4 elements, though all inputs are finite\n");
  CHECK(warning_of({1, -1, 0, 4}) ==
        "tensordsl: warning: output y: 1 NaN and 1 infinite of 4 elements, though all inputs are finite\n");
  CHECK(warning_of({1, -1, 0, std::numeric_limits<float>::infinity()}) == "");
}

}  // namespace tensordsl::testing
