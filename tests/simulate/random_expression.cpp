#include "simulate/random_expression.h"

#include <iterator>
#include <limits>
#include <vector>

#include "ir/nodes/interval.h"
#include "ir/operations/intrinsics.h"
#include "ir/text/print.h"

namespace tensordsl::simulator {

using namespace ir;

namespace {

/// The largest magnitude of an operand with which no result overflows; 0 for operators that do not overflow.
std::int32_t largest_operand(ExprKind kind) {
  switch (kind) {
    case ExprKind::Add:
    case ExprKind::Sub:
      return INT32_MAX / 2;
    case ExprKind::Mul:
      return 46340;
    case ExprKind::Div:
      return INT32_MAX;
    default:
      return 0;
  }
}

Interval range(const Expr& e) {
  if (const std::int64_t* value = as_int(e)) return Interval::point(*value);
  if (e->kind == ExprKind::Min) return min(range((*e)[0]), range((*e)[1]));
  if (e->kind == ExprKind::Max) return max(range((*e)[0]), range((*e)[1]));
  return range_of(e.type());
}

class Generator {
 public:
  Generator(std::uint64_t seed, const Drawing& drawing) : random_(seed), drawing_(drawing) {}

  Expr draw() { return draw(any_type(), drawing_.depth); }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  Type any_type() { return kTypes[below(std::size(kTypes))]; }

  Expr draw(Type type, int depth) {
    if (depth == 0 || below(10) == 0) return leaf(type);
    switch (below(8)) {
      case 0:
        return make_select(draw(Bool(), depth - 1), draw(type, depth - 1), draw(type, depth - 1));
      case 1:
        return guarded_read(type, depth);
      case 2:
      case 3:
        return make_cast(type, draw(any_type(), depth - 1));
      default:
        break;
    }
    if (type == Float(16) && !drawing_.has_half_arithmetic)
      return make_cast(type, draw(Float(32), depth - 1));
    if (type.is_bool()) return logic(depth);
    return below(3) == 0 ? intrinsic(type, depth) : arithmetic(type, depth);
  }

  Expr leaf(Type type) {
    const Expr i = make_var("i");
    if (below(2) == 0) return make_load(type, input_name(type), {i});
    if (type == Int(32) && below(2) == 0) return i;
    if (type.is_float()) {
      constexpr double kNumbers[] = {0, -0.0, 1, -1, 0.5, 2.5, -7, 1000, 65504, 1e10, 1e-7, INFINITY, NAN};
      return make_float(type, kNumbers[below(std::size(kNumbers))]);
    }
    constexpr std::int64_t kNumbers[] = {0,   1,   -1,        2,         3,         7,         8,        -128,
                                         127, 255, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, 1LL << 40};
    return make_int(type, kNumbers[below(std::size(kNumbers))]);
  }

  /// The read is outside the input wherever it is not taken.
  Expr guarded_read(Type type, int depth) {
    const Expr at = draw(Int(32), depth - 1);
    const Expr is_inside = 0 <= at && at < kPoints;
    const Expr read = make_load(type, input_name(type), {at});
    if (type.is_bool() && drawing_.has_lazy_logic) return below(2) ? is_inside && read : !is_inside || read;
    return make_select(is_inside, read, draw(type, depth - 1));
  }

  Expr logic(int depth) {
    Type type = any_type();
    if (type == Float(16) && !drawing_.has_half_arithmetic) type = Float(32);
    const auto operand = [&](Type t) { return draw(t, depth - 1); };
    switch (below(7)) {
      case 0:
        return make_binary(ExprKind::And, operand(Bool()), operand(Bool()));
      case 1:
        return make_binary(ExprKind::Or, operand(Bool()), operand(Bool()));
      case 2:
        return make_unary(ExprKind::Not, operand(Bool()));
      default: {
        constexpr ExprKind kKinds[] = {ExprKind::Eq, ExprKind::Ne, ExprKind::Lt, ExprKind::Le};
        return make_binary(kKinds[below(4)], operand(type), operand(type));
      }
    }
  }

  Expr arithmetic(Type type, int depth) {
    constexpr ExprKind kKinds[] = {ExprKind::Add, ExprKind::Sub, ExprKind::Mul, ExprKind::Div,
                                   ExprKind::Min, ExprKind::Max, ExprKind::Mod};
    constexpr ExprKind kOfFloats[] = {ExprKind::Add, ExprKind::Sub, ExprKind::Mul,      ExprKind::Div,
                                      ExprKind::Min, ExprKind::Max, ExprKind::MinOrNan, ExprKind::MaxOrNan};
    const ExprKind kind = type.is_float() ? kOfFloats[below(8)] : kKinds[below(7)];
    const auto operand = [&] {
      const Expr e = draw(type, depth - 1);
      const std::int32_t limit = largest_operand(kind);
      return drawing_.is_tame && type == Int(32) && limit > 0 ? clamp(e, -limit, limit) : e;
    };
    return make_binary(kind, operand(), operand());
  }

  Expr intrinsic(Type type, int depth) {
    std::vector<IntrinsicEntry> known;
    for (const IntrinsicEntry& candidate : intrinsics()) {
      // reduce_strength makes these, where they are defined; a promise has to be kept.
      const bool is_anywhere =
          !candidate.name.starts_with("truncating_") && candidate.name != "promise_clamped";
      if (candidate.on(type) && is_anywhere) known.push_back(candidate);
    }
    const IntrinsicEntry& entry = known[static_cast<std::size_t>(below(static_cast<int>(known.size())))];
    std::vector<Expr> operands;
    for (int i = 0; i < entry.operands; ++i) operands.push_back(draw(type, depth - 1));
    return make_intrinsic(type, std::string(entry.name), operands);
  }

  std::mt19937_64 random_;
  const Drawing& drawing_;
};

/// Every expression that is one step smaller.
std::vector<Expr> smaller(const Expr& expr) {
  std::vector<Expr> result, nodes;
  visit(expr, [&](const Expr& e) {
    nodes.push_back(e);
    return true;
  });
  result.assign(nodes.begin() + 1, nodes.end());
  for (const Expr& node : nodes) {
    std::vector<Expr> replacements{make_zero(node.type())};
    for (const Expr& operand : node->operands) {
      if (operand.type() == node.type()) replacements.push_back(operand);
    }
    for (const Expr& replacement : replacements) {
      result.push_back(rewrite(expr, [&](const Expr& e) { return same(e, node) ? replacement : e; }));
    }
  }
  return result;
}

}  // namespace

std::string input_name(Type type) { return "in_" + to_string(type); }

Expr draw_expression(std::uint64_t seed, const Drawing& drawing) { return Generator(seed, drawing).draw(); }

bool is_tame(const Expr& expr) {
  bool result = true;
  visit(expr, [&](const Expr& e) {
    const std::int64_t limit = e.type() == Int(32) ? largest_operand(e->kind) : 0;
    for (const Expr& operand : e->operands)
      result = result && (limit == 0 || Interval{-limit, limit}.contains(range(operand)));
    return result;
  });
  return result;
}

Expr shrunk(Expr failing, const std::function<bool(const Expr&)>& fails) {
  for (bool progress = true; progress;) {
    progress = false;
    for (const Expr& candidate : smaller(failing)) {
      if (print(candidate).size() >= print(failing).size() || !fails(candidate)) continue;
      failing = candidate;
      progress = true;
      break;
    }
  }
  return failing;
}

}  // namespace tensordsl::simulator
