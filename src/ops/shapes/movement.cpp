#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "ops/assumed_sizes.h"
#include "ops/shapes/shape_rules.h"
#include "tensordsl/error.h"

namespace tensordsl::ops::shapes {
namespace {

/// A node that only regroups the elements of its input; its `key` attribute is `value`.
InferredNode regrouping_node(const OperatorCall& call, Shape shape, const char* key,
                             Attributes::Value value) {
  InferredNode result{call.input(0).type, std::move(shape), {}};
  result.attributes.set(key, std::move(value));
  return result;
}

Size partial_count(Shape::const_iterator begin, Shape::const_iterator end) {
  return element_count(Shape(begin, end));
}

/// Returns the product of the extents that are not known, and the product of the others.
std::pair<Size, Size> factors_of(const Shape& shape) {
  Size symbolic = 1, number = 1;
  for (const Size& extent : shape) (extent.is_known() ? number : symbolic) *= extent;
  return {symbolic, number};
}

/// True if equal numbers of elements determine the one symbolic dimension in them.
bool has_one_symbol(const Size& count, const Size& wanted) {
  const std::vector<std::string> symbols = (count - wanted).symbols();
  return symbols.size() == 1 && assume_equal(count, wanted, symbols);
}

/// Refuses a Reshape to another number of elements. Prefers to report the first extents that differ, because
/// a model most likely means them to be equal.
[[noreturn]] void refuse_reshape(const std::string& text, const Shape& x, const Shape& shape,
                                 std::optional<std::size_t> rest) {
  const Size count = element_count(x), wanted = element_count(shape);
  if (!rest && has_one_symbol(count, wanted)) refuse_unequal(text, count, wanted);
  for (std::size_t d = 0; d < std::min(x.size(), shape.size()); ++d) {
    if (d == rest || x[d] == shape[d]) continue;
    if (!is_equal(x[d], shape[d])) refuse_unequal(text, x[d], shape[d]);
    break;
  }
  if (!rest) refuse_unequal(text, count, wanted);
  throw ShapeError(text);
}

/// Requires that negative pads leave at least one element of dimension `d` and, where it is reflected, one
/// more than the pads add.
void need_repeated(InferredNode& result, const OperatorCall& call, std::size_t d, const Size& begin,
                   const Size& end, const std::string& mode) {
  if (begin == Size(0) && end == Size(0)) return;
  const Size& extent = call.input(0).shape[d];
  const Size first = max(Size(0) - begin, 0), cropped = max(Size(0) - end, 0);
  const Size wanted = mode == "reflect" ? max(max(begin, end) + 1, 1) : Size(1);
  const Size left = extent - first - cropped;
  if (is_less(left, wanted) == true) {
    throw ShapeError(
        fmt::format("mode = \"{}\" with pads of {} and {} needs {} or more elements in dimension {} of {}, "
                    "but there are {}",
                    mode, to_string(begin), to_string(end), to_string(wanted), d,
                    to_string(call.input(0).shape), is_less(left, 1) == true ? "none" : to_string(left)));
  }
  result.need(call, {0, d, first, first + wanted + cropped});
}

}  // namespace

InferredNode concat(const OperatorCall& call) {
  require_same_types(call);
  Shape shape = call.input(0).shape;
  const std::int64_t axis = normal_axis(call.attributes.get<std::int64_t>("axis"), shape.size());
  const auto at = static_cast<std::size_t>(axis);
  for (std::size_t i = 1; i < call.inputs.size(); ++i) {
    const Shape& other = call.input(i).shape;
    const std::string differ =
        fmt::format("inputs 0 and {} are {} and {}; they may differ only in dimension {}", i,
                    to_string(call.input(0).shape), to_string(other), axis);
    if (other.size() != shape.size()) throw ShapeError(differ);
    for (std::size_t d = 0; d < shape.size(); ++d)
      if (d != at && other[d] != shape[d]) refuse_unequal(differ, shape[d], other[d]);
    shape[at] += other[at];
    check_tensor(call.input(0).type, shape);
  }
  return regrouping_node(call, std::move(shape), "axis", axis);
}

InferredNode flatten(const OperatorCall& call) {
  const Shape& x = call.input(0).shape;
  const std::int64_t given = call.attributes.get<std::int64_t>("axis", 1);
  const auto rank = static_cast<std::int64_t>(x.size());
  const std::int64_t axis = given == rank ? rank : normal_axis(given, x.size());
  return regrouping_node(
      call, {partial_count(x.begin(), x.begin() + axis), partial_count(x.begin() + axis, x.end())}, "axis",
      axis);
}

InferredNode reshape(const OperatorCall& call) {
  const Shape& x = call.input(0).shape;
  const Shape wanted(call.attributes.sizes("shape"));
  const bool allow_zero = call.attributes.get<std::int64_t>("allowzero", 0) != 0;
  Shape shape = wanted;
  std::optional<std::size_t> rest;
  bool valid = true;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 0 && !allow_zero) {
      valid = valid && d < x.size();
      if (d < x.size()) shape[d] = x[d];
    } else if (shape[d] == -1 && !rest) {
      rest = d;
      shape[d] = 1;
    }
  }
  const Size count = element_count(x);
  const std::string text = fmt::format("{} cannot be reshaped to {}", to_string(x), to_string(wanted));
  for (const Size& extent : shape)
    valid = valid && is_less(extent, 0) != true && is_less(kMaxTensorBytes, extent) != true;
  if (valid && rest) {
    // If another extent is 0, any extent would do in place of -1.
    const Size others = element_count(shape);
    const auto missing = is_empty(shape) ? std::nullopt : exact_quotient(count, others);
    const auto [symbolic, number] = factors_of(shape);
    const auto divided = is_empty(shape) ? std::nullopt : exact_quotient(count, symbolic);
    if (missing) {
      shape[*rest] = *missing;
    } else if (divided && number.is_at_least(1)) {
      refuse_indivisible(text, *divided, number);
    } else {
      refuse_reshape(text, x, shape, rest);
    }
  }
  if (!valid) throw ShapeError(text);
  if (element_count(shape) != count) refuse_reshape(text, x, shape, rest);
  InferredNode result = regrouping_node(call, shape, "shape", Sizes(shape));
  // A data-dependent size may be 0, and then the extent is 0.
  if (std::ranges::any_of(shape, &Size::has_count)) result.attributes.set("allowzero", std::int64_t{1});
  return result;
}

