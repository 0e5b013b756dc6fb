// The command line tool as scripts see it: exit codes, one line of error, JSON, files.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/small_model.h"

namespace tensordsl::testing {
namespace {

using nlohmann::json;

}  // namespace

TEST_CASE("cli: run computes, compares and writes the outputs") {
  const SmallModel m;
  const CommandResult result =
      m.run({"run", m.model(), "--inputs", m.path("in.npz"), "--expect", m.path("expect.npz"), "--rtol",
             "1e-6", "--outputs", m.path("out.npz"), "--write-cl", m.path("cl"), "--json"});
  REQUIRE_MESSAGE(result.code == 0, result.err);
  const json report = json::parse(result.out);
  for (const char* key :
       {"model", "device", "median_ms", "kernels", "compile_ms", "build_ms", "outputs", "checks"}) {
    CHECK_MESSAGE(report.contains(key), key);
  }
  CHECK(report["checks"][0]["holds"] == true);
  CHECK(report["outputs"]["y"]["shape"] == json({1, 8}));
  const auto outputs = runtime::read_npz(m.path("out.npz"));
  const auto expected = runtime::read_npz(m.path("expect.npz"));
  CHECK(std::ranges::equal(outputs.at("y").as<float>(), expected.at("y").as<float>()));
  CHECK(json::parse(file_text(m.path("cl/program.json")))["kernels"].size() == 1);
}

TEST_CASE("cli: run without --json prints for people") {
  const SmallModel m;
  const CommandResult result = m.run({"run", m.model(), "--repeat", "3"});
  REQUIRE_MESSAGE(result.code == 0, result.err);
  for (const char* line :
       {"device   ", "input    x [1, 8]: generated (--inputs gives it)\n",
        "output   y [1, 8]; index and value of the largest elements:\n", "time     ",
        " ms per run (median of 3); the warm-up before", "kernels  1 launch of 1 distinct kernel; "}) {
    CHECK_MESSAGE(result.out.find(line) != std::string::npos, line);
  }
}

TEST_CASE("cli: a result that differs is exit 1, with the figures") {
  const SmallModel m;
  const std::vector<std::string> command{"run", m.model(), "--expect",
                                         m.path("expect.npz")};  // generated inputs
  const CommandResult result = m.run(command);
  CHECK(result.code == 1);
  CHECK(result.out.find(": FAILED\n") != std::string::npos);
  auto as_json = command;
  as_json.push_back("--json");
  const CommandResult machine = m.run(as_json);
  CHECK(machine.code == 1);
  CHECK(json::parse(machine.out)["checks"][0]["holds"] == false);
}

TEST_CASE("cli: fp16 storage stays within its precision") {
  const SmallModel m;
  CHECK(m.run({"run", m.model(), "--inputs", m.path("in.npz"), "--expect", m.path("expect.npz"), "--rtol",
               "2e-3", "--precision", "fp16"})
            .code == 0);
}

TEST_CASE("cli: bench reports every figure") {
  const SmallModel m;
  const CommandResult result = m.run({"bench", m.model(), "--runs", "20", "--json"});
  REQUIRE_MESSAGE(result.code == 0, result.err);
  const json report = json::parse(result.out);
  for (const char* key :
       {"median_ms", "p10_ms", "p90_ms", "write_median_ms", "gflops", "fma_peak_gflops", "peak_fraction",
        "kernels", "intermediate_bytes", "compile_ms", "build_ms", "per_kernel"}) {
    CHECK_MESSAGE(report.contains(key), key);
  }
  CHECK(report["p10_ms"] <= report["median_ms"]);
  CHECK(report["median_ms"] <= report["p90_ms"]);
  CHECK(report["fma_peak_gflops"] > 0.0);
  REQUIRE(report["per_kernel"].size() == 1);
  CHECK(report["per_kernel"][0]["kernel"].is_string());
}

TEST_CASE("cli: devices lists what --device takes") {
  const CommandLine cli;
  const CommandResult result = cli.run({"devices", "--json"});
  REQUIRE(result.code == 0);
  const json devices = json::parse(result.out);
  REQUIRE(devices.is_array());
  for (const json& device : devices) {
    for (const char* key : {"name", "vendor", "platform", "version", "driver", "compute_units",
                            "local_memory_bytes", "global_memory_bytes", "fp16", "images", "extensions"}) {
      CHECK_MESSAGE(device.contains(key), key);
    }
  }
  const CommandResult people = cli.run({"devices"});
  CHECK(people.code == 0);
  for (const json& device : devices)
    CHECK(people.out.find(device["name"].get<std::string>()) != std::string::npos);
}

TEST_CASE("cli: compile writes a program, and run takes its folder in the place of the model") {
  const SmallModel m;
  const CommandResult result = m.run({"compile", m.model(), "-o", m.path("out")});
  REQUIRE_MESSAGE(result.code == 0, result.err);
  const json program = json::parse(file_text(m.path("out/program.json")));
  REQUIRE(program["kernels"].size() == 1);
  const json& kernel = program["kernels"][0];
  const std::string text = file_text(m.path("out/" + kernel["file"].get<std::string>()));
  CHECK(text.find("__kernel") != std::string::npos);
  CHECK(text.find(kernel["entry"].get<std::string>()) != std::string::npos);
  CHECK(program["launches"].size() == 1);
  CHECK(program["inputs"].size() == 1);
  CHECK(program["outputs"].size() == 1);
  const CommandResult run =
      m.run({"run", m.path("out"), "--inputs", m.path("in.npz"), "--expect", m.path("expect.npz")});
  CHECK_MESSAGE(run.code == 0, run.err);
  CHECK(m.run({"bench", m.path("out"), "--runs", "20"}).code == 0);
}

TEST_CASE("cli: a profile by its name or file decides the schedules, without a device") {
  const SmallModel m;
  const auto layouts = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"compile", m.model(), "--emit", "layouts"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const CommandResult result = m.run(arguments);
    CHECK_MESSAGE(result.code == 0, result.err);
    return result.out;
  };
  CHECK(layouts({"--profile", "adreno640"}).find("items=64") != std::string::npos);
  CHECK(layouts({"--profile", "pocl_cpu_avx512"}).find("items=1 ") != std::string::npos);
  check_user_error_like(
      m.run({"compile", m.model(), "--emit", "layouts", "--profile", "voodoo"}),
      "--profile: the profile \"voodoo\" is neither a readable file nor one of adreno630, ");
  m.write("deep.json", std::string(65, '['));
  const std::string deep = m.path("deep.json");
  check_user_error(
      m.run({"compile", m.model(), "--profile", "adreno640", "--db", m.path("t.db"), "-o", m.path("x")}),
      "--db: needs a device, because tuned schedules belong to one; pass --device, or drop --db");
  check_user_error(m.run({"compile", m.model(), "--emit", "layouts", "--profile", deep}),
                   "--profile " + deep + ": profile: lists and objects are nested more than 64 levels deep");
}

