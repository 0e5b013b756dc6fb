#include "hwprofile/synthetic_architecture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hwprofile/analysis/first_step.h"
#include "hwprofile/analysis/hierarchy.h"
#include "hwprofile/analysis/spill.h"

namespace tensordsl::hwprofile {
namespace {

constexpr double kLargest = 256 << 20;
constexpr Disturbance kDisturbed;

/// Times go up with noise and with what interrupts; rates go down.
class Meter {
 public:
  explicit Meter(std::mt19937& random) : random_(random) {}

  Sweep times(const std::vector<double>& points, int rounds, const std::function<double(double)>& law) {
    return sweep(points, rounds, [&](double p, double slow) { return law(p) * slow; });
  }
  Sweep rates(const std::vector<double>& points, int rounds, const std::function<double(double)>& law) {
    return sweep(points, rounds, [&](double p, double slow) { return law(p) / slow; });
  }
  /// One time, outside of a sweep.
  double time(double exact) { return exact * disturbance(); }

 private:
  Sweep sweep(const std::vector<double>& points, int rounds,
              const std::function<double(double, double)>& sample) {
    Sweep result{points, {}};
    for (int r = 0; r < rounds; ++r) {
      const double clock = 1 + kDisturbed.drift * (static_cast<double>(r) / std::max(rounds - 1, 1) - 0.5);
      result.rounds.emplace_back();
      for (const double p : points) result.rounds.back().push_back(sample(p, clock * disturbance()));
    }
    return result;
  }
  double disturbance() {
    const double late = share_(random_) < kDisturbed.outliers ? 1 + 2 * share_(random_) : 1;
    return late * std::exp(kDisturbed.noise * normal_(random_));
  }

