#include <limits>

#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"

namespace tensordsl::ops::definitions {
namespace {

/// A float of a dimension of a region, as arithmetic has it.
Expr as_float(const OperatorOperands& operands, const Size& value) {
  return number(operands.infos[0].type == Float(64) ? Float(64) : Float(32), value);
}

/// RoiAlign along one dimension: bin `place` has count() samples.
struct RoiAxis {
  Size extent;
  Expr start;      // of the bin
  Expr bin, grid;  // its size, and how many samples it has, as floats
  Expr first;      // the first sample that may be inside

  Expr position(const Expr& sample) const { return start + (cast(bin.type(), sample) + 0.5) * bin / grid; }
  Expr count() const { return cast(Int(32), grid); }
  Expr is_inside(const Expr& position) const {
    return position >= -1 && position <= number(bin.type(), extent);
  }
  /// True if one of the samples is outside the image.
  Expr leaves_image() const { return !is_inside(position(0)) || !is_inside(position(count() - 1)); }
};

/// Reads where the dimension begins in `column` of the regions, and where it ends two columns further.
RoiAxis roi_axis(const OperatorOperands& operands, const Size& extent, const Var& region, const Var& place,
                 int column, std::int64_t pooled) {
  const Attributes& attributes = operands.attributes;
  const bool half_pixel = attributes.get<std::string>("coordinate_transformation_mode") == "half_pixel";
  const double scale = attributes.get<double>("spatial_scale");
  const std::int64_t ratio = attributes.get<std::int64_t>("sampling_ratio");
  const auto corner = [&](int i) {
    const Expr scaled = accumulated(read(operands, 1, {region, i})) * scale;
    return half_pixel ? scaled - 0.5 : scaled;
  };
  const Expr begin = corner(column);
  Expr length = corner(column + 2) - begin;
  if (!half_pixel) length = max(length, 1);
  RoiAxis axis{extent, {}, length / static_cast<double>(pooled), {}, 0};
  axis.start = begin + cast(begin.type(), place) * axis.bin;
  if (ratio > 0) {
    axis.grid = cast(begin.type(), index(ratio));
    return axis;
  }
  constexpr double kMost = 1 << 24;  // the largest range of exact integers in a float
  axis.grid = clamp(ceil(axis.bin), 0, kMost);
  // Starts one sample early, because of rounding.
  axis.first = cast(Int(32), clamp(floor((-1 - axis.start) * axis.grid / axis.bin - 1.5), 0, axis.grid));
  return axis;
}

/// The samples that are inside are less than an element apart, and more than half of one unless there is one.
Expr most_samples(const OperatorOperands& operands, const Size& extent) {
  const std::int64_t ratio = operands.attributes.get<std::int64_t>("sampling_ratio");
  return ratio > 0 ? index(ratio) : index(2 * extent + 6);
}

/// The position of a sample between two elements.
struct Between {
  Expr low, high, above;