TEST_CASE("cli: --emit prints every stage") {
  const SmallModel m;
  const auto stage = [&](const char* name) {
    const CommandResult result = m.run({"compile", m.model(), "--emit", name});
    CHECK_MESSAGE(result.code == 0, result.err);
    return result.out;
  };
  CHECK(stage("graph").find("Relu") != std::string::npos);
  CHECK(stage("classes").find("pointwise") != std::string::npos);
  CHECK(stage("groups").find("anchor ") != std::string::npos);
  CHECK(stage("layouts").find("strategy ") != std::string::npos);
  CHECK(json::parse(stage("program"))["version"] == 1);
  CHECK(stage("funcs").find("select(") != std::string::npos);
  CHECK(stage("nest").find("block 0: ") != std::string::npos);
  CHECK(stage("loops").find("for ") != std::string::npos);
  CHECK(stage("ir").find("kernel ") != std::string::npos);
  CHECK(stage("cl").find("__kernel") != std::string::npos);
  CHECK(m.run({"compile", m.model(), "--emit", "cl", "--kernel", "Relu"}).out == stage("cl"));
}

TEST_CASE("cli: compile --json sums up what was written") {
  const SmallModel m;
  const CommandResult result = m.run({"compile", m.model(), "-o", m.path("out"), "--json"});
  REQUIRE_MESSAGE(result.code == 0, result.err);
  const json summary = json::parse(result.out);
  CHECK(summary["model"] == m.model());
  CHECK(summary["precision"] == "fp32");
  CHECK(summary["kernels"] == 1);
  CHECK(summary["distinct_kernels"] == 1);
  CHECK(summary["constant_bytes"] == std::filesystem::file_size(m.path("out/constants.bin")));
  CHECK(summary["intermediate_bytes"] == 0);
  CHECK(summary["memory_plan"]["planner"] == "naive");
  CHECK(summary["memory_plan"]["lower_bound"] == 0);
  CHECK(summary["memory_plan"]["planned_bytes"]["offsets"] == 0);
  CHECK(summary["folder"] == m.path("out"));
  CHECK(summary["compile_ms"] > 0.0);
  CHECK(summary["files"].size() == 5);
  for (const json& file : summary["files"])
    CHECK(std::filesystem::exists(m.path("out/" + file.get<std::string>())));
  check_user_error(
      m.run({"compile", m.model(), "--emit", "cl", "--json"}),
      "--json: cannot be combined with --emit, which prints the stage as text; drop one of them");
}

TEST_CASE("cli: bench --seconds tells how the speed holds") {
  const SmallModel m;
  const CommandResult result = m.run({"bench", m.model(), "--seconds", "0.2", "--json"});
  REQUIRE_MESSAGE(result.code == 0, result.err);
  const json report = json::parse(result.out);
  CHECK(report["seconds"] == 0.2);
  REQUIRE(report["over_time"].size() >= 1);
  std::size_t runs = 0;
  for (const json& part : report["over_time"]) {
    CHECK(part["from_s"] < part["to_s"]);
    CHECK(part["median_ms"] > 0.0);
    runs += part["runs"].get<std::size_t>();
  }
  CHECK(report["runs"] == runs);
  CHECK(report["over_time"][0]["speed"] == 1.0);
  CHECK(report["speed_at_end"] == report["over_time"].back()["speed"]);
  CHECK(report["slowest_to_fastest"] >= 1.0);
  check_user_error_like(m.run({"bench", m.model(), "--seconds", "1", "--runs", "20"}), "");
  check_user_error_like(m.run({"bench", m.model(), "--seconds", "0"}), "--seconds");
  check_user_error(m.run({"bench", m.model(), "--seconds", "nan"}),
                   "--seconds nan: expected a number of seconds");
}

