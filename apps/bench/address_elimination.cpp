#include "apps/bench/address_elimination.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <sstream>

#include "apps/bench/timing.h"
#include "runtime/host/interpreter.h"
#include "schedule/func_schedule.h"
#include "tensordsl/error.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl::bench {
namespace {

/// A kernel over textures with its arguments.
struct TextureKernel {
  Func output;
  std::map<std::string, std::vector<std::int64_t>> inputs;  ///< shapes, f32
  ParamValues params;
  std::vector<std::int64_t> shape;  ///< of the output
};

/// B = A + 1 over an image whose width only the launch knows: rows and columns come from one linear index by
/// division. Source: Romou (MobiCom 2022), Listing 5.
TextureKernel listing5(int steps) {
  constexpr int kRows = 8, kTiles = 4;
  const Param tiles("tiles");
  const Var y("y"), x("x"), p("p"), xo("xo"), xi("xi"), tile("tile");
  Input a("A", Float(32), {kRows, tiles * steps, 4}, {"y", "x", "p"});
  Func b("B");
  b(y, x, p) = a(y, x, p) + 1.0f;
  a.set_image(Image2D).layout("y | x | p");
  b.set_image(Image2D).layout("y | x | p").bound({kRows, tiles * steps, 4});
  b.split(x, xo, xi, steps).fuse(y, xo, tile).vectorize(p).gpu_tile(tile, 8);
  return {b, {{"A", {kRows, kTiles * steps, 4}}}, {{"tiles", kTiles}}, {kRows, kTiles * steps, 4}};
}

/// Four channels to a texel; a work-item computes a texel of four pixels.
TextureKernel texture_convolution(int size) {
  constexpr int kChannels = 16, kHeight = 8, kWidth = 16;
  const Var c("c"), y("y"), x("x"), co("co"), ci("ci"), xo("xo"), xi("xi"), ro("ro"), ri("ri");
  Input in("in", Float(32), {kChannels, kHeight, kWidth}, {"c", "y", "x"});
  Input weights("weights", Float(32), {kChannels, kChannels, size, size}, {"o", "i", "ky", "kx"});
  const RDom r({{0, size}, {0, size}, {0, kChannels}}, "r");
  const Func padded = BoundaryConditions::zero(in, {Expr(), kHeight, kWidth});
  Func conv("conv"), out("out");
  conv(c, y, x) += padded(r[2], y + r[0] - size / 2, x + r[1] - size / 2) * weights(c, r[2], r[0], r[1]);
  out(c, y, x) = max(conv(c, y, x), 0.0f);
  in.set_image(Image2DArray).layout("c/4 | y | x | c%4");
  weights.set_image(Image2D).layout("i | o/4 ky kx | o%4");
  out.bound({kChannels, kHeight, kWidth}).set_image(Image2DArray).layout("c/4 | y | x | c%4");
  out.split(c, co, ci, 4)
      .split(x, xo, xi, 4)
      .reorder({co, y, xo, xi, ci})
      .vectorize(ci)
      .unroll(xi)
      .gpu_tile(xo, y, co, {4, 2, 1});
  conv.compute_at(out, xo).reorder({y, x, c}).vectorize(c).unroll(x);
  conv.update()
      .split(r[2], ro, ri, 4)
      .reorder({y, r[0], r[1], ro, ri, x, c})
      .unroll(ri)
      .unroll(x)
      .vectorize(c);
  return {out,
          {{"in", {kChannels, kHeight, kWidth}}, {"weights", {kChannels, kChannels, size, size}}},
          {},
          {kChannels, kHeight, kWidth}};
}

TextureKernel texture_depthwise() {
  constexpr int kChannels = 16, kHeight = 8, kWidth = 16;
  const Var c("c"), y("y"), x("x"), co("co"), ci("ci"), xo("xo"), xi("xi");
  Input in("in", Float(32), {kChannels, kHeight, kWidth}, {"c", "y", "x"});
  Input weights("weights", Float(32), {kChannels, 3, 3}, {"c", "ky", "kx"});
  const RDom r({{0, 3}, {0, 3}}, "r");
  const Func padded = BoundaryConditions::zero(in, {Expr(), kHeight, kWidth});
  Func sum("sum"), out("out");
  sum(c, y, x) += padded(c, y + r[0] - 1, x + r[1] - 1) * weights(c, r[0], r[1]);
  out(c, y, x) = sum(c, y, x);
  in.set_image(Image2DArray).layout("c/4 | y | x | c%4");
  weights.set_image(Image2D).layout("c/4 | ky kx | c%4");
  out.bound({kChannels, kHeight, kWidth}).set_image(Image2DArray).layout("c/4 | y | x | c%4");
  out.split(c, co, ci, 4)
      .split(x, xo, xi, 4)
      .reorder({co, y, xo, xi, ci})
      .vectorize(ci)
      .unroll(xi)
      .gpu_tile(xo, y, co, {4, 2, 1});
  sum.compute_at(out, xo).reorder({y, x, c}).vectorize(c).unroll(x);
  sum.update().reorder({y, r[0], r[1], x, c}).unroll(x).vectorize(c);
  return {out,
          {{"in", {kChannels, kHeight, kWidth}}, {"weights", {kChannels, 3, 3}}},
          {},
          {kChannels, kHeight, kWidth}};
}

/// Returns "listing5", "conv1x1", "conv3x3" or "depthwise". `steps` are the iterations of Listing 5's inner
/// loop. Throws Error on another name.
TextureKernel texture_kernel(const std::string& name, int steps) {
  if (name == "listing5") return listing5(steps);
  if (name == "conv1x1") return texture_convolution(1);
  if (name == "conv3x3") return texture_convolution(3);
  if (name == "depthwise") return texture_depthwise();
  throw Error("unknown texture kernel \"" + name +
              "\"; the kernels are listing5, conv1x1, conv3x3 and depthwise");
}

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
        fmt::format("{}\nexited with status {}; address_elimination needs Oclgrind: apt-get install oclgrind",
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
  // Oclgrind's own options are not part of the cache's key, so a program built with others must not be found.
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
