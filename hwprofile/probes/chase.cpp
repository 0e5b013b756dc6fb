#include "hwprofile/probes/chase.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "tensordsl/error.h"

namespace tensordsl::hwprofile {
namespace {

constexpr std::int64_t kTexelBytes = 16;
constexpr double kLeastOfLong = 0.01;  // smallest difference, as a share of a long walk
constexpr int kLocalGroup = 64;        // work-items that fill local memory; one of them walks

/// Steps of the walk; eight of them to a round of the loop, so that the loop costs little.
std::string walk(const std::string& next) {
  std::string eight;
  for (int i = 0; i < 8; ++i) eight += "    " + next + "\n";
  return "  for (int i = 0; i < steps; i += 8) {\n" + eight + "  }\n";
}

/// `filling`: the work-items that fill local memory.
KernelText chase_kernel(ChaseMemory memory, const DeviceInfo& info, int filling) {
  const std::string rest = "__global int* restrict end, const int steps, const int start";
  switch (memory) {
    case ChaseMemory::Buffer:
    case ChaseMemory::Constant:
      return {
          "chase",
          fmt::format("__kernel void chase(__{} const int* restrict chain, {}) {{\n"
                      "  int at = start;\n{}"
                      "  end[0] = at;\n}}\n",
                      memory == ChaseMemory::Buffer ? "global" : "constant", rest, walk("at = chain[at];")),
          {1, 1, 1},
          {buffer_argument("chain"), buffer_argument("end"), scalar_argument("steps"),
           scalar_argument("start")}};
    case ChaseMemory::Image:
      return {
          "chase",
          fmt::format(
              "__kernel void chase(__read_only image2d_t chain, {}, const int columns, const int rows) {{\n"
              "  const sampler_t exact = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | "
              "CLK_FILTER_NEAREST;\n"
              "  int4 at = (int4)(start % columns, start / columns, 0, 0);\n{}"
              "  end[0] = at.x + at.y;\n}}\n",
              rest, walk("at = read_imagei(chain, exact, at.xy);")),
          {1, 1, 1},
          {image_argument("chain", Int(32), 4, "columns", "rows"), buffer_argument("end"),
           scalar_argument("steps"), scalar_argument("start"), scalar_argument("columns"),
           scalar_argument("rows")}};
    case ChaseMemory::Local:
      return {"chase",
              fmt::format("__kernel void chase(__global const int* restrict chain, {}, const int ints) {{\n"
                          "  __local int tile[{}];\n"
                          "  for (int i = get_local_id(0); i < ints; i += {}) tile[i] = chain[i];\n"
                          "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                          "  if (get_local_id(0) == 0) {{\n"
                          "  int at = start;\n{}"
                          "  end[0] = at;\n  }}\n}}\n",
                          rest, largest_chase(ChaseMemory::Local, info) / 4, filling, walk("at = tile[at];")),
              {filling, 1, 1},
              {buffer_argument("chain"), buffer_argument("end"), scalar_argument("steps"),
               scalar_argument("start"), scalar_argument("ints")}};
  }
  throw InternalError("a chase through no memory");
}

constexpr int kWarmItems = 64;

/// All work-items read everything once, so that shared caches hold as much of it as fits.
KernelText warm_kernel(ChaseMemory memory, int group) {
  if (memory == ChaseMemory::Image) {
    return {"warm",
            "__kernel void warm(__read_only image2d_t chain, __global int* restrict end, const int step, "
            "const int columns, const int rows) {\n"
            "  const sampler_t exact = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;\n"
            "  int sum = 0;\n"
            "  for (int i = get_global_id(0); i < columns * rows; i += step) sum += read_imagei(chain, "
            "exact, (int2)(i % columns, i / columns)).x;\n"
            "  if (sum == 12345678) end[0] = sum;\n"
            "}\n",
            {group, 1, 1},
            {image_argument("chain", Int(32), 4, "columns", "rows"), buffer_argument("end"),
             scalar_argument("step"), scalar_argument("columns"), scalar_argument("rows")}};
  }
  return {
      "warm",
      "__kernel void warm(__global const int* restrict chain, __global int* restrict end, const int step, "
      "const int ints) {\n"
      "  int sum = 0;\n"
      "  for (int i = get_global_id(0) * 8; i < ints; i += step * 8) sum += chain[i];\n"
      "  if (sum == 12345678) end[0] = sum;\n"
      "}\n",
      {group, 1, 1},
      {buffer_argument("chain"), buffer_argument("end"), scalar_argument("step"), scalar_argument("ints")}};
}

template <typename T>
void shuffle(std::span<T> values, std::mt19937& random) {
  for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[random() % i]);
}

/// The numbers of blocks of `size` of `count` things, shuffled.
std::vector<std::int64_t> shuffled_blocks(std::int64_t count, std::int64_t size, std::mt19937& random) {
  std::vector<std::int64_t> blocks(static_cast<std::size_t>((count + size - 1) / size));
  std::iota(blocks.begin(), blocks.end(), 0);
  shuffle(std::span(blocks), random);
  return blocks;
}

}  // namespace

ChaseImage image_of(std::int64_t bytes, const DeviceInfo& info) {
  constexpr std::int64_t kNarrow = 64;
  const std::int64_t texels = bytes / kTexelBytes;
  std::int64_t columns = std::min(kNarrow, texels);
  while (columns < info.image_limits.width && (texels + columns - 1) / columns > info.image_limits.height) {
    columns = std::min(2 * columns, info.image_limits.width);
  }
  return {columns, (texels + columns - 1) / columns};
}

std::int64_t largest_chase(ChaseMemory memory, const DeviceInfo& info) {
  const std::int64_t room = std::min(info.max_allocation_bytes, info.global_memory_bytes / 64);
  switch (memory) {
    case ChaseMemory::Buffer:
      return std::min<std::int64_t>(info.is_cpu ? 64 << 20 : 256 << 20, room);
    // A CPU reads images by calls of functions.
    case ChaseMemory::Image: {
      if (!info.has_images) return 0;
      // A square of a power of two, which readers of images want, has room within both limits.
      constexpr std::int64_t kMaxSide = 1 << 15;
      const std::int64_t limit = std::min({info.image_limits.width, info.image_limits.height, kMaxSide});
      std::int64_t side = 1;
      while (2 * side <= limit) side *= 2;
      return std::min(
          {std::int64_t{info.is_cpu ? 16 << 20 : 256 << 20}, room, side * side * kTexelBytes / 4});
    }
    case ChaseMemory::Constant:
      return std::min({info.constant_buffer_bytes, info.max_allocation_bytes,
                       std::int64_t{info.is_cpu ? 1 << 20 : 8 << 20}});
    // Some drivers keep a little of it for themselves.
    case ChaseMemory::Local:
      return std::min<std::int64_t>(info.local_memory_bytes * 31 / 32 / 16 * 16, 1 << 20);
  }
  throw InternalError("a chase through no memory");
}

std::vector<std::int64_t> shuffled(std::int64_t bytes, std::int64_t stride) {
  constexpr std::int64_t kPage = 4096, kLargePage = 2 << 20;  // sizes that one entry of a TLB covers
  std::mt19937 random(1);
  const std::int64_t count = bytes / stride, of_page = std::max<std::int64_t>(kPage / stride, 1);
  const std::vector<std::int64_t> in_page = shuffled_blocks(of_page, 1, random);
  const std::int64_t pages = (count + of_page - 1) / of_page;
  std::vector<std::int64_t> order;
  order.reserve(static_cast<std::size_t>(count));
  for (const std::int64_t large : shuffled_blocks(pages, kLargePage / kPage, random)) {
    const std::int64_t first_page = large * (kLargePage / kPage);
    for (const std::int64_t small :
         shuffled_blocks(std::min(pages - first_page, kLargePage / kPage), 1, random)) {
      for (const std::int64_t place : in_page) {
        const std::int64_t i = (first_page + small) * of_page + place;
        if (i < count) order.push_back(i * stride);
      }
    }
  }
  return order;
}

Chase::Chase(Bench& bench, ChaseMemory memory, const std::vector<std::int64_t>& order, std::int64_t bytes)
    : bench_(bench),
      memory_(memory),
      bytes_(bytes),
      nodes_(static_cast<std::int64_t>(order.size())),
      end_(bench.device().allocate(64)) {
  const bool is_image = memory == ChaseMemory::Image;
  const std::int64_t unit = is_image ? kTexelBytes : 4;
  if (is_image) shape_ = image_of(bytes, bench.info());
  const std::int64_t ints = is_image ? shape_.columns * shape_.rows * 4 : bytes / 4;
  std::vector<std::int32_t> chain(static_cast<std::size_t>(ints), 0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::int64_t from = order[i] / unit, to = order[(i + 1) % order.size()] / unit;
    if (is_image) {
      chain[static_cast<std::size_t>(from * 4)] = static_cast<std::int32_t>(to % shape_.columns);
      chain[static_cast<std::size_t>(from * 4 + 1)] = static_cast<std::int32_t>(to / shape_.columns);
    } else {
      chain[static_cast<std::size_t>(from)] = static_cast<std::int32_t>(to);
    }
  }
  constexpr std::size_t kStarts = 64;
  for (std::size_t s = 0; s < kStarts; ++s)
    starts_.push_back(static_cast<std::int32_t>(order[random_() % order.size()] / unit));
  const auto data = std::as_bytes(std::span(chain));
  if (is_image) {
    image_ = bench.device().allocate(
        ImageDescription{ImageKind::Image2D, 4, Int(32), shape_.columns, shape_.rows, 1});
    bench.device().write(*image_, data);
  } else {
    chain_ = bench.device().allocate(data.size());
    bench.device().write(*chain_, data);
  }
}

double Chase::latency() {
  // Walking the chain, if it is not too long, warms the caches. The private caches of a GPU's compute unit
  // are small, and its latencies long; the cores of a CPU keep all that they read.
  const bool is_cpu = bench_.info().is_cpu;
  const std::int64_t whole = is_cpu ? 1 << 24 : 1 << 14;
  // If a walk runs on another core than the last one, its first round misses the private caches; the other
  // rounds have to outweigh it. A chain that is too long for these caches is equally far from every core.
  constexpr double kMiss = 1e-7, kOutweighs = 2, kOfOneCore = 1 << 17;
  const double long_enough =
      std::max(5e-4, is_cpu ? kOutweighs * kMiss * std::min(static_cast<double>(nodes_), kOfOneCore) : 0.0);
  if (nodes_ > whole) return latency_of_parts();
  const std::int64_t few = (nodes_ + 7) / 8 * 8;
  const std::int32_t start = starts_[random_() % starts_.size()];
  // The result is the difference of a long and a short walk. An interruption of the short walk would make it
  // too small, or negative.
  const double short_walk = std::min(seconds(few, start), seconds(few, start));
  double long_walk = seconds(few + measured_, start);
  for (; long_walk - short_walk < long_enough && measured_ < (1 << 24); measured_ *= 2) {
    long_walk = seconds(few + 2 * measured_, start);
  }
  return std::max(long_walk - short_walk, kLeastOfLong * long_walk) / static_cast<double>(measured_) * 1e9;
}

double Chase::latency_of_parts() {
  constexpr int kParts = 8;
  constexpr std::int64_t kSteps = 1024, kNone = 8;
  warm();
  double all = 0;
  for (int part = 0; part < kParts; ++part) {
    const std::int32_t start = starts_[random_() % starts_.size()];
    const double walk = seconds(kSteps, start), launch = seconds(kNone, start);
    all += std::max(walk - launch, kLeastOfLong * walk);
  }
  return all / static_cast<double>(kParts * (kSteps - kNone)) * 1e9;
}

std::vector<KernelArgumentValue> Chase::arguments(std::int32_t a, std::int32_t b) const {
  if (image_)
    return {image_,
            end_,
            a,
            b,
            static_cast<std::int32_t>(shape_.columns),
            static_cast<std::int32_t>(shape_.rows)};
  if (memory_ == ChaseMemory::Local) return {chain_, end_, a, b, static_cast<std::int32_t>(bytes_ / 4)};
  return {chain_, end_, a, b};
}

double Chase::seconds(std::int64_t steps, std::int32_t start) {
  Launch launch;
  const auto text_of = [&](int group) { return chase_kernel(memory_, bench_.info(), group); };
  launch.kernel =
      bench_.kernel(text_of(memory_ == ChaseMemory::Local ? bench_.largest_group(text_of, kLocalGroup) : 1));
  launch.arguments = arguments(static_cast<std::int32_t>(steps), start);
  return bench_.seconds_of(launch);
}

void Chase::warm() {
  const std::int64_t groups = std::int64_t{bench_.info().compute_units} * 4;
  const int group = bench_.largest_group([&](int size) { return warm_kernel(memory_, size); }, kWarmItems);
  const auto step = static_cast<std::int32_t>(groups * group);
  Launch launch;
  launch.kernel = bench_.kernel(warm_kernel(memory_, group));
  launch.groups = {groups, 1, 1};
  if (image_) {
    launch.arguments = {image_, end_, step, static_cast<std::int32_t>(shape_.columns),
                        static_cast<std::int32_t>(shape_.rows)};
  } else {
    launch.arguments = {chain_, end_, step, static_cast<std::int32_t>(bytes_ / 4)};
  }
  bench_.seconds_of(launch);
}

}  // namespace tensordsl::hwprofile
