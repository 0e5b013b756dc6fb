// Bytes that the accesses of a kernel touch, and those that reach past a cache.
#pragma once

#include <cstddef>
#include <vector>

#include "predict/kernel_work.h"

namespace tensordsl::predict {

/// Returns the bytes that a work-group touches in one iteration of the loops `depth` deep, by the accesses
/// that `is_counted` takes: 0 for all of the kernel, 1 for an iteration of the outermost loops.
double bytes_of_iteration(const KernelWork& work, std::size_t depth, bool (*is_counted)(const AccessWork&),
                          double line_bytes);

/// Returns the bytes that pass a work-group's private cache of that size, in the whole kernel. Iterations
/// share their footprint if one of them fits the cache.
double bytes_past_unit_cache(const KernelWork& work, const AccessWork& access, double cache_bytes,
                             const std::vector<double>& iteration_bytes, double line_bytes);

/// Returns the bytes that pass a cache that all work-groups share, by all accesses that `is_counted` takes,
/// except accesses to arrays of a work-item. `groups`: work-groups that run at the same time, which share
/// what they read together. If what they touch fits the cache, memory passes it once; else once in each
/// iteration of the loops within which it fits.
double bytes_past_shared_cache(const KernelWork& work, bool (*is_counted)(const AccessWork&),
                               double cache_bytes, double groups, double line_bytes);

}  // namespace tensordsl::predict
