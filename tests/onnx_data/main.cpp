// Runs the cases of ONNX's own data: scripts/onnx-data debian build/release/bin/onnx_conformance
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <fstream>

#include "onnx_data/report.h"
#include "onnx_data/run_in_processes.h"
#include "tensordsl/error.h"

namespace tensordsl::conformance {
namespace {

struct Options {
  std::string data, only, json;
  std::vector<std::string> lists;
  RunOptions run;
};

int run(const Options& options) {
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<Case> cases = find_cases(options.data, options.only);
  const std::vector<Finding> findings = findings_of(cases, run_in_processes(cases, options.run));
  std::fputs(summary(findings).c_str(), stdout);
  for (const std::string& outcome : options.lists) fmt::print("\n{}:\n{}", outcome, list(findings, outcome));
  if (!options.json.empty()) std::ofstream(options.json) << to_json(findings);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  fmt::print("{} cases in {:.1f} s\n", cases.size(), seconds.count());
  return 0;
}

}  // namespace
}  // namespace tensordsl::conformance

int main(int count, char** arguments) try {
  using namespace tensordsl::conformance;
  CLI::App app("Runs the cases of ONNX's own data, and compares what they give");
  Options options;
  app.add_option("--data", options.data, "the folder with node, simple and so on")->required();
  app.add_option("--device", options.run.device, "as tensordsl takes it");
  app.add_option("--only", options.only,
                 "cases in whose name, \"node/test_abs\", the regular expression is found");
  app.add_option("--list", options.lists, "cases that are: passed, refused, wrong, crashed, out of scope");
  app.add_option("--json", options.json, "a file for all results");
  app.add_option("--kernels", options.run.kernels, "about how many are in an OpenCL program")
      ->check(CLI::PositiveNumber);
  app.add_flag("--isolate", options.run.isolate, "every case in an OpenCL program of its own");
  CLI11_PARSE(app, count, arguments);
  return run(options);
} catch (const tensordsl::Error& error) {
  std::fprintf(stderr, "onnx_conformance: %s\n", error.what());
  return 2;
}
