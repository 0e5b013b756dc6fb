#include "graph/winograd/winograd_weights.h"

#include <cmath>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/transform.hpp>
#include <span>

namespace tensordsl::graph {
namespace {

constexpr int kTaps = 3;

/// G w
std::vector<float> weight_points(const WinogradTransforms& transforms, const std::array<float, kTaps>& w) {
  const auto point = [&](const std::vector<float>& row) {
    return row[0] * w[0] + row[1] * w[1] + row[2] * w[2];
  };
  return transforms.weights | ranges::views::transform(point) | ranges::to<std::vector>();
}

}  // namespace

Buffer winograd_weights(const Buffer& weights, const std::array<std::size_t, 4>& at,
                        const WinogradTransforms& transforms) {
  const int points = transforms.points();
  std::array<std::int64_t, 4> strides{};
  std::int64_t stride = 1;
  std::array<std::int64_t, 4> of_dim{};
  for (std::size_t d = 4; d-- > 0;) {
    of_dim[d] = stride;
    stride *= weights.shape()[d];
  }
  for (std::size_t i = 0; i < 4; ++i) strides[i] = of_dim[at[i]];
  const std::int64_t outputs = weights.shape()[at[0]], inputs = weights.shape()[at[1]];
  Buffer result(weights.type(), {points, points, inputs, outputs});
  const std::span<const float> from = weights.as<float>();
  const std::span<float> to = result.as<float>();
  for (std::int64_t k = 0; k < outputs; ++k) {
    for (std::int64_t c = 0; c < inputs; ++c) {
      std::vector<std::array<float, kTaps>> columns(static_cast<std::size_t>(points));
      for (int s = 0; s < kTaps; ++s) {
        std::array<float, kTaps> column{};
        for (int r = 0; r < kTaps; ++r)
          column[r] = from[static_cast<std::size_t>(k * strides[0] + c * strides[1] + r * strides[2] +
                                                    s * strides[3])];
        const std::vector<float> of_column = weight_points(transforms, column);
        for (std::size_t p = 0; p < columns.size(); ++p) columns[p][s] = of_column[p];
      }
      for (int p = 0; p < points; ++p) {
        const std::vector<float> of_row = weight_points(transforms, columns[static_cast<std::size_t>(p)]);
        for (int q = 0; q < points; ++q)
          to[static_cast<std::size_t>(((p * points + q) * inputs + c) * outputs + k)] =
              of_row[static_cast<std::size_t>(q)];
      }
    }
  }
  return result;
}

Buffer take_units(Buffer& points, const WinogradTransforms& transforms) {
  const std::vector<std::int64_t>& shape = points.shape();
  const std::int64_t of_point = shape[2] * shape[3];
  Buffer units(Float(32), {shape[0], shape[1]});
  const std::span<float> values = points.as<float>();
  for (std::int64_t i = 0; i < units.elements(); ++i) {
    const int parts = transforms.units[static_cast<std::size_t>(i / shape[1])] *
                      transforms.units[static_cast<std::size_t>(i % shape[1])];
    units.set(i, 1.0 / parts);
    for (float& value :
         values.subspan(static_cast<std::size_t>(i * of_point), static_cast<std::size_t>(of_point)))
      value = std::round(value * static_cast<float>(parts));
  }
  return units;
}

}  // namespace tensordsl::graph
