// The nodes that an Expr refers to.
//
// One node type serves every operator: a kind, a type, operands and a payload. Passes that care about a few
// kinds switch on them; everything else goes through map_operands and stays generic. Nodes are immutable and
// carry a structural hash, so equality is a compare of two words in nearly every case and a common
// sub-expression is one map look-up.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ir/nodes/name_filter.h"
#include "tensordsl/expr.h"
#include "tensordsl/type.h"

namespace tensordsl::ir {

struct Function;

enum class ExprKind : std::uint8_t {
  IntImm,    // value: an integer (a u64 by its bits) or a bool
  FloatImm,  // number; in an expression that a user is still building, value may mark it, see make_literal
  Var,       // name; in an expression that a user is still building, value may mark it, see VarMark
  Add,
  Sub,
  Mul,
  Div,
  Mod,
  Min,
  Max,  // operands: a, b of the node's type
  MinOrNan,
  MaxOrNan,  // operands: a, b of the node's type, floats; a NaN if one of them is; name: kExtremumOrNan
  Eq,
  Ne,
  Lt,
  Le,  // operands: a, b of one type; the node is Bool
  And,
  Or,         // operands: a, b, Bool
  Not,        // operand: Bool
  Select,     // operands: condition (Bool, scalar or same lanes), if_true, if_false; lazy
  Cast,       // operand of another type, same lanes
  Ramp,       // operands: base, stride (scalars); lanes of type
  Broadcast,  // operand: a scalar; lanes of type
  Slice,      // operand: a vector; value: first lane; lanes of type
  Concat,     // operands: scalars or vectors whose lanes add up to the type's
  Load,  // name: the buffer; operands: indices, one per dimension, or one once addresses are linear; value: a
         // vector's first index is a multiple of it (1: nothing is known), which stays with its index,
         // or kInside; component, until each component of a tuple is a buffer of its own
  Intrinsic,  // name: "exp", "sqrt", "mad", ...; operands
  Call,       // function: a Func or Input (null: the Func being defined); name; operands: indices; component
};

/// The name in ExprNode::names that marks an expression with such an intrinsic.
inline constexpr const char* kExtremumOrNan = "extremum_or_nan";

/// Value of a Load of an image's texel whose coordinates are proven to be inside the image.
inline constexpr std::int64_t kInside = -1;

/// Component number of a Func whose values are not tuples.
inline constexpr int kWhole = -1;
/// Returns the name of the component's buffer: "f.1", or "f" for a whole Func.
std::string buffer_name(const std::string& tensor, int component);

struct ExprNode {
  ExprKind kind = ExprKind::IntImm;
  Type type;
  std::vector<Expr> operands;
  std::int64_t value = 0;
  double number = 0;
  std::string name;
  std::shared_ptr<const Function> function;
  std::uint64_t hash = 0;
  NameFilter names;        // names in the tree, this node included
  int levels = 1;          // height of the tree, this node included
  int component = kWhole;  // component of a Func whose values are tuples

  const Expr& operator[](std::size_t i) const { return operands[i]; }
};

/// Walks over expressions recurse, so trees are no deeper than this: in definitions, and, as lowering puts
/// them together, at all.
inline constexpr int kMaxLevelsDefined = 1500;
inline constexpr int kMaxLevels = 4000;

// Builders. They throw DefinitionError on a tree deeper than kMaxLevels. They check types (InternalError) but
// do not simplify; see simplify.h for that.
Expr make_int(Type type, std::int64_t value);  // scalar or, with lanes, a Broadcast of it
Expr make_float(Type type, double value);
/// Makes a double literal in an expression that a user is still building: an f32, which remembers the exact
/// value.
Expr make_literal(double value);
double exact_number(const ExprNode& literal);
Expr make_zero(Type type);
Expr make_const(Type type, double value);
Expr make_bool(bool value);
Expr make_var(const std::string& name, Type type = Int(32));

/// Meaning of a Var while a definition is being written; finished definitions hold plain Vars only.
enum class VarMark : std::int64_t {
  Plain = 0,
  Param = 1,
  Reduction = 2,  // an axis of an RDom: the operands are min and extent of every axis of it, outermost first;
                  // `function` has the predicate of its first definition, once where() has been called
};
Expr make_param(const std::string& name, Type type);
Expr make_reduction_var(const std::string& name, const std::vector<Expr>& ranges,
                        std::shared_ptr<const Function> predicate = nullptr);
/// Returns the predicate of the RDom of which the variable is an axis; undefined if it has none.
Expr predicate_of(const Expr& reduction_var);
/// Returns the expression with plain Vars and constants.
Expr unmarked(const Expr& expr);
/// True if the value is known when a kernel is launched: it has only constants and Params.
bool is_launch_constant(const Expr& expr);

Expr make_unary(ExprKind kind, Expr a);           // Not
Expr make_binary(ExprKind kind, Expr a, Expr b);  // Add .. Or; types must agree
Expr make_select(Expr condition, Expr if_true, Expr if_false);
Expr make_cast(Type type, Expr value);  // returns value itself if the type is the same
Expr make_ramp(Expr base, Expr stride, int lanes);
Expr make_broadcast(Expr value, int lanes);  // returns value itself for one lane
Expr make_slice(Expr vector, int first, int lanes);
Expr make_concat(std::vector<Expr> parts);
Expr make_load(Type type, const std::string& buffer, std::vector<Expr> indices, std::int64_t alignment = 1,
               int component = kWhole);
Expr make_intrinsic(Type type, const std::string& name, std::vector<Expr> operands);
Expr make_call(Type type, std::shared_ptr<const Function> function, const std::string& name,
               std::vector<Expr> indices, int component = kWhole);

/// Returns a node like `expr` with other operands; `expr` itself if none changed. Types of the new operands
/// must fit, but lanes may differ: the node's lanes are then recomputed from its operands.
Expr with_operands(const Expr& expr, std::vector<Expr> operands);

/// Applies `f` to each operand and rebuilds; returns `expr` itself if nothing changed.
Expr map_operands(const Expr& expr, const std::function<Expr(const Expr&)>& f);

/// Calls `f` on `expr` and everything below it, parents first, a shared node once. `f` returns false to skip
/// the operands.
void visit(const Expr& expr, const std::function<bool(const Expr&)>& f);

/// Rebuilds `expr` from the leaves up: `f` gets each node with its operands already rewritten. A shared node
/// is rewritten once, so the time is linear in the nodes, not in the paths.
Expr rewrite(const Expr& expr, const std::function<Expr(const Expr&)>& f);

bool is_const(const Expr& expr);  // IntImm, FloatImm, or Broadcast of one
bool is_const(const Expr& expr, double value);
/// Returns the value of an IntImm or of a broadcast of one; null for other expressions, and for a u64 past
/// the largest i64.
const std::int64_t* as_int(const Expr& expr);
bool uses_var(const Expr& expr, const std::string& name);
bool is_reduction_operator(ExprKind kind);  // Add, Mul, and the smaller and the larger of two
bool is_arithmetic(ExprKind kind);          // those, Sub and Div
bool is_commutative(ExprKind kind);
bool is_comparison(ExprKind kind);  // Eq, Ne, Lt, Le

struct ExprHash {
  std::size_t operator()(const Expr& e) const { return e.defined() ? e->hash : 0; }
};
struct ExprSame {
  bool operator()(const Expr& a, const Expr& b) const { return same(a, b); }
};

}  // namespace tensordsl::ir
