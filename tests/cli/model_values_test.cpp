// Tests the values that a model takes and gives on the command line: f64, initializers, large constants.
#include <doctest/doctest.h>

#include <algorithm>

#include "cli/command_line.h"
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

}  // namespace tensordsl::testing
