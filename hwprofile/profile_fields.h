// The list of all fields of a profile, which reading, writing, the schema and the table at the end of a run
// share.
#pragma once

#include "tensordsl/hw_profile.h"

namespace tensordsl::hwprofile {

/// Calls v.field(name, unit, member) for each figure and finding, v.group(name, [&] { ... }) around the
/// fields of a nested struct, v.levels(name, list) for a list of caches, and v.steps(name, list) for steps of
/// occupancy. `Profile` is HwProfile or const HwProfile.
template <typename Profile, typename Visitor>
void visit_fields(Profile& p, Visitor& v) {
  v.text("device", p.device);
  v.text("driver", p.driver);
  v.texts("sources", p.sources);
  v.group("registers", [&] {
    v.field("per_item", "", p.registers.per_item);
    v.field("pool", "", p.registers.pool);
    v.field("shared", "", p.registers.shared);
    v.steps("occupancy", p.registers.occupancy);
  });
  v.field("warp_size", "", p.warp_size);
  v.field("compute_units", "", p.compute_units);
  v.field("alus_per_unit", "", p.alus_per_unit);
  v.field("concurrent_groups", "", p.concurrent_groups);
  v.group("fma_gflops", [&] {
    v.field("f32", "GFLOPS", p.fma_gflops.f32);
    v.field("f16", "GFLOPS", p.fma_gflops.f16);
  });
  v.field("matrix_gflops", "GFLOPS", p.matrix_gflops);
  v.group("integer_gops", [&] {
    v.field("i32", "Gop/s", p.integer_gops.i32);
    v.field("i8_dot", "Gop/s", p.integer_gops.i8_dot);
  });
  v.group("integer_cost", [&] {
    v.field("divide", "multiply-adds", p.integer_cost.divide);
    v.field("modulo", "multiply-adds", p.integer_cost.modulo);
  });
  v.levels("buffer_caches", p.buffer_caches);
  v.levels("image_caches", p.image_caches);
  v.group("local_memory", [&] {
    v.field("bytes", "B", p.local_memory.bytes);
    v.field("on_chip", "", p.local_memory.on_chip);
    v.field("bandwidth_gbs", "GB/s", p.local_memory.bandwidth_gbs);
    v.field("latency_ns", "ns", p.local_memory.latency_ns);
  });
  v.group("constant_memory", [&] {
    v.field("bytes", "B", p.constant_memory.bytes);
    v.field("cached_bytes", "B", p.constant_memory.cached_bytes);
    v.field("bandwidth_gbs", "GB/s", p.constant_memory.bandwidth_gbs);
  });
  v.field("dram_gbs", "GB/s", p.dram_gbs);
  v.field("dram_write_gbs", "GB/s", p.dram_write_gbs);
  v.field("copy_gbs", "GB/s", p.copy_gbs);
  v.field("dram_latency_ns", "ns", p.dram_latency_ns);
  v.field("image_gbs", "GB/s", p.image_gbs);
  v.field("launch_us", "us", p.launch_us);
  v.field("launch_enqueue_us", "us", p.launch_enqueue_us);
  v.field("launch_completed_us", "us", p.launch_completed_us);
  v.field("event_resolution_ns", "ns", p.event_resolution_ns);
  v.field("host_to_device_gbs", "GB/s", p.host_to_device_gbs);
  v.field("device_to_host_gbs", "GB/s", p.device_to_host_gbs);
  v.field("barrier_ns", "ns", p.barrier_ns);
  v.group("vector_width", [&] {
    v.field("buffer", "", p.vector_width.buffer);
    v.field("image", "", p.vector_width.image);
  });
  v.field("autobroadcast_pays", "", p.autobroadcast_pays);
  v.field("autobroadcast_speedup", "x", p.autobroadcast_speedup);
  v.field("unrolls_loops", "", p.unrolls_loops);
  v.field("instruction_cache", "", p.instruction_cache);
  v.field("image_rows_first", "", p.image_rows_first);
  v.field("half_storage_speedup", "x", p.half_storage_speedup);
  v.numbers("sub_group_sizes", p.sub_group_sizes);
}

template <typename Level, typename Visitor>
void visit_fields_of_level(Level& level, Visitor& v) {
  v.field("bytes", "B", level.bytes);
  v.field("line_bytes", "B", level.line_bytes);
  v.field("latency_ns", "ns", level.latency_ns);
  v.field("bandwidth_gbs", "GB/s", level.bandwidth_gbs);
}

}  // namespace tensordsl::hwprofile
