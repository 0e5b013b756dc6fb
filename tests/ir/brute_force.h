// A tiny evaluator of integer and Bool expressions, independent of the simplifier that it checks.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ir/nodes/expr_node.h"

namespace tensordsl::ir {

using Point = std::vector<std::pair<std::string, std::int64_t>>;

class Evaluator {
 public:
  /// `fits` turns false when a value leaves its type. With `wrap` such values wrap as they would on a device,
  /// else only those of constant sub-expressions do (Vars whose name begins with 'c' count as constants).
  /// `load` gives the value of a buffer at an index; by default some function of the index.
  using Load = std::function<std::int64_t(std::int64_t)>;
  explicit Evaluator(const Point& point, bool wrap = true, Load load = nullptr)
      : point_(point), wrap_(wrap), load_(std::move(load)) {}

  std::int64_t operator()(const Expr& e, int lane = 0) { return evaluate(*e, lane).number; }
  bool fits = true;

 private:
  struct Value {
    std::int64_t number;
    bool constant;
  };

  static std::int64_t wrapped(Type type, std::int64_t v) {
    switch (type.bits) {
      case 8:
        return type.is_uint() ? static_cast<std::uint8_t>(v) : static_cast<std::int8_t>(v);
      case 32:
        return static_cast<std::int32_t>(v);
      default:
        return v;
    }
  }

  static std::int64_t floored(std::int64_t a, std::int64_t b) {
    std::int64_t q = a / b;
    while (q * b > a && b > 0) --q;
    while (q * b < a && b < 0) --q;
    return q;
  }

  Value evaluate(const ExprNode& e, int lane) {
    switch (e.kind) {
      case ExprKind::IntImm:
        return {e.value, true};
      case ExprKind::Var:
        for (const auto& [name, value] : point_) {
          if (name == e.name) return {value, name[0] == 'c'};
        }
        throw std::runtime_error("no value for " + e.name);
      case ExprKind::Ramp:
        return {evaluate(*e[0], 0).number + lane * evaluate(*e[1], 0).number, false};
      case ExprKind::Broadcast:
        return evaluate(*e[0], 0);
      case ExprKind::Slice:
        return evaluate(*e[0], lane + static_cast<int>(e.value));
      case ExprKind::Concat:
        for (const Expr& part : e.operands) {
          if (lane < part.type().lanes) return evaluate(*part, lane);
          lane -= part.type().lanes;
        }
        throw std::runtime_error("lane out of range");
      case ExprKind::Load: {
        const std::int64_t i = evaluate(*e[0], e.type.is_vector() ? lane : 0).number;
        return {load_ ? load_(i) : (i * i * 7 + i * 3) % 11, false};
      }
      case ExprKind::Not: {
        const Value a = evaluate(*e[0], lane);
        return {!a.number, a.constant};
      }
      case ExprKind::Select: {
        const Value c = evaluate(*e[0], e[0].type().is_vector() ? lane : 0);
        const Value chosen = evaluate(*e[c.number ? 1 : 2], lane);
        return {chosen.number, chosen.constant && c.constant};
      }
      case ExprKind::Cast: {
        const Value a = evaluate(*e[0], lane);
        return {wrapped(e.type, a.number), a.constant};
      }
      default: {
        const Value a = evaluate(*e[0], lane), b = evaluate(*e[1], lane);
        const std::int64_t exact = e.kind == ExprKind::Intrinsic
                                       ? integer_operation(e.name, a.number, b.number)
                                       : binary(e.kind, a.number, b.number);
        const std::int64_t around = e.type.is_bool() ? exact : wrapped(e.type, exact);
        const bool constant = a.constant && b.constant;
        fits = fits && around == exact;
        return {wrap_ || constant ? around : exact, constant};
      }
    }
  }

  static std::int64_t binary(ExprKind kind, std::int64_t a, std::int64_t b) {
    switch (kind) {
      case ExprKind::Add:
        return a + b;
      case ExprKind::Sub:
        return a - b;
      case ExprKind::Mul:
        return a * b;
      case ExprKind::Div:
        return b == 0 ? 0 : floored(a, b);
      case ExprKind::Mod:
        return b == 0 ? 0 : a - floored(a, b) * b;
      case ExprKind::Min:
        return a < b ? a : b;
      case ExprKind::Max:
        return a > b ? a : b;
      case ExprKind::Eq:
        return a == b;
      case ExprKind::Ne:
        return a != b;
      case ExprKind::Lt:
        return a < b;
      case ExprKind::Le:
        return a <= b;
      case ExprKind::And:
        return a && b;
      case ExprKind::Or:
        return a || b;
      default:
        throw std::runtime_error("unexpected operator");
    }
  }

  static std::int64_t integer_operation(const std::string& name, std::int64_t a, std::int64_t b) {
    if (name == "bitwise_and") return a & b;
    if (name == "bitwise_xor") return a ^ b;
    if (name == "shift_right") {
      for (; b > 0; --b) a = floored(a, 2);
      return a;
    }
    if (b == 0) throw std::runtime_error("divided by 0");
    return name == "truncating_div" ? a / b : a % b;
  }

  const Point& point_;
  bool wrap_;
  Load load_;
};

/// Calls f(point) for every point of the box, `point`'s values running over `domains` one by one.
template <typename F>
void for_each_point(Point& point, const std::vector<std::vector<std::int64_t>>& domains, const F& f,
                    std::size_t axis = 0) {
  if (axis == point.size()) return f();
  for (const std::int64_t value : domains[axis]) {
    point[axis].second = value;
    for_each_point(point, domains, f, axis + 1);
  }
}

inline std::vector<std::int64_t> range(std::int64_t low, std::int64_t high) {
  std::vector<std::int64_t> values;
  for (std::int64_t v = low; v <= high; ++v) values.push_back(v);
  return values;
}

}  // namespace tensordsl::ir