  std::mt19937& random_;
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> share_;
};

std::vector<double> doubled(double first, double last) { return geometric(first, last, 2); }

std::vector<Curve> cache_curves(Meter& meter, const SyntheticCaches& caches, double unit) {
  std::vector<Curve> curves;
  for (const double region : {128 << 10, 1 << 20, 4 << 20}) {
    // The second of two reads finds the cache line of the first, or not.
    const auto latency = [&](double distance) {
      const double far = caches.latency(region);
      return distance < caches.line ? (far + caches.latencies[0]) / 2 : far;
    };
    curves.push_back({fmt::format("line in {} KiB", static_cast<int>(region) >> 10), "distance (B)",
                      "latency (ns)", meter.times(doubled(unit, 512), 9, latency)});
  }
  const auto latency = [&](double footprint) { return caches.latency(footprint); };
  const auto seen = find_levels(meter.times(footprints_around({}, 1024, kLargest), 3, latency));
  curves.push_back({"latency", "footprint (B)", "latency (ns)",
                    meter.times(footprints_around(seen, 1024, kLargest), 9, latency)});
  curves.push_back({"bandwidth", "footprint (B)", "GB/s",
                    meter.rates(doubled(1024, kLargest), 9,
                                [&](double footprint) { return caches.bandwidth(footprint); })});
  return curves;
}

Curve step_curve(Meter& meter, const std::string& name, double fit, double most) {
  const auto law = [&](double n) { return 3e-4 * std::ceil(n / fit); };
  const auto points = points_around_step([&](double n) { return meter.time(law(n)); }, most);
  return {name, "side by side", "s", meter.times(points, 15, law)};
}

}  // namespace

double SyntheticCaches::misses(double footprint, std::size_t k) const {
  if (is_least_recent) return footprint > bytes[k] ? 1 : 0;
  return std::max(0.0, 1 - bytes[k] / footprint);
}

double SyntheticCaches::latency(double footprint) const {
  double result = latencies[0];
  for (std::size_t k = 0; k < bytes.size(); ++k)
    result += misses(footprint, k) * (latencies[k + 1] - latencies[k]);
  return result;
}

double SyntheticCaches::bandwidth(double footprint) const {
  double time = 1 / bandwidths[0];
  for (std::size_t k = 0; k < bytes.size(); ++k)
    time += misses(footprint, k) * (1 / bandwidths[k + 1] - 1 / bandwidths[k]);
  return 1 / time;
}

DeviceInfo SyntheticArchitecture::info() const {
  DeviceInfo info;
  info.name = "none";
  info.is_gpu = true;
  info.compute_units = units;
  info.local_memory_bytes = 32 << 10;
  info.constant_buffer_bytes = 64 << 10;
  return info;
}

HwProfile SyntheticArchitecture::truth() const {
  const auto figure = [](double value) { return std::optional(Measurement::exact(value)); };
  const auto finding = [](bool value) { return std::optional(BoolMeasurement{value, true}); };
  HwProfile p;
  p.launch_us = figure(launch_us);
  p.launch_enqueue_us = figure(enqueue_us);
  p.launch_completed_us = figure(completed_us + launch_us);
  p.event_resolution_ns = figure(tick_ns);
  p.host_to_device_gbs = figure(to_device_gbs);
  p.device_to_host_gbs = figure(to_host_gbs);
  p.fma_gflops.f32 = figure(f32);
  if (has_f16) p.fma_gflops.f16 = figure(f16);
  p.integer_gops.i32 = figure(i32);
  if (has_i8_dot) p.integer_gops.i8_dot = figure(i8_dot);
  p.integer_cost.divide = figure(divide);
  p.integer_cost.modulo = figure(modulo);
  p.autobroadcast_pays = finding(broadcasts);
  p.autobroadcast_speedup = figure(broadcasts ? 1 : 0.6);
  if (warp > 1) p.warp_size = figure(warp);
  p.compute_units = figure(units);
  p.alus_per_unit = figure(alus);
  p.concurrent_groups = figure(units * groups_of_unit);
  p.registers.per_item = figure(registers + 3);
  p.registers.shared = finding(registers_are_shared);
  p.dram_gbs = figure(read_gbs);
  p.dram_write_gbs = figure(write_gbs);
  p.copy_gbs = figure(copy_gbs);
  p.half_storage_speedup = figure(half_speedup);
  p.dram_latency_ns = figure(buffers.latencies.back());
  for (const auto& [caches, levels] : {std::pair{&buffers, &p.buffer_caches}, {&images, &p.image_caches}}) {
    for (std::size_t k = 0; k < caches->bytes.size(); ++k) {
      levels->push_back({figure(caches->bytes[k]), k == 0 ? figure(caches->line) : std::nullopt,
                         figure(caches->latencies[k]), figure(caches->bandwidths[k])});
    }
  }
  p.vector_width = {figure(buffer_width), figure(image_width)};
  p.image_rows_first = finding(rows_first);
  p.local_memory.on_chip = finding(local_on_chip);
  p.local_memory.latency_ns = figure(local_latency);
  p.local_memory.bandwidth_gbs = figure(local_gbs);
  p.constant_memory.cached_bytes = figure(constant_bytes);
  p.constant_memory.bandwidth_gbs = figure(constant_gbs);
  p.barrier_ns = figure(barrier_ns);
  return p;
}

std::vector<ProbeResult> SyntheticArchitecture::measure(std::mt19937& random) const {
  Meter meter(random);
  std::vector<ProbeResult> results;
  const auto add = [&](const char* probe, std::vector<Curve> curves) {
    // An undisturbed device: its drift is within what a probe's calibration removes.
    const std::vector<Calibration> calibrations{{1, 1}, {1.02, 1.03}};
    results.push_back({probe, {{std::move(curves), calibrations, ""}}});
  };

  const std::vector<double> launches = doubled(1, 256);
  Curve clock{"clock", "steps of a kernel", "ns",
              meter.times(geometric(1, 400, 1.1), 5, [&](double s) { return 2000 + 80 * s; })};
  for (auto& round : clock.sweep.rounds) {
    for (double& ns : round) ns = std::round(tick_ns * std::round(ns / tick_ns));
  }
  add("launch", {{"completed", "launches", "s",
                  meter.times(launches, 25, [&](double n) { return (completed_us + n * launch_us) * 1e-6; })},
                 {"enqueued", "launches", "s",
                  meter.times(launches, 25, [&](double n) { return (0.5 + n * enqueue_us) * 1e-6; })},
                 clock});

  const std::vector<double> sizes = doubled(1 << 14, 32 << 20);
  const auto copied = [](double bytes, double gbs) { return bytes / (2e-5 + bytes / gbs * 1e-9) * 1e-9; };
  add("transfer", {{"to device", "bytes", "GB/s",
                    meter.rates(sizes, 15, [&](double b) { return copied(b, to_device_gbs); })},
                   {"to host", "bytes", "GB/s",
                    meter.rates(sizes, 15, [&](double b) { return copied(b, to_host_gbs); })}});

  const std::vector<double> widths = doubled(1, 16);
  std::vector<Curve> arithmetic;
  const auto add_rate = [&](const char* name, double peak) {
    arithmetic.push_back({name, "elements of a vector", "GFLOPS", meter.rates(widths, 15, [&](double w) {
                            return peak * std::min(1.0, w / buffer_width);
                          })});
  };
  add_rate("f32", f32);
  if (has_f16) add_rate("f16", f16);
  add_rate("i32", i32);
  add_rate("divide", i32 / 2 / divide);
  add_rate("modulo", i32 / 2 / modulo);
  if (has_i8_dot)
    arithmetic.push_back(
        {"i8_dot", "elements of a vector", "Gop/s", meter.rates({1}, 15, [&](double) { return i8_dot; })});
  arithmetic.push_back({"broadcast", "", "GFLOPS", meter.rates({0, 1}, 25, [&](double b) {
                          return f32 * (b == 1 && !broadcasts ? 0.6 : 1);
                        })});
  add("arithmetic", std::move(arithmetic));

  std::vector<double> groups;
  for (int size = 8; size <= 256; size += 8) groups.push_back(size);
  const auto in_step = [&](double size) {
    return 1e-4 + 1e-4 * (warp > 1 ? std::ceil(size / warp) : size / 32);
  };
  add("warp", {{"group size", "work-items of a group", "s", meter.times(groups, 25, in_step)},
               {"branch", "neighbors that go the same way", "s",
                meter.times(doubled(1, 128), 25, [&](double run) { return 3e-4 * (run < warp ? 2 : 1); })}});

  add("parallelism",
      {step_curve(meter, "units", units, 4096), step_curve(meter, "groups", units * groups_of_unit, 1 << 15),
       step_curve(meter, "alus", alus, 1024)});

  const auto spilling = [&](double values) { return 0.5 + 3 * std::max(0.0, 1 - registers / values); };
  const auto seen = find_spill(meter.times(value_counts(std::nullopt), 5, spilling));
  std::vector<Curve> live{
      {"registers", "values of a work-item", "ns", meter.times(value_counts(seen), 9, spilling)}};
  for (const double share : {0.1, 0.25, 0.5, 0.99}) {
    const int values = std::max(8, static_cast<int>(share * registers));
    // A pool for two full groups, of which registers are handed out by eights.
    const double side_by_side =
        registers_are_shared
            ? std::floor(2.0 * (registers + 3) / std::min(registers + 3, (values + 3 + 7) / 8 * 8))
            : 4;
    live.push_back(
        step_curve(meter, fmt::format("groups with {} registers", values), units * side_by_side, 1 << 14));
  }
  add("registers", std::move(live));

  const std::vector<double> loads{4, 8, 16, 32, 64};
  const auto stream = [&](double gbs) {
    return meter.rates(loads, 15, [&, gbs](double g) { return gbs * std::min(1.0, g / 12); });
  };
  add("memory", {{"read", "", "GB/s", stream(read_gbs)},
                 {"write", "", "GB/s", stream(write_gbs)},
                 {"copy", "", "GB/s", stream(copy_gbs)},
                 {"read halves", "", "GB/s", stream(read_gbs * half_speedup / 2)}});

  for (const auto& [name, caches] : {std::pair{"buffer_cache", &buffers}, {"image_cache", &images}}) {
    const bool is_image = caches == &images;
    std::vector<Curve> curves = cache_curves(meter, *caches, is_image ? 16 : 4);
    const double best = is_image ? image_width : buffer_width;
    curves.push_back({"width", "", "GB/s",
                      meter.rates(is_image ? std::vector<double>{1, 4} : widths, 15,
                                  [&](double w) { return 100 * std::min(1.0, w / best); })});
    if (is_image)
      curves.push_back({"order", "", "GB/s", meter.rates({0, 1}, 15, [&](double o) {
                          return (o == 0) == rows_first ? 100.0 : 60.0;
                        })});
    add(name, std::move(curves));
  }

  const std::vector<double> footprints = doubled(512, 32 << 10);
  const double buffer_latency = local_on_chip ? 1.6 * local_latency : local_latency;
  add("local_memory",
      {{"latency", "footprint (B)", "ns", meter.times(footprints, 9, [&](double) { return local_latency; })},
       {"latency of a buffer", "footprint (B)", "ns",
        meter.times(footprints, 9, [&](double) { return buffer_latency; })},
       {"bandwidth", "", "GB/s", meter.rates({1}, 15, [&](double) { return local_gbs; })}});

  const auto constants = [&](double footprint) { return footprint <= constant_bytes ? 20.0 : 60.0; };
  const auto first = find_levels(meter.times(footprints_around({}, 512, 64 << 10), 3, constants));
  add("constant_memory",
      {{"latency", "footprint (B)", "ns", meter.times(footprints_around(first, 512, 64 << 10), 9, constants)},
       {"bandwidth", "", "GB/s", meter.rates({1}, 15, [&](double) { return constant_gbs; })}});
  add("barrier", {{"barriers", "barriers", "s", meter.times({256, 512, 1024, 2048, 4096}, 25, [&](double n) {
                     return 1e-5 + n * barrier_ns * 1e-9;
                   })}});
  return results;
}

SyntheticArchitecture draw_architecture(std::mt19937& random) {
  std::uniform_real_distribution<double> share;
  const auto between = [&](double low, double high) { return low * std::pow(high / low, share(random)); };
  const auto chance = [&] { return share(random) < 0.5; };
  SyntheticArchitecture a;
  a.enqueue_us = between(0.5, 20);
  a.launch_us = a.enqueue_us * between(1, 3);
  a.completed_us = between(2, 50);
  a.tick_ns = std::vector<double>{1, 32, 1000.0 / 19.2, 100, 1000}[random() % 5];
  a.to_device_gbs = between(1, 50);
  a.to_host_gbs = between(1, 50);
  a.f32 = between(20, 1e5);
  a.f16 = a.f32 * between(1, 4);
  a.i32 = a.f32 * between(0.2, 1);
  a.i8_dot = a.f32 * between(1, 8);
  a.divide = between(2, 100);
  a.modulo = between(2, 100);
  a.has_f16 = chance();
  a.has_i8_dot = chance();
  a.broadcasts = chance();
  a.warp = std::vector<int>{1, 16, 32, 64, 128}[random() % 5];
  a.units = static_cast<int>(between(1, 160));
  a.alus = 8 * static_cast<int>(between(1, 64));
  a.groups_of_unit = static_cast<int>(between(2, 64));
  a.registers = static_cast<int>(between(40, 256));
  a.registers_are_shared = chance();
  a.read_gbs = between(5, 3000);
  a.write_gbs = a.read_gbs * between(0.5, 1);
  a.copy_gbs = a.read_gbs * between(0.5, 1);
  a.half_speedup = between(0.8, 2);
  for (SyntheticCaches* caches : {&a.buffers, &a.images}) {
    caches->is_least_recent = chance();
    caches->line = std::vector<double>{32, 64, 128}[random() % 3];
    caches->latencies.push_back(between(1, 50));
    caches->bandwidths.push_back(a.read_gbs * between(4, 10));
    double bytes = between(4 << 10, 64 << 10);
    for (int levels = std::uniform_int_distribution(1, 3)(random); levels > 0 && bytes < (32 << 20);
         --levels) {
      caches->bytes.push_back(bytes);
      caches->latencies.push_back(caches->latencies.back() * between(1.8, 5));
      caches->bandwidths.push_back(caches->bandwidths.back() / between(1.3, 3));
      bytes *= between(12, 40);
    }
  }
  a.buffer_width = std::vector<double>{1, 2, 4, 8, 16}[random() % 5];
  a.image_width = chance() ? 1 : 4;
  a.rows_first = chance();
  a.local_on_chip = chance();
  a.local_latency = between(2, 100);
  a.local_gbs = between(20, 30000);
  a.constant_bytes = between(1 << 10, 32 << 10);
  a.constant_gbs = between(20, 30000);
  a.barrier_ns = between(5, 500);
  return a;
}

}  // namespace tensordsl::hwprofile
