#include <fmt/format.h>

#include <optional>

#include "ops/assumed_sizes.h"
#include "ops/shapes/shape_rules.h"
#include "tensordsl/error.h"

namespace tensordsl::ops::shapes {

InferredNode rotary_embedding(const OperatorCall& call) {
  require_float(call, 0);
  for (const std::size_t i : {1, 2}) {
    if (call.input(i).type != call.input(0).type) {
      throw ModelError(fmt::format("inputs 0 and {} are {} and {}; their types must be the same", i,
                                   to_string(call.input(0)), to_string(call.input(i))));
    }
  }
  const Shape& x = call.input(0).shape;
  if (x.size() != 3 && x.size() != 4) {
    throw ShapeError(
        fmt::format("the input is {}; it must be [B,H,S,D] or [B,S,H*D]", to_string(call.input(0))));
  }
  const bool has_heads = x.size() == 4;
  const std::int64_t heads = call.attributes.get<std::int64_t>("num_heads", 0);
  const auto width = has_heads ? std::optional(x[3]) : heads < 1 ? std::nullopt : exact_quotient(x[2], heads);
  if (!width) {
    throw ShapeError(
        fmt::format("attribute num_heads = {} does not divide an input {}", heads, to_string(x)));
  }
  const std::int64_t given = call.attributes.get<std::int64_t>("rotary_embedding_dim", 0);
  const std::int64_t rotated = given == 0 ? width->value() : given;
  if (rotated < 2 || rotated % 2 != 0 || is_less(*width, rotated) == true) {
    throw ShapeError(fmt::format(
        "cannot rotate {} of the {} elements of each head; supported: an even number, up to all of them",
        rotated, to_string(*width)));
  }
  const Shape positions{x[0], x[has_heads ? 2 : 1]};
  const Shape& cos = call.input(1).shape;
  Shape wanted = positions;
  if (call.has_input(3)) {
    const std::string text = fmt::format("the positions are {}; an input {} needs i64{}",
                                         to_string(call.input(3)), to_string(x), to_string(positions));
    if (call.input(3).type != Int(64)) throw ShapeError(text);
    if (call.input(3).shape != positions) refuse_unequal(text, positions, call.input(3).shape);
    wanted = {cos.empty() ? Size(0) : cos[0]};
  }
  // Wider inputs are allowed: only the first columns are read.
  const bool is_wide_enough = !cos.empty() && is_less(cos.back(), rotated / 2) != true;
  wanted.push_back(is_wide_enough ? cos.back() : Size(rotated / 2));
  for (const std::size_t i : {1, 2}) {
    if (call.input(i).shape == wanted) continue;
    refuse_unequal(fmt::format("the cosines are {} and the sines {}; they must be {}",
                               to_string(call.input(1)), to_string(call.input(2)), to_string(wanted)),
                   wanted, call.input(i).shape);
  }
  InferredNode result{call.input(0).type, x, {}};
  result.attributes.set("interleaved", read_flag(call.attributes, "interleaved"));
  result.attributes.set("num_heads", has_heads ? std::int64_t{0} : heads);
  result.attributes.set("rotary_embedding_dim", rotated);
  return result;
}

}  // namespace tensordsl::ops::shapes
