// tensordsl-bench: figures of single kernels, each verified before it is timed.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "apps/bench/address_elimination.h"
#include "apps/bench/benchmark.h"
#include "tensordsl/error.h"

namespace {

using namespace tensordsl;
using namespace tensordsl::bench;

constexpr Benchmark kBenchmarks[] = {
    {"sgemm_512", "512x512x512 matrices, f32", sgemm<512, LocalTiles::Adjacent>},
    {"sgemm_1024", "1024x1024x1024 matrices, f32", sgemm<1024, LocalTiles::Adjacent>},
    {"sgemm_2048", "2048x2048x2048 matrices, f32", sgemm<2048, LocalTiles::Adjacent>},
    {"sgemm_4096", "4096x4096x4096 matrices, f32", sgemm<4096, LocalTiles::Adjacent>},
    {"sgemm_2048_interleaved", "the same, columns of work-items interleaved",
     sgemm<2048, LocalTiles::Interleaved>},
    {"sgemm_4096_interleaved", "the same, columns of work-items interleaved",
     sgemm<4096, LocalTiles::Interleaved>},
    {"sgemm_2048_swizzled", "the same, A's tile swizzled", sgemm<2048, LocalTiles::Swizzled>},
    {"sgemm_4096_swizzled", "the same, A's tile swizzled", sgemm<4096, LocalTiles::Swizzled>},
    {"conv3x3_256x56", "padded 3x3 convolution of [256, 56, 56], 256 output channels, f32", conv3x3_256x56},
    {"lowering_sgemm", "lowering and emission of sgemm_1024", lowering_sgemm},
    {"lowering_conv3x3", "the same of a 3x3 convolution with a tile of 4 pixels x 16 channels",
     lowering_conv3x3},
    {"lowering_matmul", "the same of a matrix product with a tile of 8 x 32", lowering_matmul},
    {"lowering_depthwise", "the same of a depthwise convolution with a tile of 4 pixels x 16 channels",
     lowering_depthwise},
    {"lowering_softmax", "the same of a softmax in three kernels", lowering_softmax},
    {"address_elimination", "integer operations that hoist_addresses saves in Romou's Listing 5",
     address_elimination},
};

nlohmann::ordered_json to_json(const Benchmark& benchmark, const Context& context, const Result& result) {
  nlohmann::ordered_json report{{"name", benchmark.name},     {"device", context.device.info().name},
                                {"value", result.value},      {"unit", result.unit},
                                {"fma_peak_gflops", nullptr}, {"peak_fraction", nullptr},
                                {"checked", result.checked}};
  if (result.fma_peak_gflops) {
    report["fma_peak_gflops"] = *result.fma_peak_gflops;
    report["peak_fraction"] = result.value / *result.fma_peak_gflops;
  }
  for (const Peer& peer : result.peers) report["peers"][peer.name] = peer.value;
  return report;
}

void print(const Benchmark& benchmark, const Result& result) {
  fmt::print("{:<20} {:>10.2f} {}", benchmark.name, result.value, result.unit);
  if (result.fma_peak_gflops)
    fmt::print(", {:.1f} % of the multiply-add peak", 100 * result.value / *result.fma_peak_gflops);
  for (const Peer& peer : result.peers) fmt::print("; {} {:.2f}", peer.name, peer.value);
  fmt::print("\n");
}

std::vector<const Benchmark*> chosen(const std::vector<std::string>& names) {
  std::vector<const Benchmark*> found;
  std::vector<std::string> known;
  for (const Benchmark& b : kBenchmarks) {
    known.emplace_back(b.name);
    if (names.empty()) found.push_back(&b);
  }
  for (const std::string& name : names) {
    const auto it = std::find_if(std::begin(kBenchmarks), std::end(kBenchmarks),
                                 [&](const Benchmark& b) { return name == b.name; });
    if (it == std::end(kBenchmarks))
      throw Error(fmt::format("there is no benchmark \"{}\"; there are {}", name, fmt::join(known, ", ")));
    found.push_back(it);
  }
  return found;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times single kernels, each verified first.", "tensordsl-bench");
  std::vector<std::string> names;
  std::string device;
  bool json = false, peers = false;
  app.add_option("NAME", names, "the benchmarks; all if none is named");
  app.add_option("--device", device,
                 "\"gpu\", \"cpu\", P:D or a part of a name; the default as for tensordsl");
  app.add_flag("--json", json, "one JSON object for each");
  app.add_flag("--peers", peers, "run the libraries that are installed beside: OpenBLAS, oneDNN, CLBlast");
  bool table = false;
  std::string texture_kernel;
  int steps = 8;
  std::set<std::string> without;
  app.add_flag("--address-table", table,
               "print the table of address calculations in docs/PERFORMANCE.md; needs Oclgrind");
  app.add_option("--run-texture-kernel", texture_kernel,
                 "run one of the table's kernels, for Oclgrind to count");
  app.add_option("--steps", steps, "iterations of its inner loop, of listing5")->check(CLI::Range(1, 1024));
  app.add_option("--without", without, "passes that it is compiled without");
  CLI11_PARSE(app, argc, argv);
  try {
    if (table) {
      fmt::print("{}", address_table());
      return 0;
    }
    if (!texture_kernel.empty()) {
      run_texture_kernel(texture_kernel, steps, without);
      return 0;
    }
    const auto opened = Device::open(device);
    const Context context{*opened, peers};
    for (const Benchmark* benchmark : chosen(names)) {
      const Result result = benchmark->run(context);
      if (json) {
        fmt::print("{}\n", to_json(*benchmark, context, result).dump());
      } else {
        print(*benchmark, result);
      }
    }
  } catch (const std::exception& e) {
    fmt::print(stderr, "tensordsl-bench: {}\n", e.what());
    return 1;
  }
  return 0;
}
