#include "onnx/shapes/evaluate_sizes.h"

#include <cmath>
#include <map>

#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"
#include "tensordsl/error.h"

namespace tensordsl::onnx {

using ops::Size;
using ops::Sizes;

using namespace ir;

namespace {

using Scope = std::map<std::string, Size>;  // the values of variables

/// Thrown where a definition is not an expression over sizes.
struct NotASize {};

Size truth(const std::optional<bool>& value) {
  if (!value) throw NotASize();
  return *value ? 1 : 0;
}

/// True for the condition under which a quotient that rounds toward 0 is negative. A quotient of an extent
/// counts the windows in an image; it is negative only if the window does not fit, and then the model is
/// invalid.
bool is_of_negative_quotient(const Expr& condition) {
  if (condition->kind != ExprKind::And) return false;
  const Expr& first = (*condition)[0];
  const std::int64_t* bound = first->kind == ExprKind::Lt ? as_int((*first)[1]) : nullptr;
  return bound && *bound == 0 && (*first)[0]->kind == ExprKind::Div;
}

class SizeEvaluator {
 public:
  explicit SizeEvaluator(const std::vector<std::optional<SizeOperand>>& operands) : operands_(operands) {}

  Size element(const Function& function, const Sizes& at) {
    if (function.is_input()) return input_element(function, at);
    if (function.is_tuple()) throw NotASize();
    const auto known = elements_.find({&function, to_string(at)});
    if (known != elements_.end()) return known->second;
    Scope scope;
    for (std::size_t d = 0; d < at.size(); ++d) scope.insert_or_assign(function.dims[d], at[d]);
    Size value = evaluate(function.definitions[0].value(), scope, {});
    for (std::size_t i = 1; i < function.definitions.size(); ++i)
      update(function, function.definitions[i], scope, value);
    elements_.emplace(std::pair{&function, to_string(at)}, value);
    return value;
  }

 private:
  /// The element that is being computed, which an update may read.
  struct Self {
    const std::vector<std::string>* dims = nullptr;
    const Size* value = nullptr;
  };

  Size input_element(const Function& input, const Sizes& at) const {
    const auto& operand = operands_[std::stoul(input.name.substr(1))];
    std::size_t place = 0;
    for (std::size_t d = 0; d < at.size(); ++d) {
      const std::int64_t extent = operand->info.shape.empty() ? 1 : operand->info.shape[d].value();
      if (!at[d].is_known() || at[d].value() < 0 || at[d].value() >= extent) throw NotASize();
      place = place * static_cast<std::size_t>(extent) + static_cast<std::size_t>(at[d].value());
    }
    return operand->elements[place];
  }

  void update(const Function& function, const Definition& definition, Scope scope, Size& value) {
    for (std::size_t d = 0; d < definition.args.size(); ++d) {
      const Expr& arg = definition.args[d];
      if (arg->kind != ExprKind::Var || arg->name != function.dims[d]) throw NotASize();
    }
    over_domain(function, definition, 0, scope, value);
  }

  void over_domain(const Function& function, const Definition& definition, std::size_t axis, Scope& scope,
                   Size& value) {
    const Self self{&function.dims, &value};
    if (axis < definition.domain.size()) {
      const ReductionAxis& range = definition.domain[axis];
      const Size begin = evaluate(range.min, scope, {}), extent = evaluate(range.extent, scope, {});
      if (!begin.is_known() || !extent.is_known()) throw NotASize();
      for (std::int64_t i = 0; i < extent.value(); ++i) {
        scope.insert_or_assign(range.name, begin + i);
        over_domain(function, definition, axis + 1, scope, value);
      }
      return;
    }
    if (definition.predicate.defined() && evaluate(definition.predicate, scope, self) == Size(0)) return;
    value = evaluate(definition.value(), scope, self);
  }

  Size call(const ExprNode& e, const Scope& scope, const Self& self) {
    Sizes at;
    for (const Expr& index : e.operands) at.push_back(evaluate(index, scope, self));
    if (e.function) return element(*e.function, at);
    for (std::size_t d = 0; d < at.size(); ++d) {
      if (at[d] != scope.at((*self.dims)[d])) throw NotASize();
    }
    return *self.value;
  }

  Size compare(const ExprNode& e, const Size& a, const Size& b) const {
    switch (e.kind) {
      case ExprKind::Eq:
        return truth(is_equal(a, b));
      case ExprKind::Ne:
        return 1 - truth(is_equal(a, b));
      case ExprKind::Lt:
        return truth(is_less(a, b));
      default:
        return 1 - truth(is_less(b, a));
    }
  }