  Between(const Expr& position, const Size& extent) {
    const Expr inside = clamp(position, 0, number(position.type(), extent - 1));
    low = clamp(cast(Int(32), inside), 0, index(extent - 1));
    high = min(low + 1, index(extent - 1));
    above = inside - cast(position.type(), low);
  }
};

}  // namespace

std::vector<Func> roi_align(const OperatorOperands& operands) {
  const Attributes& attributes = operands.attributes;
  const Shape& x = operands.infos[0].shape;
  const bool is_average = attributes.get<std::string>("mode") == "avg";
  const std::vector<Var> vars = image_vars(operands.output().shape);
  const RoiAxis rows =
      roi_axis(operands, x[2], vars[0], vars[2], 1, attributes.get<std::int64_t>("output_height"));
  const RoiAxis columns =
      roi_axis(operands, x[3], vars[0], vars[3], 0, attributes.get<std::int64_t>("output_width"));

  RDom r({{0, most_samples(operands, x[2])}, {0, most_samples(operands, x[3])}}, "r");
  if (attributes.get<std::int64_t>("sampling_ratio") == 0) {
    r.where(r[0] < rows.count() - rows.first);
    r.where(r[1] < columns.count() - columns.first);
  }
  const Expr y_at = rows.position(rows.first + r[0]), x_at = columns.position(columns.first + r[1]);
  const Between row(y_at, x[2]), column(x_at, x[3]);
  const Expr batch = clamp(cast(Int(32), read(operands, 2, {vars[0]})), 0, index(x[0] - 1));
  const auto corner = [&](const Expr& h, const Expr& w, const Expr& weight) {
    return accumulated(read(operands, 0, {batch, vars[1], h, w})) * weight;
  };
  const std::vector<Expr> corners{corner(row.low, column.low, (1 - row.above) * (1 - column.above)),
                                  corner(row.low, column.high, (1 - row.above) * column.above),
                                  corner(row.high, column.low, row.above * (1 - column.above)),
                                  corner(row.high, column.high, row.above * column.above)};
  const Expr is_inside = rows.is_inside(y_at) && columns.is_inside(x_at);

  if (is_average) {
    Func sum(operands.name + "_sum");
    sum(vars) += select(is_inside, corners[0] + corners[1] + corners[2] + corners[3], 0);
    return {output(operands, vars, sum(vars) / max(rows.grid * columns.grid, 1))};
  }
  // The largest of the weighted corners, as ONNX has it: not of their sums.
  Func max(operands.name + "_max");
  const Expr lowest = constant(corners[0].type(), -std::numeric_limits<double>::infinity());
  max(vars).maximize(
      select(is_inside,
             tensordsl::max(tensordsl::max(corners[0], corners[1]), tensordsl::max(corners[2], corners[3])),
             lowest));
  // A sample that is outside is 0.
  const Expr value =
      select(rows.leaves_image() || columns.leaves_image(), tensordsl::max(max(vars), 0), max(vars));
  return {output(operands, vars, select(rows.grid > 0 && columns.grid > 0, value, 0))};
}

std::vector<Func> max_roi_pool(const OperatorOperands& operands) {
  const Shape& x = operands.infos[0].shape;
  const double scale = operands.attributes.get<double>("spatial_scale");
  const Ints& pooled = operands.attributes.get<Ints>("pooled_shape");
  const std::vector<Var> vars = image_vars(operands.output().shape);
  const auto of_region = [&](int column) { return accumulated(read(operands, 1, {vars[0], column})); };
  const auto rounded = [&](int column) {
    const Expr value = of_region(column) * scale;
    return select(value < 0, ceil(value - 0.5), floor(value + 0.5));
  };

  RDom r({{0, index(x[2])}, {0, index(x[3])}}, "r");
  Expr has_elements;
  for (int i = 0; i < 2; ++i) {
    const Expr begin = rounded(i == 0 ? 2 : 1), end = rounded(i == 0 ? 4 : 3);
    const Expr place = cast(begin.type(), vars[static_cast<std::size_t>(i) + 2]);
    const Expr bin = max(end - begin + 1, 1) / static_cast<double>(pooled[static_cast<std::size_t>(i)]);
    const Size extent = x[static_cast<std::size_t>(i) + 2];
    const auto limit = [&](const Expr& value) {
      return cast(Int(32), clamp(value, 0, as_float(operands, extent)));
    };
    const Expr low = limit(floor(place * bin) + begin), high = limit(ceil((place + 1) * bin) + begin);
    r.where(low <= r[i] && r[i] < high);
    has_elements = has_elements.defined() ? has_elements && low < high : low < high;
  }
  const Expr batch = clamp(cast(Int(32), of_region(0)), 0, index(x[0] - 1));
  Func max(operands.name + "_max");
  max(vars).maximize(accumulated(read(operands, 0, {batch, vars[1], r[0], r[1]})));
  return {output(operands, vars, select(has_elements, max(vars), 0))};
}

}  // namespace tensordsl::ops::definitions
