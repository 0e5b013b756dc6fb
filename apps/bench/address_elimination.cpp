#include "apps/bench/address_elimination.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <sstream>

#include "apps/bench/texture_kernels.h"
#include "apps/bench/timing.h"
#include "runtime/host/interpreter.h"
#include "schedule/schedule.h"
#include "tensordsl/error.h"

namespace tensordsl::bench {
namespace {

std::string output_of(const std::string& command) {
  struct Close {
    void operator()(FILE* pipe) const { pclose(pipe); }
  };
  FILE* opened = popen((command + " 2>&1").c_str(), "r");
  if (!opened) throw Error("cannot start " + command);
  std::unique_ptr<FILE, Close> pipe(opened);
  std::string text;
  char part[4096];
  while (const std::size_t bytes = std::fread(part, 1, sizeof part, pipe.get())) text.append(part, bytes);
  const int status = pclose(pipe.release());
  if (status != 0)
    throw Error(
        fmt::format("{}\nended with status {}; address_elimination needs Oclgrind: apt-get install oclgrind",
                    text, status));
  return text;
}

/// Integer operations in Oclgrind's histogram, whose lines read "1,024 - add".
std::int64_t address_operations(const std::string& histogram) {
  static const std::set<std::string> counted{"add",  "sub", "mul",  "sdiv", "udiv", "srem",
                                             "urem", "shl", "lshr", "ashr", "and"};
  std::istringstream lines(histogram);
  std::string line;
  std::int64_t sum = 0;
  bool found = false;
  while (std::getline(lines, line)) {
    const auto dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    std::string digits;
    for (const char ch : line.substr(0, dash)) {
      if (ch >= '0' && ch <= '9') digits += ch;
    }
    if (digits.empty()) continue;
    found = true;
    if (counted.contains(line.substr(dash + 3))) sum += std::stoll(digits);
  }
  if (!found) throw Error("Oclgrind printed no instruction counts:\n" + histogram);
  return sum;
}

struct Variant {
  std::string kernel;
  int steps = 8;
  bool is_optimized = false;  // by the simulator's compiler
  std::set<std::string> without;
};

std::int64_t count(const Variant& v) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  // Oclgrind's own options are no part of the cache's key, so a program built with others must not be found.
  const auto cache = std::filesystem::temp_directory_path() / fmt::format("tensordsl-bench-{}", getpid());
  const std::string histogram = output_of(
      fmt::format("TENSORDSL_CACHE_DIR='{}' TENSORDSL_DEVICE=Oclgrind oclgrind --inst-counts {} '{}' "
                  "--run-texture-kernel {} --steps {} {}{}",
                  cache.string(), v.is_optimized ? "" : "--build-options -cl-opt-disable", self, v.kernel,
                  v.steps, v.without.empty() ? "" : "--without ", fmt::join(v.without, " ")));
  std::filesystem::remove_all(cache);
  return address_operations(histogram);
}

const std::set<std::string> kAddresses{"hoist_addresses"}, kLoadsToo{"hoist_addresses", "coalesce_loads"},
    kStrengthToo{"hoist_addresses", "coalesce_loads", "reduce_strength"};

}  // namespace

void run_texture_kernel(const std::string& name, int steps, const std::set<std::string>& without) {
  const TextureKernel kernel = texture_kernel(name, steps);
  std::map<std::string, Buffer> inputs;
  for (const auto& [input, shape] : kernel.inputs)
    inputs.emplace(input, test_data(shape, static_cast<int>(inputs.size())));
  Pipeline pipeline(kernel.output);
  for (const std::string& pass : without) pipeline.disable_pass(pass);
  const Buffer found = pipeline.realize(inputs, *Device::open(), kernel.params);
  const Buffer expected = runtime::interpret(kernel.output.shared(), kernel.shape, {inputs, kernel.params});
  for (std::int64_t i = 0; i < found.elements(); ++i) {
    if (std::abs(found.get(i) - expected.get(i)) > 1e-4)
      throw Error(fmt::format("{}: element {} is {}, expected {}", name, i, found.get(i), expected.get(i)));
  }
}

Result address_elimination(const Context&) {
  // Between two lengths of the inner loop only its iterations differ.
  const auto per_iteration = [](const std::set<std::string>& without) {
    return static_cast<double>(count({"listing5", 16, false, without}) -
                               count({"listing5", 8, false, without}));
  };
  return {per_iteration(kAddresses) / per_iteration({}), "times fewer", std::nullopt, true};
}

std::string address_table() {
  std::string table =
      "| kernel | compiler | none | strength reduced | loads shared | addresses too | fewer "
      "|\n|---|---|---|---|---|---|---|\n";
  for (const char* kernel : {"listing5", "conv1x1", "conv3x3", "depthwise"}) {
    for (const bool is_optimized : {false, true}) {
      const auto none = count({kernel, 8, is_optimized, kStrengthToo}),
                 reduced = count({kernel, 8, is_optimized, kLoadsToo}),
                 loads = count({kernel, 8, is_optimized, kAddresses}),
                 both = count({kernel, 8, is_optimized, {}});
      table += fmt::format("| {} | {} | {} | {} | {} | {} | {:.1f}x |\n", kernel,
                           is_optimized ? "optimizes" : "-cl-opt-disable", none, reduced, loads, both,
                           static_cast<double>(none) / static_cast<double>(both));
    }
  }
  return table;
}

}  // namespace tensordsl::bench
