// 0.3 -0.1 0.2   ->   (3 -1 2)*0.1
// Finds the integers that a constant was computed from.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tensordsl/buffer.h"

namespace tensordsl::graph {

/// w = (q + offset)*s, to the last bit of each w.
struct IntegerForm {
  Buffer integers;  ///< q, as f32
  Type stored_as;   ///< type that holds each q: i8, u8, or i16 if the offsets of one byte differ too much
  int offset = 0;   ///< 0 unless `stored_as` is u8
  std::vector<std::int64_t> runs;  ///< for each dimension, the number of neighbors with one scale; 0: all
  Buffer scales;  ///< f32, along the dimensions with several runs, in order; of one element without such
};

/// Returns the form of f32 `weights` in which |q + offset| is at most 255; nullopt if there is none, or a
/// weight is not finite. The scale of zeros is 1. Other weights are rejected after a few of them, so a call
/// is cheap.
///
/// A weight is q*s in f32, rounded once, so the largest one of a scale is n*s for some n up to 255: each n is
/// tried, and each s whose n-fold rounds to that weight.
std::optional<IntegerForm> integers_of(const Buffer& weights, const std::vector<std::int64_t>& runs);

}  // namespace tensordsl::graph
