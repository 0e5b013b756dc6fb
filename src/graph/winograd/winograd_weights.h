// f(k, c, r, s)   ->   f'(p, q, c, k) = (G f G^T)(p, q)
#pragma once

#include <array>
#include <cstddef>

#include "graph/winograd/winograd_transforms.h"
#include "tensordsl/buffer.h"

namespace tensordsl::graph {

/// `weights`: f32, 3 rows and columns. `at`: its dimensions of output channels, input channels, rows and
/// columns.
Buffer winograd_weights(const Buffer& weights, const std::array<std::size_t, 4>& at,
                        const WinogradTransforms& transforms);

/// Converts the transformed `points` of integer weights to integers exactly, each in the unit of its (p, q).
/// Returns the units, f32 [points, points].
Buffer take_units(Buffer& points, const WinogradTransforms& transforms);

}  // namespace tensordsl::graph
