// tensordsl-bench: figures of single kernels, each verified before it is timed.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "apps/bench/address_elimination.h"
#include "apps/bench/benchmark.h"
#include "apps/bench/halide/halide.h"
#include "apps/bench/isa/gpu.h"
#include "apps/bench/isa/isa.h"
#include "apps/bench/models.h"
#include "apps/bench/operators/run_operators.h"
#include "apps/bench/phones/phones.h"
#include "apps/bench/search/choices.h"
#include "apps/bench/search/outlines.h"
#include "apps/bench/search/search.h"
#include "apps/bench/search/space.h"
#include "tensordsl/error.h"

namespace {

using namespace tensordsl;
using namespace tensordsl::bench;

constexpr Benchmark kBenchmarks[] = {
    {"sgemm_512", "512x512x512 matrices, f32", sgemm<512, LocalTiles::Adjacent>},
    {"sgemm_1024", "1024x1024x1024 matrices, f32", sgemm<1024, LocalTiles::Adjacent>},
    {"sgemm_2048", "2048x2048x2048 matrices, f32", sgemm<2048, LocalTiles::Adjacent>},
    {"sgemm_4096", "4096x4096x4096 matrices, f32", sgemm<4096, LocalTiles::Adjacent>},
    {"sgemm_2048_interleaved", "2048x2048x2048 matrices, columns of work-items interleaved",
     sgemm<2048, LocalTiles::Interleaved>},
    {"sgemm_4096_interleaved", "4096x4096x4096 matrices, columns of work-items interleaved",
     sgemm<4096, LocalTiles::Interleaved>},
    {"sgemm_2048_swizzled", "2048x2048x2048 matrices, A's tile swizzled", sgemm<2048, LocalTiles::Swizzled>},
    {"sgemm_4096_swizzled", "4096x4096x4096 matrices, A's tile swizzled", sgemm<4096, LocalTiles::Swizzled>},
    {"conv3x3_256x56", "padded 3x3 convolution of [256, 56, 56], 256 output channels, f32", conv3x3_256x56},
    {"layer_56x56x128_3x3",
     "a model's convolution with the schedule that the library chooses: GFLOPS by its definition",
     layer<56, 128, 128, 3>},
    {"layer_56x56x64_3x3", "the same with 64 channels", layer<56, 64, 64, 3>},
    {"layer_28x28x128_3x3", "the same with 28x28 pixels, 128 channels", layer<28, 128, 128, 3>},
    {"layer_14x14x256_3x3", "the same with 14x14 pixels, 256 channels", layer<14, 256, 256, 3>},
    {"layer_56x56x64_256_1x1", "the same with 56x56 pixels, 64 channels to 256, 1x1", layer<56, 64, 256, 1>},
    {"lowering_sgemm", "lowering and emission of sgemm_1024", lowering_sgemm},
    {"lowering_conv3x3", "lowering and emission of a 3x3 convolution with a tile of 4 pixels x 16 channels",
     lowering_conv3x3},
    {"lowering_matmul", "lowering and emission of a matrix product with a tile of 8 x 32", lowering_matmul},
    {"lowering_depthwise",
     "lowering and emission of a depthwise convolution with a tile of 4 pixels x 16 channels",
     lowering_depthwise},
    {"lowering_softmax", "lowering and emission of a softmax in three kernels", lowering_softmax},
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
      throw Error(
          fmt::format("unknown benchmark \"{}\"; the benchmarks are {}", name, fmt::join(known, ", ")));
    found.push_back(it);
  }
  return found;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times single kernels, and verifies each before.", "tensordsl-bench");
  std::vector<std::string> names;
  std::string device;
  bool json = false, peers = false;
  app.add_option("NAME", names, "benchmarks to run; default: all");
  app.add_option("--device", device,
                 "gpu, cpu, PLATFORM:DEVICE or a part of a device's name; default: as for tensordsl");
  app.add_flag("--json", json, "print one JSON object per benchmark");
  app.add_flag("--peers", peers, "also run installed libraries: OpenBLAS, oneDNN, CLBlast");
  bool table = false;
  OperatorOptions operators;
  CLI::App* of_operators = app.add_subcommand(
      "operators",
      "time and check the operators of models one by one; prints their fractions of the roofline");
  of_operators->add_option("MODEL", operators.models, "ONNX models; missing weights are generated")
      ->required()
      ->check(CLI::ExistingFile);
  of_operators->add_option("--op", operators.kinds, "only operators of this kind, such as Conv")
      ->allow_extra_args(false);
  of_operators
      ->add_option("--tries", operators.tries,
                   "number of schedules to time for each operator; the fastest counts")
      ->check(CLI::Range(1, 1000));
  of_operators->add_flag(
      "--peers", operators.peers,
      "also run ONNX Runtime, or on a GPU cuDNN and cuBLAS; needs python3's packages onnxruntime or torch");
  ModelBenchOptions models;
  CLI::App* of_models = app.add_subcommand("models", "time whole models, in milliseconds per run");
  of_models->add_option("MODEL", models.models, "ONNX models; missing weights are generated")
      ->required()
      ->check(CLI::ExistingFile);
  of_models
      ->add_option("--rounds", models.rounds, "number of rounds, each with this library and its peer in turn")
      ->check(CLI::Range(1, 1000));
  of_models->add_option("--runs", models.runs, "in a round")->check(CLI::Range(1, 100000));
  of_models->add_option("--tries", models.tries, "number of schedules to time for each kernel before")
      ->check(CLI::Range(0, 1000));
  of_models->add_flag("--peers", models.peers,
                      "also run ONNX Runtime; needs python3's package onnxruntime and models with weights");
  SearchOptions search;
  CLI::App* of_search = app.add_subcommand(
      "search",
      "search schedules of models' operators; prints the speedup, and the number of trials that it took");
  of_search->add_option("MODEL", search.models, "ONNX models; missing weights are generated")
      ->required()
      ->check(CLI::ExistingFile);
  of_search->add_option("--op", search.kinds, "only operators of this kind, such as Conv")
      ->allow_extra_args(false);
  of_search->add_option("--operators", search.operators, "number of operators, spread evenly over the models")
      ->check(CLI::Range(1, 10000));
  of_search
      ->add_option("--first", search.first, "index of the first operator; with --step, for several processes")
      ->check(CLI::Range(0, 10000));
  of_search->add_option("--step", search.step, "step from one operator to the next")
      ->check(CLI::Range(1, 10000));
  of_search->add_option("--trials", search.trials, "number of trials of each search")
      ->check(CLI::Range(1, 100000));
  of_search->add_option("--seeds", search.seeds, "number of searches of each operator, with different seeds")
      ->check(CLI::Range(1, 1000));
  of_search->add_option("--first-seed", search.first_seed)->check(CLI::Range(1, 1000000));
  of_search->add_option("--explorer", search.explorer, "explorer: model, anneal, genetic or random");
  of_search
      ->add_option("--unpruned", search.unpruned_factor,
                   "also search without pruning, with this many times as many trials")
      ->check(CLI::Range(1, 1000));
  of_search
      ->add_option("--random", search.random,
                   "number of random points of the whole space to time for comparison")
      ->check(CLI::Range(1, 1000000));
  of_search->add_option("--db", search.database,
                        "database to save trials of the pruned searches in; it is not read");
  HalideOptions halide;
  bool no_peer = false;
  CLI::App* of_halide = app.add_subcommand(
      "halide",
      "time pipelines of Halide's repository, and Halide with its GPU schedules on the same driver");
  of_halide->add_option("PIPELINE", halide.pipelines,
                        "blur, unsharp, camera_pipe, local_laplacian, matmul; default: all");
  of_halide->add_option("--scale", halide.scale, "divide the sizes by this number")->check(CLI::Range(1, 64));
  of_halide
      ->add_option("--trials", halide.trials_of_kernel, "number of schedules to time for each kernel before")
      ->check(CLI::Range(0, 100000));
  of_halide->add_option("--runs", halide.runs, "number of timings, each of 20 ms or more")
      ->check(CLI::Range(1, 1000));
  of_halide->add_flag("--no-peer", no_peer, "do not run Halide (python3's package halide)");
  PhoneOptions phones;
  CLI::App* of_phones = app.add_subcommand(
      "phones", "compare predictions for phone GPUs with published times; needs no device");
  of_phones->add_option("PUBLISHED", phones.published, "docs/measurements/published/phones.json")
      ->required()
      ->check(CLI::ExistingFile);
  of_phones->add_option("--models", phones.models, "the folder of the models; default: skip the models")
      ->check(CLI::ExistingDirectory);
  IsaOptions isa;
  CLI::App* of_isa = app.add_subcommand(
      "isa",
      "machine code of kernels by the compilers of mobile GPUs, which scripts/setup --mobile-compilers "
      "installs; it needs no device");
  of_isa->add_option("PLACE", isa.places, "ONNX models, packages or folders of packages, or .cl files")
      ->required()
      ->check(CLI::ExistingPath);
  std::vector<std::string> gpus;
  for (const Gpu& gpu : known_gpus()) gpus.push_back(fmt::format("{} ({})", gpu.name, gpu.about));
  of_isa->add_option("--gpu", isa.gpus, fmt::format("{}; several: --gpu A,B", fmt::join(gpus, ", ")))
      ->required()
      ->delimiter(',')
      ->allow_extra_args(false);
  of_isa->add_option("--profile", isa.profile,
                     "bundled profile that models are compiled for; default: the GPU's");
  of_isa->add_option("--precision", isa.precision, "of models")->check(CLI::IsMember({"fp32", "fp16"}));
  of_isa->add_option("--without", isa.without, "passes of lowering that are left out of models: PASS,PASS")
      ->delimiter(',')
      ->allow_extra_args(false);
  of_isa->add_option("--compare", isa.compare, "place whose kernels are compared with those of PLACE")
      ->check(CLI::ExistingPath);
  of_isa->add_option("--compilers", isa.compilers,
                     "folder of the compilers; default: build/mobile-compilers");
  of_isa->add_flag("--json", isa.json, "one JSON object for each place and GPU");
  OutlineOptions outlines;
  CLI::App* of_outlines = app.add_subcommand(
      "outlines", "compare outlines of random schedules with the kernels that they are lowered to");
  of_outlines->add_option("MODEL", outlines.models, "ONNX models; missing weights are generated")
      ->required()
      ->check(CLI::ExistingFile);
  of_outlines->add_option("--profile", outlines.profile, "hardware profile, bundled or a file")->required();
  of_outlines->add_option("--points", outlines.points, "random points of each strategy of each kernel")
      ->check(CLI::Range(0, 100000));
  of_outlines->add_flag("--all", outlines.prints_all, "print each configuration");
  ChoiceOptions choices;
  CLI::App* of_choices = app.add_subcommand(
      "choices", "price the schedules that compile takes beside the best that a wide search finds");
  of_choices->add_option("MODEL", choices.models, "ONNX models; missing weights are generated")
      ->required()
      ->check(CLI::ExistingFile);
  of_choices->add_option("--profile", choices.profile, "hardware profile, bundled or a file")->required();
  of_choices->add_option("--points", choices.points, "random points of each strategy of each kernel")
      ->check(CLI::Range(0, 100000));
  of_choices->add_flag("--all", choices.prints_all, "print each kernel");
  SpaceOptions space;
  CLI::App* of_space = app.add_subcommand("space",
                                          "schedules of a convolution: how many there are, how many are left "
                                          "after pruning, and how good the best of those is");
  of_space->add_option("--profile", space.profile, "hardware profile; default: that of the device");
  of_space->add_option("--size", space.size, "pixels per row, and number of rows")
      ->check(CLI::Range(1, 4096));
  of_space->add_option("--inputs", space.inputs, "channels")->check(CLI::Range(1, 65536));
  of_space->add_option("--outputs", space.outputs, "channels")->check(CLI::Range(1, 65536));
  of_space->add_option("--kernel", space.kernel, "rows and columns of the filter, padded")
      ->check(CLI::Range(1, 31));
  of_space->add_option("--stride", space.stride)->check(CLI::Range(1, 16));
  of_space
      ->add_option("--random", space.random, "number of points of the whole space to time; 0 needs no device")
      ->check(CLI::Range(0, 1000000));
  of_space
      ->add_option("--lowered", space.lowered,
                   "number of points to lower of those that their outlines keep, for each strategy")
      ->check(CLI::Range(1, 100000));
  of_space->add_option("--survivors", space.survivors, "number of the best remaining points to time")
      ->check(CLI::Range(1, 10000));
  for (CLI::App* command : {of_operators, of_models, of_space, of_search, of_halide, of_phones}) {
    if (command != of_phones) command->add_option("--device", device, "as above");
    command->add_flag("--json", json, "print one JSON object per result");
  }
  std::string texture_kernel;
  int steps = 8;
  std::set<std::string> without;
  app.add_flag("--address-table", table,
               "print the table of address calculations in docs/PERFORMANCE.md; needs Oclgrind");
  app.add_option("--run-texture-kernel", texture_kernel,
                 "run one kernel of the table, for Oclgrind to count its instructions");
  app.add_option("--steps", steps, "iterations of the inner loop of listing5")->check(CLI::Range(1, 1024));
  app.add_option("--without", without, "compiler passes to skip");
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
    if (of_space->parsed() && space.random == 0 && !space.profile.empty()) {
      const SpaceResult result = run_space(space, nullptr);
      fmt::print("{}\n", json ? to_json(result).dump() : to_text(result));
      return 0;
    }
    if (of_isa->parsed()) return run_isa(isa);
    if (of_outlines->parsed()) return run_outlines(outlines);
    if (of_choices->parsed()) return run_choices(choices);
    if (of_phones->parsed()) {
      const PhonesResult result = run_phones(phones);
      fmt::print("{}\n", json ? to_json(result).dump() : to_text(result));
      return 0;
    }
    const auto opened = Device::open(device);
    if (of_space->parsed()) {
      const SpaceResult result = run_space(space, opened.get());
      fmt::print("{}\n", json ? to_json(result).dump() : to_text(result));
      return 0;
    }
    halide.peer = !no_peer;
    if (of_operators->parsed() || of_models->parsed() || of_search->parsed() || of_halide->parsed()) {
      const auto tell = [&](const auto& result) {
        fmt::print("{}\n", json ? to_json(result).dump() : to_text(result));
        std::fflush(stdout);
      };
      const std::string summary = of_operators->parsed() ? summary_of(run_operators(operators, *opened, tell))
                                  : of_search->parsed()  ? summary_of(run_search(search, *opened, tell))
                                  : of_halide->parsed()  ? summary_of(run_halide(halide, *opened, tell))
                                                         : summary_of(run_models(models, *opened, tell));
      if (!json && !summary.empty()) fmt::print("{}\n", summary);
      return 0;
    }
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
