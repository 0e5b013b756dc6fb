// Evaluates expressions that were compiled to a flat array of nodes: the core of the interpreter and the
// simulator. No name is looked up and nothing is allocated during an evaluation.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/constant_fold.h"
#include "ir/expr_node.h"
#include "ir/intrinsics.h"
#include "runtime/element.h"
#include "tensordsl/error.h"

namespace tensordsl::runtime {

/// What one node does. I and F tell operators on integers (and Bools) from those on floats.
enum class Op : std::uint8_t {
  Constant,
  Variable,
  AddI,
  SubI,
  MulI,
  DivI,
  ModI,
  MinI,
  MaxI,
  EqI,
  NeI,
  LtI,
  LeI,
  AddF,
  SubF,
  MulF,
  DivF,
  MinF,
  MaxF,
  EqF,
  NeF,
  LtF,
  LeF,
  And,
  Or,
  Not,
  Select,
  Keep,
  Wrap,
  IntToFloat,
  FloatToInt,
  FloatToBool,  // casts
  Ramp,
  Broadcast,
  Slice,
  Concat,
  Access,  // a Load or a Call
  Intrinsic,
  RoundHalf,   // a cast to f16
  NarrowHalf,  // the same behind arithmetic that the schedule moved to f16
  Once,        // its operand, computed once in an evaluation
};

struct Node {
  Op op = Op::Constant;
  ir::Intrinsic intrinsic = ir::Intrinsic::Abs;
  Type type;
  int first = 0;  // of its operands, in the operand array
  int count = 0;
  int a = 0, b = 0, c = 0;  // the first three of them
  int target = 0;  // Variable: the slot of lane 0; Access: what the derived class resolved; Slice: first lane
  Cell constant{};  // Once: the value, if `stamp` is that of the evaluation
  std::uint64_t stamp = 0;
};

/// Derived gives
///   int resolve_variable(const ir::ExprNode&)  the slot of a Var; a vector takes one slot per lane
///   int resolve_access(const ir::ExprNode&)    what the Node of a Load or a Call gets as its target
///   Cell access(const Node&, int lane)         the loaded value
/// Values are evaluated lane by lane, which makes a select lazy in each lane.
template <typename Derived>
class Evaluator {
 public:
  /// Returns the root's number.
  int compile(const Expr& root) {
    compiled_.clear();
    uses_.clear();
    count_uses(root);
    return compile_node(root);
  }

  /// A new evaluation: variables and memory may have changed.
  void begin(const Cell* variables) {
    variables_ = variables;
    ++stamp_;
  }

