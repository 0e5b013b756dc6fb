#include <fmt/format.h>

#include "ops/assumed_sizes.h"
#include "ops/shapes/shape_rules.h"
#include "tensordsl/error.h"

namespace tensordsl::ops::shapes {
namespace {

void require_indices(const OperatorCall& call, std::size_t i) {
  const Type type = call.input(i).type;
  if (type != Int(32) && type != Int(64)) {
    throw ModelError(fmt::format("input {} is {}; supported: i32, i64", i, to_string(call.input(i))));
  }
}

std::int64_t flag(const OperatorCall& call, const char* name, std::int64_t fallback) {
  return call.attributes.get<std::int64_t>(name, fallback) != 0 ? 1 : 0;
}

/// Checks that `indices` and x have one rank, and that no extent of `indices` is larger than the one of x,
/// except along `axis`. Throws ShapeError otherwise.
void require_aligned(const TensorInfo& x, const TensorInfo& indices, std::size_t axis) {
  bool fits = x.shape.size() == indices.shape.size();
  for (std::size_t d = 0; fits && d < x.shape.size(); ++d)
    fits = d == axis || is_less(x.shape[d], indices.shape[d]) != true;
  if (!fits) {
    throw ShapeError(
        fmt::format("the indices {} do not fit {}: in all dimensions except {} they must not be larger",
                    to_string(indices.shape), to_string(x.shape), axis));
  }
}

/// Checks that a dimension without elements has no indices to read or write. Throws ShapeError otherwise.
void require_indexed_elements(const TensorInfo& x, std::size_t d, const TensorInfo& indices) {
  if (x.shape[d] == Size(0) && !is_empty(indices.shape))
    throw ShapeError(fmt::format("dimension {} of {} has no elements to index", d, to_string(x.shape)));
}

std::size_t axis_of(const OperatorCall& call, std::int64_t fallback) {
  return static_cast<std::size_t>(
      normal_axis(call.attributes.get<std::int64_t>("axis", fallback), call.input(0).shape.size()));
}

/// Infers the type and shape of x, and reads how updates are combined with its elements.
InferredNode scattered(const OperatorCall& call) {
  InferredNode result{call.input(0).type, call.input(0).shape, {}};
  const std::string reduction = call.attributes.get<std::string>("reduction", "none");
  if (reduction != "none" && reduction != "add" && reduction != "mul" && reduction != "max" &&
      reduction != "min") {
    throw ModelError(fmt::format(
        "attribute reduction = \"{}\" is not supported; supported: none, add, mul, max, min", reduction));
  }
  if (reduction != "none" && result.type().is_bool())
    throw ModelError(fmt::format("reduction = \"{}\" of bool is not supported; supported: none", reduction));
  if (call.input(2).type != result.type()) {
    throw ModelError(fmt::format("inputs 0 and 2 are {} and {}; their types must be the same",
                                 to_string(call.input(0)), to_string(call.input(2))));
  }
  result.attributes.set("reduction", reduction);
  return result;
}

/// Returns the number of dimensions of x, after `batch` others, in which the last dimension of `indices`
/// chooses.
std::size_t index_length(const TensorInfo& x, const TensorInfo& indices, std::size_t batch) {
  const std::size_t rank = x.shape.size();
  if (indices.shape.empty() || batch >= indices.shape.size() || batch >= rank) {
    throw ShapeError(fmt::format("x {} and the indices {} have too few dimensions for batch_dims = {}",
                                 to_string(x.shape), to_string(indices.shape), batch));
  }
  const std::int64_t length = indices.shape.back().value();
  if (length < 1 || length > static_cast<std::int64_t>(rank - batch)) {
    throw ShapeError(fmt::format("the last extent of the indices {} must be from 1 to {}, for {}",
                                 to_string(indices.shape), rank - batch, to_string(x.shape)));
  }
  return static_cast<std::size_t>(length);
}

/// Says which elements along `axis` indices that are constants ask for. A negative one counts from the end.
void need_indexed(InferredNode& result, const OperatorCall& call, std::size_t axis) {
  const Buffer* indices = call.constant(1);
  if (!indices || indices->elements() == 0) return;
  const Size& extent = call.input(0).shape[axis];
  std::int64_t lowest = 0, highest = -1;
  for (std::int64_t i = 0; i < indices->elements(); ++i) {
    lowest = std::min(lowest, indices->get_int(i));
    highest = std::max(highest, indices->get_int(i));
  }
  result.need(call, {0, axis, lowest < 0 ? extent + Size(lowest) : Size(0), Size(highest) + 1});
}

}  // namespace

InferredNode gather(const OperatorCall& call) {
  const Shape& x = call.input(0).shape;
  const std::size_t axis = axis_of(call, 0);
  require_indices(call, 1);
  require_indexed_elements(call.input(0), axis, call.input(1));
  Shape shape(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(axis));
  shape.insert(shape.end(), call.input(1).shape.begin(), call.input(1).shape.end());
  shape.insert(shape.end(), x.begin() + static_cast<std::ptrdiff_t>(axis) + 1, x.end());
  InferredNode result{call.input(0).type, std::move(shape), {}};
  need_indexed(result, call, axis);
  result.attributes.set("axis", static_cast<std::int64_t>(axis));
  return result;
}

InferredNode gather_elements(const OperatorCall& call) {
  const std::size_t axis = axis_of(call, 0);
  require_indices(call, 1);
  require_aligned(call.input(0), call.input(1), axis);
  require_indexed_elements(call.input(0), axis, call.input(1));
  InferredNode result{call.input(0).type, call.input(1).shape, {}};
  need_indexed(result, call, axis);
  result.attributes.set("axis", static_cast<std::int64_t>(axis));
  return result;
}

InferredNode gather_nd(const OperatorCall& call) {
  require_indices(call, 1);
  const TensorInfo &x = call.input(0), &indices = call.input(1);
  const std::int64_t batch = call.attributes.get<std::int64_t>("batch_dims", 0);
  if (batch < 0) throw ModelError(fmt::format("attribute batch_dims = {} is negative", batch));
  const auto dims = static_cast<std::size_t>(batch);
  const std::size_t length = index_length(x, indices, dims);
  for (std::size_t d = 0; d < dims; ++d) {
    if (x.shape[d] != indices.shape[d]) {
      refuse_unequal(
          fmt::format(
              "with batch_dims = {}, the first {} extents of x {} and of the indices {} must be equal", dims,
              dims, to_string(x.shape), to_string(indices.shape)),
          x.shape[d], indices.shape[d]);
    }
  }
  for (std::size_t d = dims; d < dims + length; ++d) require_indexed_elements(x, d, indices);
  Shape shape(indices.shape.begin(), indices.shape.end() - 1);
  shape.insert(shape.end(), x.shape.begin() + static_cast<std::ptrdiff_t>(dims + length), x.shape.end());
  InferredNode result{x.type, std::move(shape), {}};
  result.attributes.set("batch_dims", batch);
  return result;
}

InferredNode scatter_elements(const OperatorCall& call) {
  const std::size_t axis = axis_of(call, 0);
  require_indices(call, 1);
  const TensorInfo &indices = call.input(1), &updates = call.input(2);
  require_aligned(call.input(0), indices, axis);
  if (indices.shape != updates.shape) {
    refuse_unequal(fmt::format("the indices {} and the updates {} differ in shape", to_string(indices.shape),
                               to_string(updates.shape)),
                   indices.shape, updates.shape);
  }
  InferredNode result = scattered(call);
  result.attributes.set("axis", static_cast<std::int64_t>(axis));
  return result;
}

InferredNode scatter_nd(const OperatorCall& call) {
  require_indices(call, 1);
  const TensorInfo &x = call.input(0), &indices = call.input(1), &updates = call.input(2);
  const std::size_t length = index_length(x, indices, 0);
  Shape wanted(indices.shape.begin(), indices.shape.end() - 1);
  wanted.insert(wanted.end(), x.shape.begin() + static_cast<std::ptrdiff_t>(length), x.shape.end());
  if (updates.shape != wanted) {
    refuse_unequal(
        fmt::format("the updates are {}; x {} and the indices {} need {}", to_string(updates.shape),
                    to_string(x.shape), to_string(indices.shape), to_string(wanted)),
        wanted, updates.shape);
  }
  return scattered(call);
}

InferredNode tensor_scatter(const OperatorCall& call) {
  const TensorInfo &cache = call.input(0), &update = call.input(1);
  const std::size_t rank = cache.shape.size();
  if (rank < 2 || update.shape.size() != rank || update.type != cache.type) {
    throw ShapeError(
        fmt::format("the cache is {} and the update {}; they must be of one type and rank, at least 2",
                    to_string(cache), to_string(update)));
  }
  const auto axis = normal_axis(call.attributes.get<std::int64_t>("axis", -2), rank);
  if (axis == 0) throw ShapeError("axis = 0 is the batch; the cache is written along another dimension");
  for (std::size_t d = 0; d < rank; ++d) {
    const bool is_axis = static_cast<std::int64_t>(d) == axis;
    if (is_axis ? is_less(cache.shape[d], update.shape[d]) != true : cache.shape[d] == update.shape[d])
      continue;
    const std::string text = fmt::format("the update {} does not fit the cache {} in dimension {}",
                                         to_string(update.shape), to_string(cache.shape), d);
    if (is_axis) throw ShapeError(text);
    refuse_unequal(text, cache.shape[d], update.shape[d]);
  }
  if (call.has_input(2)) {
    require_indices(call, 2);
    if (call.input(2).shape != Shape{cache.shape[0]})
      refuse_unequal(fmt::format("write_indices is {}; it must be [{}], a place for each batch",
                                 to_string(call.input(2)), to_string(cache.shape[0])),
                     Shape{cache.shape[0]}, call.input(2).shape);
  }
  const std::string mode = call.attributes.get<std::string>("mode", "linear");
  if (mode != "linear" && mode != "circular")
    throw ModelError(
        fmt::format("attribute mode = \"{}\" is not supported; supported: linear, circular", mode));
  InferredNode result{cache.type, cache.shape, {}};
  result.attributes.set("axis", axis);
  result.attributes.set("mode", mode);
  return result;
}

InferredNode one_hot(const OperatorCall& call) {
  const TensorInfo &indices = call.input(0), &values = call.input(1);
  if (indices.type.is_bool())
    throw ModelError(fmt::format("input 0 is {}; supported: all types but bool", to_string(indices)));
  if (values.shape != Shape{2})
    throw ShapeError(fmt::format("the values are {}; they must be [2]: off, on", to_string(values)));
  const Size depth = call.attributes.sizes("depth").at(0);
  if (is_less(depth, 0) == true) throw ShapeError(fmt::format("depth = {} is negative", to_string(depth)));
  const std::int64_t axis =
      normal_axis(call.attributes.get<std::int64_t>("axis", -1), indices.shape.size() + 1);
  Shape shape = indices.shape;
  shape.insert(shape.begin() + axis, depth);
  InferredNode result{values.type, std::move(shape), {}};
  result.attributes.set("axis", axis);
  result.attributes.set("depth", Sizes{depth});
  return result;
}

InferredNode trilu(const OperatorCall& call) {
  const TensorInfo& x = call.input(0);
  if (x.shape.size() < 2)
    throw ShapeError(
        fmt::format("the input is {}; it must be a matrix or a batch of matrices", to_string(x)));
  InferredNode result{x.type, x.shape, {}};
  result.attributes.set("upper", flag(call, "upper", 1));
  result.attributes.set("k", call.attributes.has("k") ? call.attributes.sizes("k") : Sizes{0});
  return result;
}

InferredNode top_k(const OperatorCall& call) {
  const TensorInfo& x = call.input(0);
  if (x.type.is_bool())
    throw ModelError(fmt::format("input 0 is {}; supported: all types but bool", to_string(x)));
  const std::size_t axis = axis_of(call, -1);
  const Size k = call.attributes.sizes("k").at(0);
  if (is_less(k, 0) == true || is_less(x.shape[axis], k) == true) {
    throw ShapeError(fmt::format("k = {} does not fit dimension {} of {}, whose extent is {}", to_string(k),
                                 axis, to_string(x.shape), to_string(x.shape[axis])));
  }
  Shape shape = x.shape;
  shape[axis] = k;
  InferredNode result{x.type, shape, {}};
  if (call.outputs > 1) result.outputs.push_back({Int(64), std::move(shape)});
  result.attributes.set("axis", static_cast<std::int64_t>(axis));
  result.attributes.set("k", Sizes{k});
  result.need(call, {0, axis, 0, k, fmt::format("k = {}", to_string(k))});
  result.attributes.set("largest", flag(call, "largest", 1));
  result.attributes.set("sorted", flag(call, "sorted", 1));
  return result;
}

InferredNode reverse_sequence(const OperatorCall& call) {
  require_indices(call, 1);
  const TensorInfo& x = call.input(0);
  const std::int64_t batch = call.attributes.get<std::int64_t>("batch_axis", 1);
  const std::int64_t time = call.attributes.get<std::int64_t>("time_axis", 0);
  if (x.shape.size() < 2 || batch + time != 1 || batch * time != 0) {
    throw ShapeError(fmt::format("batch_axis = {} and time_axis = {} do not fit {}; one is 0 and the other 1",
                                 batch, time, to_string(x.shape)));
  }
  const Shape lengths{x.shape[static_cast<std::size_t>(batch)]};
  if (call.input(1).shape != lengths) {
    refuse_unequal(fmt::format("the lengths are {}; an input {} needs {}", to_string(call.input(1).shape),
                               to_string(x.shape), to_string(lengths)),
                   lengths, call.input(1).shape);
  }
  InferredNode result{x.type, x.shape, {}};
  result.attributes.set("batch_axis", batch);
  result.attributes.set("time_axis", time);
  return result;
}

InferredNode non_zero(const OperatorCall& call) {
  const Sizes shape = call.attributes.sizes("shape");
  return {Int(64), Shape{shape.size(), call.attributes.sizes("count").at(0)}, call.attributes};
}

InferredNode non_max_suppression(const OperatorCall& call) {
  const TensorInfo &boxes = call.input(0), &scores = call.input(1);
  for (std::size_t i : {0, 1, 3, 4}) {
    if (call.has_input(i) && call.input(i).type != Float(32))
      throw ModelError(fmt::format("input {} is {}; supported: f32", i, to_string(call.input(i))));
  }
  const std::string text =
      fmt::format("the boxes {} and scores {} do not fit; they must be [b,n,4] and [b,c,n]",
                  to_string(boxes.shape), to_string(scores.shape));
  if (boxes.shape.size() != 3 || scores.shape.size() != 3) throw ShapeError(text);
  const Sizes wanted{scores.shape[0], scores.shape[2], 4};
  if (boxes.shape != Shape(wanted)) refuse_unequal(text, wanted, boxes.shape);
  InferredNode result{Int(32), Shape{scores.shape[0], scores.shape[1], call.attributes.sizes("most").at(0)},
                      call.attributes};
  result.attributes.set("center_point_box", read_flag(call.attributes, "center_point_box"));
  return result;
}

InferredNode unique(const OperatorCall& call) {
  InferredNode result{Int(64), Shape{call.input(0).shape[0]}, call.attributes};
  result.attributes.set("sorted", flag(call, "sorted", 1));
  return result;
}

}  // namespace tensordsl::ops::shapes
