// Runs the cases of ONNX's own data: scripts/onnx-data debian build/release/bin/onnx_conformance
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include "onnx_data/document.h"
#include "onnx_data/expected.h"
#include "onnx_data/report.h"
#include "onnx_data/run_cases.h"
#include "onnx_data/run_in_processes.h"
#include "tensordsl/error.h"

namespace tensordsl::conformance {
namespace {

struct Options {
  std::string data, device, only, json, expect, document;
  std::vector<std::string> driver_faults;
  std::vector<std::string> lists;
  std::size_t batch = 50;
  std::size_t processes = std::clamp(std::thread::hardware_concurrency(), 1U, 4U);
  int timeout = 300;
  bool isolate = false;
};

std::vector<Result> run_all(const std::vector<Case>& cases, const Options& options) {
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < cases.size(); ++i) jobs.push_back({i, i / options.batch, options.isolate});
  const auto work = [&](const std::vector<Job>& some, const Listener& listener) {
    run_cases(cases, some, *Device::open(options.device), listener);
  };
  return run_in_processes(jobs, work, options.processes, std::chrono::seconds(options.timeout));
}

std::string read_text(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// True if the file has the text, or was updated to it.
bool is_current(const std::string& path, const std::string& text) {
  if (read_text(path) == text) return true;
  const char* update = std::getenv("TENSORDSL_UPDATE_DOCS");
  if (update != nullptr && *update != '\0') {
    std::ofstream(path, std::ios::binary) << text;
    return true;
  }
  fmt::print("{} is not current; TENSORDSL_UPDATE_DOCS=1 brings it up to date\n", path);
  return false;
}

bool is_expected(const std::vector<Finding>& findings, const std::string& path,
                 const std::vector<std::string>& driver_faults) {
  const Change change = changes(findings, read_text(path), driver_faults);
  const auto show = [](const char* what, const std::vector<std::string>& names) {
    if (!names.empty()) fmt::print("\n{}:\n  {}\n", what, fmt::join(names, "\n  "));
  };
  show("wrong", change.wrong);
  show("passed before", change.lost);
  show("passes now", change.gained);
  const bool is_right = change.wrong.empty();
  if (change.lost.empty() && change.gained.empty()) return is_right;
  if (std::ranges::any_of(findings, needs_missing_double)) return false;
  return is_current(path, expected_text(findings)) && is_right;
}

int run(const Options& options) {
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<Case> cases = find_cases(options.data, options.only);
  const std::vector<Finding> findings = findings_of(cases, run_all(cases, options));
  std::fputs(summary(findings).c_str(), stdout);
  for (const std::string& outcome : options.lists) fmt::print("\n{}:\n{}", outcome, list(findings, outcome));
  if (!options.json.empty()) std::ofstream(options.json) << to_json(findings);
  bool is_right = true;
  if (!options.expect.empty()) is_right = is_expected(findings, options.expect, options.driver_faults);
  if (!options.document.empty() && std::ranges::none_of(findings, needs_missing_double))
    is_right = is_current(options.document, operators_document(findings)) && is_right;
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  fmt::print("{} cases in {:.1f} s\n", cases.size(), seconds.count());
  return is_right ? 0 : 1;
}

}  // namespace
}  // namespace tensordsl::conformance

int main(int count, char** arguments) try {
  using namespace tensordsl::conformance;
  CLI::App app("Runs the cases of ONNX's own data, and compares what they give");
  Options options;
  app.add_option("--data", options.data, "the folder with node, simple and so on")->required();
  app.add_option("--device", options.device, "as tensordsl takes it");
  auto* only = app.add_option("--only", options.only,
                              "cases in whose name, as \"node/test_abs\", the regular expression is found");
  app.add_option("--list", options.lists, "cases that are: passed, refused, wrong, failed, out of scope")
      ->delimiter(',');
  app.add_option("--json", options.json, "a file for all results");
  app.add_option("--expect", options.expect, "a file with the cases that are to pass")->excludes(only);
  app.add_option("--driver-fault", options.driver_faults,
                 "with --expect: a case that the driver is known to get wrong (docs/HACKING.md)");
  app.add_option("--document", options.document, "docs/OPERATORS.md")->excludes(only);
  app.add_option("--batch", options.batch, "neighbors that share an OpenCL program")
      ->check(CLI::PositiveNumber);
  app.add_option("--processes", options.processes, "that share the batches")->check(CLI::PositiveNumber);
  app.add_option("--timeout", options.timeout, "seconds for a batch")->check(CLI::PositiveNumber);
  app.add_flag("--isolate", options.isolate, "every case in an OpenCL program of its own");
  CLI11_PARSE(app, count, arguments);
  return run(options);
} catch (const tensordsl::Error& error) {
  std::fprintf(stderr, "onnx_conformance: %s\n", error.what());
  return 2;
}
