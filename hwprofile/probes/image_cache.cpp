// Measures the caches of images ("texture caches"), and the shape and order in which images are read fastest.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

#include "hwprofile/analysis/level_bandwidth.h"
#include "hwprofile/analysis/peak.h"
#include "hwprofile/probes/cache_sweep.h"
#include "hwprofile/probes/footprint_bandwidth.h"
#include "hwprofile/probes/probes.h"

namespace tensordsl::hwprofile {
namespace {

/// Columns and rows are powers of two; work-items that lie side by side read texels side by side, of a row or
/// of a column.
KernelText image_read_kernel(int channels, bool is_along_rows, int group) {
  const char* coordinate = is_along_rows ? "(int2)(i & (columns - 1), (i >> shift) & (rows - 1))"
                                         : "(int2)((i >> shift) & (columns - 1), i & (rows - 1))";
  std::string reads;
  for (int k = 0; k < 4; ++k) {
    reads += fmt::format("    i = at + {} * step;\n    {} += read_imagef(from, exact, {});\n", k, "abcd"[k],
                         coordinate);
  }
  return {
      "read",
      fmt::format(
          "__kernel void read(__read_only image2d_t from, __global float* restrict to, const int columns, "
          "const int rows, const int shift, "
          "const int apart, const int step, const int rounds) {{\n"
          "  const sampler_t exact = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;\n"
          "  int at = get_group_id(0) * apart + get_local_id(0), i;\n"
          "  float4 a = (float4)(0.0f), b = a, c = a, d = a;\n"
          "  for (int r = 0; r < rounds; ++r) {{\n{}"
          "    at += 4 * step;\n"
          "  }}\n"
          "  a += b + c + d;\n"
          "  if ({} == 12345678.0f) to[0] = 1.0f;\n"
          "}}\n",
          reads, channels == 1 ? "a.x" : sum_of_lanes("a", 4)),
      {group, 1, 1},
      {image_argument("from", Float(32), channels, "columns", "rows"), buffer_argument("to"),
       scalar_argument("columns"), scalar_argument("rows"), scalar_argument("shift"),
       scalar_argument("apart"), scalar_argument("step"), scalar_argument("rounds")}};
}

/// A square, or twice as wide as high.
struct Shape {
  std::int32_t columns = 1, rows = 1, column_bits = 0, row_bits = 0;
};

Shape shape_of(std::int64_t texels) {
  Shape shape;
  for (std::int64_t t = 1; t < texels; t *= 2) {
    if (shape.column_bits <= shape.row_bits) {
      shape.columns *= 2;
      ++shape.column_bits;
    } else {
      shape.rows *= 2;
      ++shape.row_bits;
    }
  }
  return shape;
}

class Images {
 public:
  explicit Images(Bench& bench) : bench_(bench), to_(bench.device().allocate(64)) {}

  FootprintReader reader(std::int64_t bytes, int channels, bool is_along_rows) {
    const Shape shape = shape_of(bytes / 4 / channels);
    auto& image = images_[{bytes, channels}];
    if (!image) {
      image = bench_.device().allocate(
          ImageDescription{ImageKind::Image2D, channels, Float(32), shape.columns, shape.rows, 1});
      // Unwritten memory is, on a CPU, one page of zeros for all texels.
      const std::vector<float> ones(static_cast<std::size_t>(image->description().elements()), 1.0f);
      bench_.device().write(*image, std::as_bytes(std::span(ones)));
    }
    const int group =
        busy_group(bench_, [&](int size) { return image_read_kernel(channels, is_along_rows, size); });
    return {image_read_kernel(channels, is_along_rows, group),
            {image, to_, shape.columns, shape.rows, is_along_rows ? shape.column_bits : shape.row_bits,
             apart_in(bytes / 4 / channels, bench_.info()), std::int32_t{group}},
            16.0 * channels,
            static_cast<double>(bytes)};
  }

 private:
  Bench& bench_;
  std::shared_ptr<DeviceBuffer> to_;
  std::map<std::pair<std::int64_t, int>, std::shared_ptr<DeviceImage>> images_;  // by bytes and channels
};

void measure_image_cache(Bench& bench, std::vector<Curve>& curves) {
  const DeviceInfo& info = bench.info();
  const std::int64_t largest = largest_chase(ChaseMemory::Image, info);
  if (largest < (64 << 10)) return;
  measure_caches(bench, ChaseMemory::Image, 3, curves);
  Images images(bench);
  std::vector<double> footprints;
  for (std::int64_t bytes = 1024; bytes <= largest; bytes *= 2)
    footprints.push_back(static_cast<double>(bytes));
  std::map<double, std::int32_t> rounds, rounds_of_width, rounds_of_order;
  curves.push_back({"bandwidth", "footprint (B)", "GB/s",
                    bench.sweep(
                        footprints,
                        [&](double bytes) {
                          return footprint_bandwidth(
                              bench, images.reader(static_cast<std::int64_t>(bytes), 4, true), rounds[bytes]);
                        },
                        25)});
  // Far more than the first cache holds, or every order is as good.
  const std::int64_t large = std::min<std::int64_t>(largest, info.is_cpu ? 1 << 20 : 16 << 20);
  curves.push_back(
      {"order", "0: along rows, 1: along columns", "GB/s", bench.sweep({0, 1}, [&](double order) {
         return footprint_bandwidth(bench, images.reader(large, 4, order == 0), rounds_of_order[order]);
       })});
  // Last, since not every device has images of one element to a texel.
  constexpr std::int64_t kSmall = 1024;  // bytes, that the first cache holds
  curves.push_back({"width", "elements of a texel", "GB/s", bench.sweep({1, 4}, [&](double channels) {
                      return footprint_bandwidth(bench,
                                                 images.reader(kSmall, static_cast<int>(channels), true),
                                                 rounds_of_width[channels]);
                    })});
}

void analyze_image_cache(const std::vector<Curve>& curves, const DeviceInfo&, HwProfile& profile) {
  profile.image_caches = find_caches(curves).caches;
  if (const Curve* bandwidth = find_curve(curves, "bandwidth"))
    profile.image_gbs = add_bandwidths(profile.image_caches, bandwidth->sweep);
  if (const Curve* width = find_curve(curves, "width")) {
    profile.vector_width.image = find_peak(width->sweep).at;
  }
  if (const Curve* order = find_curve(curves, "order")) {
    if (order->sweep.points.size() != 2) return;
    const Estimate rows = ratio(order->sweep, 0, 1);
    constexpr double kFaster = 1.05;
    profile.image_rows_first =
        BoolMeasurement{rows.median >= 1, rows.low > kFaster || rows.high < 1 / kFaster};
  }
}

}  // namespace

Probe image_cache_probe() {
  return {"image_cache",
          "caches of images: sizes, latencies, line, bandwidths; the texel and the order that read fastest",
          4, measure_image_cache, analyze_image_cache};
}

}  // namespace tensordsl::hwprofile
