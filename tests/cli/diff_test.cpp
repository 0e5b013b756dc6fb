// `tensordsl diff`: the first wrong tensor of a model, against files, ONNX Runtime and the definitions.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "apps/tensordsl/diff/diff_report.h"
#include "cli/small_model.h"

namespace tensordsl::testing {
namespace {

using nlohmann::json;

Buffer row(const std::vector<double>& values) {
  Buffer buffer(Float(32), {1, static_cast<std::int64_t>(values.size())});
  for (std::int64_t i = 0; const double value : values) buffer.set(i++, value);
  return buffer;
}

/// The tensors of SmallModel for its in.npz: x*w, x*w + b and y.
std::map<std::string, Buffer> right_tensors() {
  return {{"xw", row({-2, -1, 0, 1, 2, 3, 4, 5})},
          {"xwb", row({-5, -3, -1, 1, 3, 5, 7, 9})},
          {"y", row({0, 0, 0, 1, 3, 5, 7, 9})}};
}

/// The lines from the one that starts with `label` on.
std::string from_line(const std::string& text, const std::string& label) {
  const std::size_t at = text.find("\n" + label);
  return at == std::string::npos ? "no line \"" + label + "\" in " + text : text.substr(at + 1);
}

std::vector<std::string> diff(const SmallModel& m, const std::vector<std::string>& more) {
  std::vector<std::string> words{"diff", m.model(), "--inputs", m.path("in.npz")};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// A python3 that gives what is in `npz`, or fails as `failure` does.
std::string false_python(const CommandLine& cli, const std::string& npz, const std::string& failure) {
  std::filesystem::create_directories(cli.path("bin"));
  cli.write("bin/python3", "#!/bin/sh\ncp '" + cli.path(npz) + "' \"$5\"\necho 1.2.3\n" + failure);
  std::filesystem::permissions(cli.path("bin/python3"), std::filesystem::perms::owner_all);
  return "PATH=" + cli.path("bin") + ":/usr/bin:/bin";
}

}  // namespace

TEST_CASE("diff: a right model agrees with its definitions, tensor by tensor") {
  const SmallModel m;
  const CommandResult result = m.run(diff(m, {}));
  CHECK(result.code == 0);
  CHECK(from_line(result.out, "against") ==
        "against  the definitions, computed on the host\n"
        "input    x [1, 8]: from " +
            m.path("in.npz") +
            "\n"
            "output   y f32[1,8]: max |difference| 0, allowed 0.009: ok\n"
            "tensors  3 compared\n"
            "result   every tensor agrees\n");
}

TEST_CASE("diff: the first tensor that leaves the tolerance is shown with all that is known of it") {
  const SmallModel m;
  auto tensors = right_tensors();
  tensors["xwb"].set(2, -4);
  tensors["xwb"].set(3, 1.001);  // within the tolerance
  tensors["xwb"].set(6, 9);
  runtime::write_npz(m.path("out.npz"), tensors);
  const CommandResult result = m.run(diff(m, {"--against", m.path("out.npz")}));
  CHECK(result.code == 1);
  CHECK(from_line(result.out, "output") ==
        "output   y f32[1,8]: max |difference| 0, allowed 0.009: ok\ntensors  3 compared; the first 1 "
        "agree\nfirst    xwb f32[1,8], of Add\n         %xwb: f32[1,8] = Add(%xw, b: f32[8])\n         "
        "largest difference 3 at [0, 2]: expected -4, found -1; allowed 0.009 (0.001 of the largest)\n       "
        "  2 of 8 elements differ by more than allowed; NaN: 0 expected, 0 found\nresult   the outputs of "
        "the Program agree, but a tensor before them differs\n");
  CHECK(m.run(diff(m, {"--against", m.path("out.npz"), "--rtol", "0.5"})).code == 0);
  const CommandResult all = m.run(diff(m, {"--against", m.path("out.npz"), "--all"}));
  CHECK(all.code == 1);
  CHECK(all.out.find("  tensor  operator  shape     difference  allowed  differing  NaN\n"
                     "  xw      Mul       f32[1,8]  0           0.005    0 of 8     0    ok\n"
                     "  xwb     Add       f32[1,8]  3           0.009    2 of 8     0    FAILED\n"
                     "  y       Relu      f32[1,8]  0           0.009    0 of 8     0    ok\n") !=
        std::string::npos);
}

TEST_CASE("diff: --json has what the text has") {
  const SmallModel m;
  auto tensors = right_tensors();
  tensors.at("xw").set(7, std::nan(""));
  tensors.erase("xwb");
  runtime::write_npz(m.path("out.npz"), tensors);
  const CommandResult result = m.run(diff(m, {"--against", m.path("out.npz"), "--json"}));
  CHECK(result.code == 1);
  const json report = json::parse(result.out);
  CHECK(report["holds"] == false);
  CHECK(report["against"] == m.path("out.npz"));
  CHECK(report["outputs"][0]["holds"] == true);
  CHECK(report["compared"] == 2);
  CHECK(report["left_out"] == json{{{"tensor", "xwb"}, {"reason", "not in " + m.path("out.npz")}}});
  const json& first = report["first"];
  CHECK(first["tensor"] == "xw");
  CHECK(first["operator"] == "Mul");
  CHECK(first["text"] == "%xw: f32[1,8] = Mul(%x, w: f32[1])");
  CHECK(first["max_difference"] == "Infinity");
  CHECK(first["place"] == json{0, 7});
  CHECK(first["expected"] == "NaN");
  CHECK(first["found"] == 5.0);
  CHECK(first["differing"] == 1);
  CHECK(first["expected_nan"] == 1);
  CHECK(first["found_nan"] == 0);
}

TEST_CASE("diff: --fused halves the model with kernels as they are") {
  const SmallModel m;
  auto tensors = right_tensors();
  tensors["xwb"].set(2, -4);
  runtime::write_npz(m.path("inner.npz"), tensors);
  // The output is right: there is no difference to find.
  const CommandResult right = m.run(diff(m, {"--against", m.path("inner.npz"), "--fused"}));
  CHECK(right.code == 0);
  CHECK(from_line(right.out, "tensors") == "tensors  0 compared by bisection\nresult   the outputs agree\n");
  tensors["y"].set(7, 90);
  runtime::write_npz(m.path("both.npz"), tensors);
  const CommandResult wrong = m.run(diff(m, {"--against", m.path("both.npz"), "--fused"}));
  CHECK(wrong.code == 1);
  CHECK(wrong.out.find("tensors  3 compared by bisection\nfirst    xwb f32[1,8], of Add\n") !=
        std::string::npos);
}

TEST_CASE("diff: --fused without an output to go from is refused") {
  const SmallModel m;
  auto tensors = right_tensors();
  tensors.erase("y");
  runtime::write_npz(m.path("inner.npz"), tensors);
  check_user_error(
      m.run(diff(m, {"--picture", "x"})),
      "--picture: diff compares the tensors of the model as its file defines them; drop --picture");
  check_user_error(m.run(diff(m, {"--against", m.path("inner.npz"), "--fused"})),
                   "--fused: needs reference values for an output of the model, and " + m.path("inner.npz") +
                       " has none; drop --fused, or add \"y\"");
}

TEST_CASE("diff: outputs that nothing computes are compared too") {
  CommandLine cli;
  OnnxModel onnx;
  onnx.input("x", {2}).floats("c", {2}, {1, 2}).node("Identity", {"c"}, {"y"}).output("y").output("x");
  cli.write("m.onnx", onnx.proto.SerializeAsString());
  const auto against = [&](double last) {
    Buffer x(Float(32), {2}), y(Float(32), {2});
    y.set(0, 1);
    y.set(1, last);
    runtime::write_npz(cli.path("in.npz"), {{"x", x}});
    runtime::write_npz(cli.path("out.npz"), {{"x", x}, {"y", y}});
    return cli.run(
        {"diff", cli.path("m.onnx"), "--inputs", cli.path("in.npz"), "--against", cli.path("out.npz")});
  };
  CHECK(against(2).code == 0);
  const CommandResult wrong = against(3);
  CHECK(wrong.code == 1);
  CHECK(wrong.out.find("output   y f32[2]: max |difference| 1, allowed 0.003: FAILED\n"
                       "output   x f32[2]: max |difference| 0, allowed 0: ok\n") != std::string::npos);
}

TEST_CASE("diff: another shape is a difference, and NaN agrees with NaN") {
  const SmallModel m;
  runtime::write_npz(m.path("out.npz"), {{"xw", Buffer(Float(32), {8})}});
  const CommandResult result = m.run(diff(m, {"--against", m.path("out.npz")}));
  CHECK(result.code == 1);
  CHECK(from_line(result.out, "first") ==
        "first    xw f32[1,8], of Mul\n         %xw: f32[1,8] = Mul(%x, w: f32[1])\n         wrong shape; "
        "expected [8]\n");
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Buffer strange = row({std::nan(""), kInfinity, -kInfinity, 1});
  CHECK(cli::difference(strange, strange, 0).holds());
  const cli::Difference d = cli::difference(strange, row({std::nan(""), kInfinity, kInfinity, 1}), 0.5);
  CHECK(d.differing == 1);
  CHECK(d.largest == kInfinity);
  CHECK(d.place == std::vector<std::int64_t>{0, 2});
  CHECK(d.allowed == 0.5);
}

TEST_CASE("diff: tensors that the importer has merged or computed are named with the reason") {
  const CommandLine cli;
  OnnxModel model;
  const Floats ones(2, 1.0F);
  model.input("x", {1, 2, 3}).floats("w", {2, 2, 1}, {1, 2, 3, 4}).floats("v", {2}, ones);
  model.floats("k", {1}, {2}).ints("flat", {1}, {-1});
  model.node("Conv", {"x", "w"}, {"conv"});
  model.node("BatchNormalization", {"conv", "v", "v", "v", "v"}, {"norm"});
  model.node("Add", {"k", "k"}, {"four"}).node("Mul", {"norm", "four"}, {"scaled"});
  model.node("Neg", {"scaled"}, {"nobody"}).node("Relu", {"scaled"}, {"y"}).output("y");
  cli.write("m.onnx", model.proto.SerializeAsString());
  const CommandResult result = cli.run({"diff", cli.path("m.onnx")});
  CHECK(result.code == 0);
  CHECK(from_line(result.out, "tensors") ==
        "tensors  3 compared\nleft out 1, computed when the model is loaded: four\n         1, merged with a "
        "node that reads it: conv\n         1, not needed by any output, a constant, or a recurrent state: "
        "nobody\nresult   every tensor agrees\n");
  // A constant that was computed at import is compared with a file that has it.
  Buffer four(Float(32), {1});
  four.set(0, 5);
  runtime::write_npz(cli.path("out.npz"), {{"four", four}, {"y", Buffer(Float(32), {1, 2, 3})}});
  const CommandResult constant = cli.run({"diff", cli.path("m.onnx"), "--against", cli.path("out.npz")});
  CHECK(constant.code == 1);
  CHECK(constant.out.find(
            "first    four f32[1], of Add\n         largest difference 1 at [0]: expected 5, found 4;") !=
        std::string::npos);
}

TEST_CASE("diff: with ONNX Runtime, in a process of python3's") {
  const SmallModel m;
  // Expects the order of the model's outputs, then of the nodes.
  auto tensors = right_tensors();
  runtime::write_npz(m.path("out.npz"), {{"0", tensors["y"]}, {"1", tensors["xw"]}, {"2", tensors["xwb"]}});
  const std::string path = false_python(m, "out.npz", "");
  const CommandResult right = m.run(diff(m, {"--onnxruntime"}), {path});
  CHECK_MESSAGE(right.code == 0, right.err);
  CHECK(from_line(right.out, "against").starts_with("against  ONNX Runtime 1.2.3\n"));
  CHECK(right.out.find("tensors  3 compared\n") != std::string::npos);
}

TEST_CASE("diff: without python3, its package, or where ONNX Runtime fails, the error has the remedy") {
  const SmallModel m;
  const std::string end =
      "; or drop --onnxruntime to compare with the operators' definitions, or compare with a file "
      "(--against)";
  const auto run = [&](const std::string& path) { return m.run(diff(m, {"--onnxruntime"}), {path}); };
  check_user_error(run("PATH=" + m.path("nowhere")),
                   "--onnxruntime: python3 was not found; install it and the package onnxruntime" + end);
  check_user_error(run(false_python(m, "in.npz", "echo \"No module named 'onnxruntime'\" >&2\nexit 3\n")),
                   "--onnxruntime: python3 cannot import its modules (No module named 'onnxruntime'); "
                   "run python3 -m pip install onnxruntime for the python3 that is first in PATH" +
                       end);
  check_user_error(run(false_python(m, "in.npz", "echo trace >&2\necho 'Fail: no kernel' >&2\nexit 1\n")),
                   "--onnxruntime: ONNX Runtime failed to run " + m.model() + ": Fail: no kernel");
  check_user_error(run(false_python(m, "in.npz", "kill -9 $$\n")),
                   "--onnxruntime: ONNX Runtime failed to run " + m.model() + ": its process ended early");
}

TEST_CASE("diff: symbolic sizes are given as for run") {
  const CommandLine cli;
  OnnxModel model;
  model.input("x", {1, 3}).node("Neg", {"x"}, {"a"}).node("Relu", {"a"}, {"y"}).output("y");
  model.name_dim(0, 0, "batch");
  cli.write("m.onnx", model.proto.SerializeAsString());
  for (const char* option : {"--param", "--dim"}) {
    const CommandResult result = cli.run({"diff", cli.path("m.onnx"), option, "batch=2"});
    CHECK_MESSAGE(result.code == 0, result.err);
    CHECK(result.out.find("output   y f32[2,3]: max |difference| 0,") != std::string::npos);
    CHECK(result.out.find("tensors  2 compared\n") != std::string::npos);
  }
  check_user_error(
      cli.run({"diff", cli.path("m.onnx")}),
      cli.path("m.onnx") + ": no value for the Param \"batch\" (i32); pass it with --param NAME=NUMBER");
}

TEST_CASE("diff: mistakes are exit 2 with one line") {
  const SmallModel m;
  runtime::write_npz(m.path("other.npz"), {{"z", Buffer(Float(32), {1})}});
  check_user_error(m.run(diff(m, {"--against", m.path("other.npz")})),
                   m.path("other.npz") +
                       ": no tensor has the name of one that the model computes; it has \"z\", and the model "
                       "computes \"xw\", \"xwb\", \"y\"");
  check_user_error(m.run(diff(m, {"--rtol", "-1"})), "--rtol -1: expected a non-negative number");
  check_user_error(m.run({"diff", m.path(".")}),
                   m.path(".") + " is a folder; give an ONNX model, which is a file");
  check_user_error(m.run(diff(m, {"--against", m.path("other.npz"), "--onnxruntime"})),
                   "--against excludes --onnxruntime (see tensordsl diff --help)");
}

TEST_CASE("diff: where only outputs differ, the report says that kernels of several nodes are at fault") {
  cli::DiffReport report;
  report.device = "d";
  report.against = "a";
  report.rtol = 0.001;
  NodeOutput y;
  y.name = "y";
  y.type = Float(32);
  y.op = "Relu";
  y.node = "last";
  report.outputs = {{y, {2}, cli::difference(row({1, 2}), row({1, 3}), 0.001)}};
  report.tensors = {{y, {2}, cli::difference(row({1, 3}), row({1, 3}), 0.001)}};
  CHECK(cli::to_text(report, std::nullopt) ==
        "device   d\nagainst  a\noutput   y f32[2]: max |difference| 1, allowed 0.003: FAILED\ntensors  1 "
        "compared\nresult   every tensor agrees when it is stored, but outputs of the Program differ: a "
        "kernel that fuses several nodes is wrong; --fused finds the tensor\n");
  CHECK_FALSE(report.holds());
  report.tensors = report.outputs;
  CHECK(cli::to_text(report, std::nullopt).find("first    y f32[2], of Relu 'last'\n") != std::string::npos);
}

}  // namespace tensordsl::testing