  Cell eval(int number, int lane = 0) {
    Node& n = nodes_[static_cast<std::size_t>(number)];
    const auto left = [&] { return eval(n.a, lane); };
    const auto right = [&] { return eval(n.b, lane); };
    const auto wrap = [&](std::int64_t value) { return int_cell(wrapped(n.type, value)); };
    const auto truth = [](bool value) { return int_cell(value); };
    switch (n.op) {
      case Op::Constant:
        return n.constant;
      case Op::Variable:
        return variables_[n.target + lane];
      case Op::AddI:
        return wrap(wrapping_add(left().i, right().i));
      case Op::SubI:
        return wrap(wrapping_sub(left().i, right().i));
      case Op::MulI:
        return wrap(wrapping_mul(left().i, right().i));
      case Op::DivI:
        return wrap(ir::floor_div(left().i, right().i));
      case Op::ModI:
        return wrap(ir::floor_mod(left().i, right().i));
      case Op::MinI:
        return int_cell(std::min(left().i, right().i));
      case Op::MaxI:
        return int_cell(std::max(left().i, right().i));
      case Op::EqI:
        return truth(left().i == right().i);
      case Op::NeI:
        return truth(left().i != right().i);
      case Op::LtI:
        return truth(left().i < right().i);
      case Op::LeI:
        return truth(left().i <= right().i);
      case Op::AddF:
        return float_cell(left().f + right().f);
      case Op::SubF:
        return float_cell(left().f - right().f);
      case Op::MulF:
        return float_cell(left().f * right().f);
      case Op::DivF:
        return float_cell(left().f / right().f);
      case Op::MinF:
        return float_cell(std::fmin(left().f, right().f));
      case Op::MaxF:
        return float_cell(std::fmax(left().f, right().f));
      case Op::EqF:
        return truth(left().f == right().f);
      case Op::NeF:
        return truth(left().f != right().f);
      case Op::LtF:
        return truth(left().f < right().f);
      case Op::LeF:
        return truth(left().f <= right().f);
      // As in OpenCL C, scalars leave out the second operand if the first decides and vectors do not.
      case Op::And:
        return n.type.is_vector() ? truth((left().i & right().i) != 0) : truth(left().i && right().i);
      case Op::Or:
        return n.type.is_vector() ? truth((left().i | right().i) != 0) : truth(left().i || right().i);
      case Op::Not:
        return truth(left().i == 0);
      case Op::Select:
        return eval(n.a, n.target ? lane : 0).i ? eval(n.b, lane) : eval(n.c, lane);
      case Op::Keep:
        return left();
      case Op::Wrap:
        return wrap(left().i);
      case Op::IntToFloat:
        return float_cell(static_cast<float>(left().i));
      case Op::FloatToInt:
        return int_cell(saturated(n.type, static_cast<double>(left().f)));
      case Op::FloatToBool:
        return truth(left().f != 0);
      case Op::Ramp:
        return wrap(wrapping_add(eval(n.a).i, wrapping_mul(eval(n.b).i, lane)));
      case Op::Broadcast:
        return eval(n.a);
      case Op::Slice:
        return eval(n.a, n.target + lane);
      case Op::Concat:
        return concat(n, lane);
      case Op::Access:
        return static_cast<Derived*>(this)->access(n, lane);
      case Op::RoundHalf:
        return float_cell(rounded_to_half(left().f));
      case Op::NarrowHalf: {
        const float value = left().f, half = rounded_to_half(value);
        rounds_half_ = rounds_half_ || (half != value && value == value);
        return float_cell(half);
      }
      case Op::Intrinsic:
        return float_cell(ir::evaluate(n.intrinsic, left().f, n.count > 1 ? right().f : 0,
                                       n.count > 2 ? eval(n.c, lane).f : 0));
      case Op::Once:
        if (n.stamp != stamp_) {
          n.constant = eval(n.a);
          n.stamp = stamp_;
        }
        return n.constant;
    }
    return {};
  }

 protected:
  /// Whether arithmetic on f16 gave another value than arithmetic on f32 would have.
  bool has_rounded_half() const { return rounds_half_; }

  int operand(const Node& n, int i) const { return operands_[static_cast<std::size_t>(n.first + i)]; }
  Type type_of(int number) const { return nodes_[static_cast<std::size_t>(number)].type; }

 private:
  static float rounded_to_half(float value) { return half_to_float(float_to_half(value)); }

  // ir's wrapping arithmetic, inlined.
  static std::int64_t wrapping_add(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  }
  static std::int64_t wrapping_sub(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
  }
  static std::int64_t wrapping_mul(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  }

  Cell concat(const Node& n, int lane) {
    for (int i = 0;; ++i) {
      const int lanes = type_of(operand(n, i)).lanes;
      if (lane < lanes) return eval(operand(n, i), lane);
      lane -= lanes;
    }
  }

  void count_uses(const Expr& e) {
    if (uses_[e.get()]++ > 0) return;
    for (const Expr& operand : e->operands) {
      count_uses(operand);
      // Every lane of a broadcast asks for the same scalar.
      if (e->type.is_vector() && !operand.type().is_vector()) ++uses_[operand.get()];
    }
  }

  int add(const Node& node) {
    nodes_.push_back(node);
    return static_cast<int>(nodes_.size()) - 1;
  }

  int compile_node(const Expr& e) {
    const auto known = compiled_.find(e.get());
    if (known != compiled_.end()) return known->second;
    std::vector<int> operands;
    for (const Expr& operand : e->operands) operands.push_back(compile_node(operand));
    Node node;
    node.type = e->type;
    node.first = static_cast<int>(operands_.size());
    node.count = static_cast<int>(operands.size());
    operands_.insert(operands_.end(), operands.begin(), operands.end());
    operands.resize(std::max<std::size_t>(operands.size(), 3));
    node.a = operands[0];
    node.b = operands[1];
    node.c = operands[2];
    fill(node, *e);
    int number = add(node);
    if (const bool casts = is_cast_to_half(*e); casts || is_half_arithmetic(*e)) {
      Node rounded;
      rounded.op = casts ? Op::RoundHalf : Op::NarrowHalf;
      rounded.type = e->type;
      rounded.a = number;
      number = add(rounded);
    }
    if (uses_[e.get()] > 1 && node.count > 0 && !e->type.is_vector()) {
      Node once;
      once.op = Op::Once;
      once.type = e->type;
      once.a = number;
      number = add(once);
    }
    compiled_[e.get()] = number;
    return number;
  }

