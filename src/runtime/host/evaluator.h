// Evaluates expressions that were compiled to a flat array of nodes: the core of the interpreter and the
// simulator. No name is looked up and nothing is allocated during an evaluation. ir/operations/operations.h
// computes operators; this file decides which operands are evaluated, in which lane, and how often.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "base/scalar.h"
#include "ir/nodes/dot_product.h"
#include "ir/nodes/expr_node.h"
#include "ir/nodes/reinterpret.h"
#include "ir/operations/operations.h"
#include "tensordsl/error.h"

namespace tensordsl::runtime {

/// Operation of a node.
enum class Op : std::uint8_t {
  Constant,
  Variable,
  Unary,
  Binary,
  Ternary,
  LazyAnd,
  LazyOr,
  Select,
  Ramp,
  Broadcast,
  Slice,
  Concat,
  Access,   // a Load or a Call
  Promise,  // a value that is said to be in a range
  Dot,      // products of lanes, added to a number
  Once,     // its operand, computed once in an evaluation
};

struct Node {
  Op op = Op::Constant;
  Type type;
  int first = 0;  // position of the first operand in the operand array
  int count = 0;
  int a = 0, b = 0, c = 0;  // the first three of them
  int target = 0;  // Variable: the slot of lane 0; Access: the result of resolve_access(); Slice: first lane
  std::int64_t alignment = 1;         // Access: its first index is said to be a multiple of it
  ir::Operation operation = nullptr;  // Unary, Binary, Ternary; Ramp: base + ...
  ir::Operation other = nullptr;      // Ramp: ... stride*lane; arithmetic on f16: the same on f32
  Scalar constant{};                  // Once: the value, if `stamp` is the current evaluation's
  std::uint64_t stamp = 0;
};

/// Derived gives
///   int resolve_variable(const ir::ExprNode&)  the slot of a Var; a vector takes one slot per lane
///   int resolve_access(const ir::ExprNode&)    the target that the Node of a Load or a Call gets
///   Scalar access(const Node&, int lane)       the loaded value
///   Scalar broken_promise(Scalar value, Scalar low, Scalar high)   the replacement of a value outside
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

  /// Begins a new evaluation: variables and memory may have changed.
  void begin(const Scalar* variables) {
    variables_ = variables;
    ++stamp_;
  }

  Scalar eval(int number, int lane = 0) {
    Node& n = nodes_[static_cast<std::size_t>(number)];
    switch (n.op) {
      case Op::Constant:
        return n.constant;
      case Op::Variable:
        return variables_[n.target + lane];
      case Op::Unary:
        return computed(n, eval(n.a, lane), {}, {});
      case Op::Binary: {
        const Scalar a = eval(n.a, lane);
        return computed(n, a, eval(n.b, lane), {});
      }
      case Op::Ternary: {
        const Scalar a = eval(n.a, lane), b = eval(n.b, lane);
        return computed(n, a, b, eval(n.c, lane));
      }
      case Op::LazyAnd:
        return eval(n.a).i ? eval(n.b) : Scalar{.i = false};
      case Op::LazyOr:
        return eval(n.a).i ? Scalar{.i = true} : eval(n.b);
      case Op::Select:
        return eval(n.a, n.target ? lane : 0).i ? eval(n.b, lane) : eval(n.c, lane);
      case Op::Ramp: {
        const Scalar base = eval(n.a);
        return n.operation(base, n.other(eval(n.b), scalar_of(n.type, lane), {}), {});
      }
      case Op::Broadcast:
        return eval(n.a);
      case Op::Slice:
        return eval(n.a, n.target + lane);
      case Op::Concat:
        return concat(n, lane);
      case Op::Access:
        return static_cast<Derived*>(this)->access(n, lane);
      case Op::Promise: {
        const Scalar value = eval(n.a, lane), low = eval(n.b, lane), high = eval(n.c, lane);
        const bool is_kept = n.operation(low, value, {}).i != 0 && n.operation(value, high, {}).i != 0;
        return is_kept ? value : static_cast<Derived*>(this)->broken_promise(value, low, high);
      }
      case Op::Dot: {
        std::int64_t sum = eval(n.c).i;
        for (int i = 0; i < ir::kDotProductLanes; ++i) sum += eval(n.a, i).i * eval(n.b, i).i;
        return scalar_of(n.type, sum);
      }
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
  /// True if arithmetic on f16 gave another value than arithmetic on f32 would have.
  bool has_rounded_half() const { return rounds_half_; }

  int operand(const Node& n, int i) const { return operands_[static_cast<std::size_t>(n.first + i)]; }
  Type type_of(int number) const { return nodes_[static_cast<std::size_t>(number)].type; }

 private:
  Scalar computed(const Node& n, Scalar a, Scalar b, Scalar c) {
    const Scalar result = n.operation(a, b, c);
    if (n.other) {
      const double exact = n.other(a, b, c).f;
      rounds_half_ = rounds_half_ || (result.f != exact && exact == exact);
    }
    return result;
  }

  Scalar concat(const Node& n, int lane) {
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

  void fill(Node& node, const ir::ExprNode& e) {
    using ir::ExprKind;
    switch (e.kind) {
      case ExprKind::IntImm:
        node.constant = {.i = e.value};
        return;
      case ExprKind::FloatImm:
        node.constant = {.f = e.number};
        return;
      case ExprKind::Var:
        node.op = Op::Variable;
        node.target = static_cast<Derived*>(this)->resolve_variable(e);
        return;
      case ExprKind::Select:
        node.op = Op::Select;
        node.target = e[0].type().is_vector();
        return;
      case ExprKind::Ramp:
        node.op = Op::Ramp;
        node.operation = ir::find_operator(ExprKind::Add, e.type);
        node.other = ir::find_operator(ExprKind::Mul, e.type);
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
        if (e.kind == ExprKind::Load) node.alignment = e.value;
        return;
      case ExprKind::And:
      case ExprKind::Or:
        // Follows OpenCL C: scalars skip the second operand if the first decides, vectors do not.
        if (e.type.is_vector()) return fill_operation(node, e);
        node.op = e.kind == ExprKind::And ? Op::LazyAnd : Op::LazyOr;
        return;
      case ExprKind::Intrinsic:
        if (ir::is_dot_product(e)) {
          node.op = Op::Dot;
          return;
        }
        if (e.name != "promise_clamped") return fill_operation(node, e);
        node.op = Op::Promise;
        node.operation = ir::find_operator(ExprKind::Le, e.type);
        return;
      default:
        return fill_operation(node, e);
    }
  }

  void fill_operation(Node& node, const ir::ExprNode& e) {
    node.op = node.count == 1 ? Op::Unary : node.count == 2 ? Op::Binary : Op::Ternary;
    node.operation = ir::operation_of(e);
    if (!node.operation) {
      throw InternalError(fmt::format("evaluator: unsupported operation on {}", to_string(e[0].type())));
    }
    // Arithmetic on f16, which only kernels that ask for it have.
    const bool rounds =
        e.type.element() == Float(16) && e.kind != ir::ExprKind::Cast && !ir::is_reinterpret(e);
    if (rounds) node.other = ir::operation_of(e, Float(32));
  }

  std::vector<Node> nodes_;
  std::vector<int> operands_;
  std::unordered_map<const ir::ExprNode*, int> compiled_;
  std::unordered_map<const ir::ExprNode*, int> uses_;
  const Scalar* variables_ = nullptr;
  std::uint64_t stamp_ = 0;
  bool rounds_half_ = false;
};

}  // namespace tensordsl::runtime