  Size divide(const ExprNode& e, const Size& a, const Size& b) const {
    if (!e.type.is_float()) return quotient(a, b);
    if (const auto exact = exact_quotient(a, b)) return *exact;
    throw NotASize();
  }

  Size evaluate(const Expr& expr, const Scope& scope, const Self& self) {
    constexpr int kMostSteps = 100000;
    if (++steps_ > kMostSteps) throw NotASize();
    const ExprNode& e = *expr;
    const auto operand = [&](std::size_t i) { return evaluate(e[i], scope, self); };
    switch (e.kind) {
      case ExprKind::IntImm:
        return e.value;
      case ExprKind::FloatImm:
        if (std::abs(e.number) > 1e15 || e.number != std::floor(e.number)) throw NotASize();
        return static_cast<std::int64_t>(e.number);
      case ExprKind::Var: {
        const auto bound = scope.find(e.name);
        return bound == scope.end() ? Size::symbol(e.name) : bound->second;
      }
      case ExprKind::Add:
        return operand(0) + operand(1);
      case ExprKind::Sub:
        return operand(0) - operand(1);
      case ExprKind::Mul:
        return operand(0) * operand(1);
      case ExprKind::Div:
        return divide(e, operand(0), operand(1));
      case ExprKind::Mod: {
        if (e.type.is_float()) throw NotASize();
        const Size a = operand(0), b = operand(1);
        return a - quotient(a, b) * b;
      }
      case ExprKind::Min:
        return min(operand(0), operand(1));
      case ExprKind::Max:
        return max(operand(0), operand(1));
      case ExprKind::Eq:
      case ExprKind::Ne:
      case ExprKind::Lt:
      case ExprKind::Le:
        return compare(e, operand(0), operand(1));
      case ExprKind::And:
        return operand(0) == Size(0) ? Size(0) : operand(1);
      case ExprKind::Or:
        return operand(0) == Size(1) ? Size(1) : operand(1);
      case ExprKind::Not:
        return 1 - operand(0);
      case ExprKind::Select: {
        if (is_of_negative_quotient(e[0]) && !is_less(evaluate((*(*e[0])[0])[0], scope, self), 0))
          return operand(2);
        const Size condition = operand(0);
        return condition == Size(1) ? operand(1) : operand(2);
      }
      case ExprKind::Cast:
        // A cast keeps the value of a size: sizes are far from the limits of these types.
        if (e.type.bits < 32) throw NotASize();
        return operand(0);
      case ExprKind::Intrinsic:
        // Every value here is a whole number.
        if (e.name == "floor" || e.name == "ceil" || e.name == "round" || e.name == "trunc")
          return operand(0);
        throw NotASize();
      case ExprKind::Call:
        return call(e, scope, self);
      default:
        throw NotASize();
    }
  }

  const std::vector<std::optional<SizeOperand>>& operands_;
  std::map<std::pair<const Function*, std::string>, Size> elements_;
  int steps_ = 0;
};

/// Calls f with each index of the shape, in row-major order.
template <typename F>
void for_each_place(const ops::Ints& shape, F f) {
  Sizes at(shape.size(), 0);
  ops::Ints place(shape.size(), 0);
  while (true) {
    f(at);
    std::size_t d = shape.size();
    while (d > 0 && ++place[d - 1] == shape[d - 1]) place[--d] = 0;
    if (d == 0) return;
    for (std::size_t i = 0; i < at.size(); ++i) at[i] = place[i];
  }
}

}  // namespace

std::optional<std::vector<Sizes>> evaluate_sizes(const DefinedNode& node,
                                                 const std::vector<std::optional<SizeOperand>>& operands) {
  constexpr std::int64_t kMostElements = 1024;
  SizeEvaluator evaluator(operands);
  std::vector<Sizes> values;
  try {
    for (std::size_t i = 0; i < node.funcs.size(); ++i) {
      const auto& [type, shape] = node.outputs[i];
      const bool is_small = is_known(shape) && element_count(shape).value() <= kMostElements;
      if (!is_small || is_empty(shape)) return std::nullopt;
      Sizes& elements = values.emplace_back();
      for_each_place(known(func_shape(shape)), [&](const Sizes& at) {
        elements.push_back(evaluator.element(node.funcs[i].contents(), at));
      });
    }
  } catch (const NotASize&) {
    return std::nullopt;
  } catch (const ShapeError&) {
    return std::nullopt;
  }
  return values;
}

}  // namespace tensordsl::onnx