  static bool is_cast_to_half(const ir::ExprNode& e) {
    return e.kind == ir::ExprKind::Cast && e.type.element() == Float(16);
  }

  /// Arithmetic on f16, which only kernels that ask for it have.
  static bool is_half_arithmetic(const ir::ExprNode& e) {
    using ir::ExprKind;
    if (e.type.element() != Float(16)) return false;
    switch (e.kind) {
      case ExprKind::Add:
      case ExprKind::Sub:
      case ExprKind::Mul:
      case ExprKind::Div:
      case ExprKind::Intrinsic:
        return true;
      default:
        return false;
    }
  }

  void fill(Node& node, const ir::ExprNode& e) {
    using ir::ExprKind;
    const auto by_type = [&](Op integer, Op real) { return e[0].type().is_float() ? real : integer; };
    switch (e.kind) {
      case ExprKind::IntImm:
        node.constant = int_cell(e.value);
        return;
      case ExprKind::FloatImm:
        node.constant = float_cell(static_cast<float>(e.number));
        return;
      case ExprKind::Var:
        node.op = Op::Variable;
        node.target = static_cast<Derived*>(this)->resolve_variable(e);
        return;
      case ExprKind::Add:
        node.op = by_type(Op::AddI, Op::AddF);
        return;
      case ExprKind::Sub:
        node.op = by_type(Op::SubI, Op::SubF);
        return;
      case ExprKind::Mul:
        node.op = by_type(Op::MulI, Op::MulF);
        return;
      case ExprKind::Div:
        node.op = by_type(Op::DivI, Op::DivF);
        return;
      case ExprKind::Mod:
        node.op = Op::ModI;
        return;
      case ExprKind::Min:
        node.op = by_type(Op::MinI, Op::MinF);
        return;
      case ExprKind::Max:
        node.op = by_type(Op::MaxI, Op::MaxF);
        return;
      case ExprKind::Eq:
        node.op = by_type(Op::EqI, Op::EqF);
        return;
      case ExprKind::Ne:
        node.op = by_type(Op::NeI, Op::NeF);
        return;
      case ExprKind::Lt:
        node.op = by_type(Op::LtI, Op::LtF);
        return;
      case ExprKind::Le:
        node.op = by_type(Op::LeI, Op::LeF);
        return;
      case ExprKind::And:
        node.op = Op::And;
        return;
      case ExprKind::Or:
        node.op = Op::Or;
        return;
      case ExprKind::Not:
        node.op = Op::Not;
        return;
      case ExprKind::Select:
        node.op = Op::Select;
        node.target = e[0].type().is_vector();
        return;
      case ExprKind::Cast:
        if (e.type.is_float()) {
          node.op = by_type(Op::IntToFloat, Op::Keep);
        } else {
          node.op = by_type(Op::Wrap, e.type.is_bool() ? Op::FloatToBool : Op::FloatToInt);
        }
        return;
      case ExprKind::Ramp:
        node.op = Op::Ramp;
        return;
      case ExprKind::Broadcast:
        node.op = Op::Broadcast;
        return;
      case ExprKind::Slice:
        node.op = Op::Slice;
        node.target = static_cast<int>(e.value);
        return;
      case ExprKind::Concat:
        node.op = Op::Concat;
        return;
      case ExprKind::Load:
      case ExprKind::Call:
        node.op = Op::Access;
        node.target = static_cast<Derived*>(this)->resolve_access(e);
        return;
      case ExprKind::Intrinsic: {
        const ir::IntrinsicEntry* entry = ir::find_intrinsic(e.name);
        if (!entry) throw InternalError("evaluator: unknown intrinsic " + e.name);
        node.op = Op::Intrinsic;
        node.intrinsic = entry->id;
        return;
      }
    }
  }

  std::vector<Node> nodes_;
  std::vector<int> operands_;
  std::unordered_map<const ir::ExprNode*, int> compiled_;
  std::unordered_map<const ir::ExprNode*, int> uses_;
  const Cell* variables_ = nullptr;
  std::uint64_t stamp_ = 0;
  bool rounds_half_ = false;
};

}  // namespace tensordsl::runtime