TEST_CASE("cli: a model that cannot be used is exit 2 with one line") {
  const CommandLine cli;
  check_user_error_like(cli.run({"run", cli.path("absent.onnx")}), cli.path("absent.onnx") + ": ");
  cli.write("garbage.onnx", "this is no model\n\n\x01\x02");
  check_user_error_like(cli.run({"run", cli.path("garbage.onnx")}), cli.path("garbage.onnx") + ": ");
  cli.write("empty.onnx", "");
  check_user_error_like(cli.run({"compile", cli.path("empty.onnx"), "--emit", "cl"}),
                        cli.path("empty.onnx") + ": ");
  cli.write("lstm.onnx", one_node("LSTM", {1, 4, 4}).proto.SerializeAsString());
  const CommandResult unknown = cli.run({"run", cli.path("lstm.onnx")});
  check_user_error_like(unknown, cli.path("lstm.onnx") + ": ");
  CHECK(unknown.err.find("LSTM") != std::string::npos);
}

TEST_CASE("cli: weights whose file is absent are named, and --random-weights fills them") {
  const CommandLine cli;
  OnnxModel model;
  model.input("x", {1, 8}).node("Add", {"x", "w"}, {"y"}).output("y");
  auto& w = model.initializer("w", {8}, ::onnx::TensorProto::FLOAT);
  w.set_data_location(::onnx::TensorProto::EXTERNAL);
  auto* location = w.add_external_data();
  location->set_key("location");
  location->set_value("weights.bin");
  cli.write("external.onnx", model.proto.SerializeAsString());
  const CommandResult missing = cli.run({"run", cli.path("external.onnx")});
  check_user_error_like(missing, cli.path("external.onnx") + ": ");
  CHECK(missing.err.find("weights.bin") != std::string::npos);
  CHECK(missing.err.find("--random-weights") != std::string::npos);
  CHECK(cli.run({"run", cli.path("external.onnx"), "--random-weights"}).code == 0);
}

TEST_CASE("cli: a device that is not there is exit 2 with one line that lists what there is") {
  const SmallModel m;
  const CommandResult result = m.run({"run", m.model(), "--device", "no such device"});
  check_user_error_like(result, "");
  CHECK(result.err.find("no such device") != std::string::npos);
  check_user_error_like(m.run({"run", m.model()}, {"TENSORDSL_DEVICE=7:9"}), "");
}

TEST_CASE("cli: without any OpenCL platform the processor runs models") {
  const SmallModel m;
  std::filesystem::create_directory(m.path("no-vendors"));
  const std::vector<std::string> variables{"OCL_ICD_VENDORS=" + m.path("no-vendors")};
  const CommandResult devices = m.run({"devices"}, variables);
  CHECK(devices.code == 0);
  CHECK(devices.out.find("host-") != std::string::npos);
  CHECK(m.run({"run", m.model()}, variables).code == 0);
  CHECK(m.run({"run", m.model(), "--device", "host"}).code == 0);
}

TEST_CASE("cli: kernels for the host are shown as LLVM's, and what probes a device asks for OpenCL") {
  const SmallModel m;
  const CommandResult shown = m.run({"compile", m.model(), "--device", "host", "--emit", "cl"});
  CHECK(shown.code == 0);
  CHECK(shown.out.find("define void @") != std::string::npos);
  CHECK(shown.out.find("__kernel") == std::string::npos);
  check_user_error_like(m.run({"profile", "--device", "host", "-o", m.path("profile.json")}),
                        "profile: host-");
}

TEST_CASE("cli: without any OpenCL platform or LLVM, devices and compile work and run says what to install") {
  const SmallModel m;
  std::filesystem::create_directory(m.path("no-vendors"));
  const std::vector<std::string> variables{"OCL_ICD_VENDORS=" + m.path("no-vendors"),
                                           "TENSORDSL_LLVM=/no/such/libLLVM.so"};
  const CommandResult people = m.run({"devices"}, variables);
  CHECK(people.code == 0);
  CHECK(people.out.find("pocl-opencl-icd") != std::string::npos);
  const CommandResult machine = m.run({"devices", "--json"}, variables);
  CHECK(machine.code == 0);
  CHECK(json::parse(machine.out) == json::array());
  const CommandResult run = m.run({"run", m.model()}, variables);
  check_user_error_like(run, "");
  CHECK(run.err.find("pocl-opencl-icd") != std::string::npos);
  CHECK(m.run({"compile", m.model(), "-o", m.path("out")}, variables).code == 0);
}

}  // namespace tensordsl::testing
