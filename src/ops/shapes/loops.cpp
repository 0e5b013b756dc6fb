#include <fmt/format.h>

#include <algorithm>

#include "base/index_limit.h"
#include "ops/loop_marks.h"
#include "ops/shapes/shape_rules.h"

namespace tensordsl::ops::shapes {
namespace {

void require_same(const TensorInfo& now, const TensorInfo& next) {
  if (now.type != next.type) {
    throw ModelError(
        fmt::format("a carried value is {} before a step and {} after it; its type must not change",
                    to_string(now), to_string(next)));
  }
  if (now.shape == next.shape) return;
  throw UnevenSteps(
      fmt::format("a carried value is {} before a step and {} after it; supported if the number of steps is "
                  "unknown: values that keep their types and shapes",
                  to_string(now), to_string(next)));
}

bool has_symbol(const Shape& shape, const std::string& symbol) {
  return std::ranges::any_of(shape, [&](const Size& extent) {
    const std::vector<std::string> symbols = extent.symbols();
    return std::ranges::find(symbols, symbol) != symbols.end();
  });
}

}  // namespace

InferredNode loop_begin(const OperatorCall& call) {
  InferredNode result{Int(64), {}, call.attributes};
  result.outputs.clear();
  for (const TensorInfo* begin : call.inputs) result.outputs.push_back({begin->type, begin->shape});
  result.outputs.push_back({Int(64), {}});
  return result;
}

InferredNode loop_element(const OperatorCall& call) {
  Shape shape = call.input(0).shape;
  shape.erase(shape.begin() + call.attributes.get<std::int64_t>("axis"));
  return {call.input(0).type, std::move(shape), call.attributes};
}

InferredNode loop_end(const OperatorCall& call) {
  const LoopEndInputs at(call.attributes);
  const std::size_t condition = at.condition();
  if (call.has_input(condition)) {
    const TensorInfo& info = call.input(condition);
    if (!info.type.is_bool() || is_equal(element_count(info.shape), 1) != true)
      throw ModelError(
          fmt::format("the condition that its body computes is {}; it must be one bool", to_string(info)));
  }
  Size steps = call.attributes.sizes(kLoopSteps).at(0);
  const bool is_conditional = call.has_input(condition) && !call.constant(condition);
  if (call.has_input(condition) && !is_conditional && call.constant(condition)->get(0) == 0)
    steps = min(steps, 1);
  if (!is_conditional && is_less(steps, kMaxElements) == false) {
    throw ModelError(
        "the loop never ends: it has neither a number of iterations nor a computed condition; supported: one "
        "of them");
  }
  InferredNode result{Int(64), {}, call.attributes};
  result.attributes.set(kLoopSteps, Sizes{steps});
  result.attributes.set(kLoopIsConditional, std::int64_t{is_conditional ? 1 : 0});
  result.outputs.clear();
  for (std::size_t i = 0; i < at.carried; ++i) {
    const TensorInfo& now = call.input(at.now(i));
    require_same(now, call.input(at.next(i)));
    result.outputs.push_back({now.type, now.shape});
  }
  const Size taken = is_conditional ? Size::symbol(call.attributes.get<std::string>(kLoopTaken)) : steps;
  for (std::size_t i = 0; i < at.rows; ++i) {
    const TensorInfo& row = call.input(at.row(i));
    Shape shape = row.shape;
    shape[0] = taken;
    if (has_symbol(shape, call.attributes.get<std::string>(kLoopStep))) {
      throw UnevenSteps(
          fmt::format("row {} has a different shape in each step; supported if the number of steps is "
                      "unknown: rows of one shape",
                      to_string(row)));
    }
    result.outputs.push_back({row.type, std::move(shape)});
  }
  return result;
}

}  // namespace tensordsl::ops::shapes