InferredNode squeeze(const OperatorCall& call) {
  const Shape& x = call.input(0).shape;
  Ints axes;
  if (call.attributes.has("axes")) {
    axes = normal_axes(call.attributes.get<Ints>("axes"), x.size());
  } else {
    for (std::size_t d = 0; d < x.size(); ++d) {
      const std::optional<bool> is_one = is_equal(x[d], 1);
      if (!is_one)
        throw ShapeError(
            fmt::format("without axes it drops the dimensions of extent 1, and {} of {} may be one; {}",
                        to_string(x[d]), to_string(x), how_to_know(x[d])));
      if (*is_one) axes.push_back(static_cast<std::int64_t>(d));
    }
  }
  Shape shape;
  for (std::size_t d = 0; d < x.size(); ++d) {
    if (!std::ranges::binary_search(axes, static_cast<std::int64_t>(d))) {
      shape.push_back(x[d]);
    } else if (x[d] != 1) {
      refuse_unequal(
          fmt::format("dimension {} of {} cannot be dropped: its extent is not 1", d, to_string(x)), x[d], 1);
    }
  }
  return regrouping_node(call, std::move(shape), "axes", axes);
}

InferredNode unsqueeze(const OperatorCall& call) {
  const Ints& given = call.attributes.get<Ints>("axes");
  Shape shape = call.input(0).shape;
  const Ints axes = normal_axes(given, shape.size() + given.size());
  for (const std::int64_t axis : axes) shape.insert(shape.begin() + axis, 1);
  return regrouping_node(call, std::move(shape), "axes", axes);
}

InferredNode transpose(const OperatorCall& call) {
  const Shape& x = call.input(0).shape;
  Ints perm(x.size());
  for (std::size_t d = 0; d < x.size(); ++d) perm[d] = static_cast<std::int64_t>(x.size() - 1 - d);
  perm = call.attributes.get<Ints>("perm", perm);
  Ints sorted = perm;
  std::ranges::sort(sorted);
  bool valid = perm.size() == x.size();
  for (std::size_t d = 0; valid && d < sorted.size(); ++d) valid = sorted[d] == static_cast<std::int64_t>(d);
  if (!valid) {
    throw ShapeError(fmt::format("attribute perm = {} is not a permutation of the dimensions of {}",
                                 to_string(perm), to_string(x)));
  }
  Shape shape;
  for (const std::int64_t d : perm) shape.push_back(x[static_cast<std::size_t>(d)]);
  return regrouping_node(call, std::move(shape), "perm", perm);
}

InferredNode expand(const OperatorCall& call) {
  const Shape wanted(call.attributes.sizes("shape"));
  const Shape shape = broadcast(call.input(0).shape, wanted);
  return regrouping_node(call, shape, "shape", Sizes(shape));
}

InferredNode tile(const OperatorCall& call) {
  Shape shape = call.input(0).shape;
  const Sizes repeats = call.attributes.sizes("repeats");
  if (repeats.size() != shape.size()) {
    throw ShapeError(fmt::format("repeats = {} has {} values; an input {} needs {}", to_string(repeats),
                                 repeats.size(), to_string(shape), shape.size()));
  }
  for (std::size_t d = 0; d < shape.size(); ++d) shape[d] *= repeats[d];
  return regrouping_node(call, std::move(shape), "repeats", repeats);
}

InferredNode pad(const OperatorCall& call) {
  const auto mode = call.attributes.get<std::string>("mode", "constant");
  if (mode != "constant" && mode != "reflect" && mode != "edge" && mode != "wrap") {
    throw ModelError(fmt::format(
        "attribute mode = \"{}\" is not supported; supported: constant, reflect, edge, wrap", mode));
  }
  require_same_types(call);
  const Shape& x = call.input(0).shape;
  const Sizes pads = call.attributes.sizes("pads");
  if (pads.size() != 2 * x.size()) {
    throw ShapeError(fmt::format("pads = {} has {} values; an input {} needs {}", to_string(pads),
                                 pads.size(), to_string(x), 2 * x.size()));
  }
  constexpr std::int64_t kMaxValue = std::numeric_limits<std::int32_t>::max();
  Shape shape = x;
  for (std::size_t i = 0; i < pads.size(); ++i) {
    if (is_less(pads[i], -kMaxValue) == true || is_less(kMaxValue, pads[i]) == true) {
      throw ModelError(fmt::format("pads = {} is not supported; supported: values from {} to {}",
                                   to_string(pads), -kMaxValue, kMaxValue));
    }
    shape[i % x.size()] += pads[i];
  }
  InferredNode result = regrouping_node(call, std::move(shape), "pads", pads);
  for (std::size_t d = 0; mode != "constant" && d < x.size(); ++d)
    need_repeated(result, call, d, pads[d], pads[d + x.size()], mode);
  if (mode != "constant") {
    result.attributes.set("mode", mode);
  } else if (!call.has_input(1)) {
    result.attributes.set("value", call.attributes.get<double>("value", 0.0));
  }
  return result;
}

}  // namespace tensordsl::ops::shapes
