#include "ir/analyze/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_set>

#include "ir/nodes/dot_product.h"
#include "ir/nodes/integer_operations.h"
#include "ir/nodes/reinterpret.h"
#include "ir/nodes/sub_groups.h"
#include "ir/operations/intrinsics.h"
#include "ir/text/print.h"
#include "tensordsl/error.h"

namespace tensordsl::ir {
namespace {

template <typename Node>
[[noreturn]] void broken(std::string_view rule, const Node& node) {
  std::string text = print(node);
  text = text.substr(0, text.find('\n'));
  throw InternalError(fmt::format("verify: {}, in: {}", rule, text));
}

template <typename Node>
void require(bool holds, std::string_view rule, const Node& node) {
  if (!holds) broken(rule, node);
}

std::size_t operand_count(const Expr& e) {
  switch (e->kind) {
    case ExprKind::IntImm:
    case ExprKind::FloatImm:
    case ExprKind::Var:
      return 0;
    case ExprKind::Not:
    case ExprKind::Cast:
    case ExprKind::Broadcast:
    case ExprKind::Slice:
      return 1;
    case ExprKind::Select:
      return 3;
    case ExprKind::Concat:
    case ExprKind::Intrinsic:
      return std::max<std::size_t>(e->operands.size(), 1);
    case ExprKind::Load:  // of a tensor without dimensions: without an index, until addresses are linear
    case ExprKind::Call:
      return e->operands.size();
    default:
      return 2;
  }
}

void check_indices(const Expr& e) {
  for (const Expr& index : e->operands) {
    require(index.type().element() == Int(32), "an index is not i32", e);
    require(index.type().lanes == (*e)[0].type().lanes, "indices have different lanes", e);
    require(index.type().lanes == 1 || index.type().lanes == e.type().lanes,
            "index lanes differ from the value's", e);
  }
}

// Checks one node; its operands are already known to be valid.
void check_node(const Expr& e) {
  if (e->operands.size() != operand_count(e)) {  // which print relies on
    throw InternalError(
        fmt::format("verify: a node with a wrong number of operands, {}", e->operands.size()));
  }
  const Type type = e->type;
  require(is_supported(type.element()) && type.lanes >= 1, "unsupported type", e);
  const auto operand = [&](std::size_t i) { return (*e)[i].type(); };
  switch (e->kind) {
    case ExprKind::IntImm:
      return require(!type.is_float() && !type.is_vector(), "an integer constant has the wrong type", e);
    case ExprKind::FloatImm:
      return require(type.is_float() && !type.is_vector(), "a float constant has the wrong type", e);
    case ExprKind::Var:
      return require(!e->name.empty(), "a variable has no name", e);
    case ExprKind::Add:
    case ExprKind::Sub:
    case ExprKind::Mul:
    case ExprKind::Div:
    case ExprKind::Mod:
    case ExprKind::Min:
    case ExprKind::Max:
    case ExprKind::MinOrNan:
    case ExprKind::MaxOrNan:
      require(operand(0) == type && operand(1) == type, "operand types differ from the node's", e);
      require(type.is_float() || (e->kind != ExprKind::MinOrNan && e->kind != ExprKind::MaxOrNan),
              "a NaN-propagating min or max of integers", e);
      require(!type.is_bool(), "arithmetic on bool", e);
      return require(e->kind != ExprKind::Mod || !type.is_float(), "`%` on a float", e);
    case ExprKind::Eq:
    case ExprKind::Ne:
    case ExprKind::Lt:
    case ExprKind::Le:
      require(operand(0) == operand(1), "operand types differ", e);
      return require(type == Bool(operand(0).lanes), "a comparison must be bool", e);
    case ExprKind::And:
    case ExprKind::Or:
      return require(type.is_bool() && operand(0) == type && operand(1) == type, "`&&` and `||` need bools",
                     e);
    case ExprKind::Not:
      return require(type.is_bool() && operand(0) == type, "`!` needs a bool", e);
    case ExprKind::Select:
      require(operand(0) == Bool() || operand(0) == Bool(type.lanes),
              "the condition must be bool, scalar or as wide as the values", e);
      return require(operand(1) == type && operand(2) == type, "operand types differ from the node's", e);
    case ExprKind::Cast:
      return require(operand(0).lanes == type.lanes, "a cast must not change the number of lanes", e);
    case ExprKind::Ramp:
      require(type.is_vector() && type.is_integer(), "a ramp must be a vector of integers", e);
      return require(operand(0) == type.element() && operand(1) == type.element(),
                     "base and stride must be scalars of its type", e);
    case ExprKind::Broadcast:
      return require(type.is_vector() && operand(0) == type.element(), "a broadcast must widen a scalar", e);
    case ExprKind::Slice:
      require(operand(0).element() == type.element(), "operand types differ from the node's", e);
      return require(e->value >= 0 && e->value + type.lanes <= operand(0).lanes, "lanes out of range", e);
    case ExprKind::Concat: {
      int lanes = 0;
      for (const Expr& part : e->operands) {
        require(part.type().element() == type.element(), "operand types differ from the node's", e);
        lanes += part.type().lanes;
      }
      return require(lanes == type.lanes, "the lanes of a concatenation do not add up", e);
    }
    case ExprKind::Load:
      require(!e->name.empty(), "a load has no buffer", e);
      return check_indices(e);
    case ExprKind::Intrinsic: {
      if (const SubGroupOperation* operation = find_sub_group_operation(e->name)) {
        require(e->operands.size() == static_cast<std::size_t>(operation->operands),
                "wrong number of operands", e);
        if (operation->kind == SubGroupOperationKind::Multiply) {
          const bool is_product = operand(0) == Float(16, 8) && operand(1) == Float(16, 4) &&
                                  operand(2) == Float(32, 4) && type == Float(32, 4);
          return require(is_product, "a sub-group cannot multiply matrices of these types", e);
        }
        require(operand(0) == type && is_sub_group_type(type),
                "a sub-group operation does not support this type", e);
        return require(operation->operands == 1 || operand(1) == Int(32),
                       "the lane of a sub-group must be a scalar i32", e);
      }
      if (is_dot_product(*e)) {
        require(e->operands.size() == 3, "wrong number of operands", e);
        for (const std::size_t factor : {0U, 1U}) {
          const Type of = operand(factor);
          require(of.lanes == kDotProductLanes && is_dot_product_type(of.element()),
                  "the operands of a dot product have the wrong types", e);
        }
        return require(operand(2) == Int(32) && type == Int(32), "a dot product must be a scalar i32", e);
      }
      if (is_reinterpret(*e)) {
        require(e->operands.size() == 1, "wrong number of operands", e);
        return require(can_reinterpret(type, operand(0)), "reinterpret must keep the number of bits", e);
      }
      if (find_integer_operation(e->name) != nullptr) {
        require(e->operands.size() == 2, "wrong number of operands", e);
        require(type.is_integer() && operand(0) == type && operand(1) == type,
                "the operands of an integer operation have the wrong types", e);
        return;
      }
      const IntrinsicEntry* intrinsic = find_intrinsic(e->name);
      require(intrinsic != nullptr, "unknown intrinsic", e);
      require(e->operands.size() == static_cast<std::size_t>(intrinsic->operands), "wrong number of operands",
              e);
      require(intrinsic->on(type.element()) != nullptr, "an intrinsic has the wrong type", e);
      for (const Expr& a : e->operands) require(a.type() == type, "operand types differ from the node's", e);
      return;
    }
    case ExprKind::Call:
      return check_indices(e);
  }
}

using Seen = std::unordered_set<const ExprNode*>;

void check_types(const Expr& root, Seen& seen) {
  if (!root.defined()) throw InternalError("verify: an expression is undefined");
  if (!seen.insert(root.get()).second) return;
  for (const Expr& operand : root->operands) check_types(operand, seen);
  check_node(root);
}

class Verifier {
 public:
  Verifier(const std::set<std::string>& buffers, const std::set<std::string>& free,
           const std::set<std::string>& images, bool is_convergent)
      : images_(images), is_convergent_(is_convergent) {
    for (const std::string& name : buffers) buffers_[name] = {};
    for (const std::string& name : free) {
      const bool thread = name == "thread0" || name == "thread1" || name == "thread2";
      variables_[name] = {.type = {}, .known_type = false, .varies = thread};
    }
  }

  void check(const Stmt& s) {
    if (!s.defined()) throw InternalError("verify: a statement is undefined");
    const bool is_convergent_operation = sub_group_operation_of(*s) != nullptr;
    require(!is_convergent_operation || divergent_ == 0 || thread_loops_ > 0 || !is_convergent_,
            "a sub-group operation under a condition that depends on a thread index", s);
    for (const Expr& e : s->exprs) {
      check_expression(e);
      const bool is_operation = is_convergent_operation && &e == s->exprs.data();
      const bool is_alone =
          is_operation ? std::none_of(e->operands.begin(), e->operands.end(), meets) : !meets(e);
      require(is_alone, "a sub-group operation inside an expression", s);
    }
    switch (s->kind) {
      case StmtKind::Block:
        return check_bodies(s);
      case StmtKind::For: {
        require(s->min().type() == Int(32) && s->extent().type() == Int(32), "loop bounds must be scalar i32",
                s);
        const bool diverges = varies(s->extent());
        divergent_ += diverges;
        thread_loops_ += is_thread_loop(s->loop);
        bind(s, {.type = Int(32),
                 .known_type = true,
                 .varies = diverges || varies(s->min()) || is_thread_loop(s->loop)});
        thread_loops_ -= is_thread_loop(s->loop);
        divergent_ -= diverges;
        return;
      }
      case StmtKind::If: {
        require(s->condition().type() == Bool(), "the condition must be a scalar bool", s);
        const bool diverges = varies(s->condition());
        divergent_ += diverges;
        check_bodies(s);
        divergent_ -= diverges;
        return;
      }
      case StmtKind::Let:
        return bind(s, {.type = s->value().type(), .known_type = true, .varies = varies(s->value())});
      case StmtKind::Store:
        return check_store(s);
      case StmtKind::Allocate:
        return check_allocate(s);
      case StmtKind::Barrier:
        require(s->memory == Memory::Local || s->memory == Memory::Global,
                "a barrier must be local or global", s);
        return require(divergent_ == 0 || !is_convergent_,
                       "a barrier under a condition that depends on a thread index", s);
    }
  }

 private:
  struct Variable {
    Type type;
    bool known_type = false;
    bool varies = false;  // from work-item to work-item of a group
  };
  struct Access {
    bool allocated = false;
    bool is_register = false;
    Type type;  // with the lanes of an allocation; without lanes, from the first access, of an argument
    bool known_type = false;
  };

  static bool meets(const Expr& expr) {
    bool found = false;
    visit(expr, [&](const Expr& e) {
      found = found || is_sub_group_operation(*e);
      return !found;
    });
    return found;
  }

  void check_bodies(const Stmt& s) {
    for (const Stmt& inner : s->body) check(inner);
  }

  void bind(const Stmt& s, Variable variable) {
    require(!s->name.empty(), "a name is empty", s);
    require(variables_.emplace(s->name, variable).second, fmt::format("{} is bound twice", s->name), s);
    check_bodies(s);
    variables_.erase(s->name);
  }

  bool varies(const Expr& expr) const {
    bool result = false;
    Seen seen;
    visit(expr, [&](const Expr& e) {
      if (e->kind == ExprKind::Var) result |= variables_.at(e->name).varies;
      return !result && seen.insert(e.get()).second;
    });
    return result;
  }

  void check_expression(const Expr& root) {
    Seen typed;
    check_types(root, typed);
    Seen visited;
    visit(root, [&](const Expr& e) {
      if (!visited.insert(e.get()).second) return false;
      require(e->kind != ExprKind::Call, "a Call remains after lowering", e);
      if (e->kind == ExprKind::Var) {
        const auto it = variables_.find(e->name);
        require(it != variables_.end(), fmt::format("{} is not bound", e->name), root);
        if (!it->second.known_type) it->second = {e->type, true, it->second.varies};
        require(it->second.type == e->type, fmt::format("{} is {}", e->name, to_string(it->second.type)),
                root);
      }
      if (e->kind == ExprKind::Load)
        check_access(buffer_name(e->name, e->component), e->type, e->operands, e);
      return true;
    });
  }

  template <typename Node>
  void check_access(const std::string& name, Type type, const std::vector<Expr>& indices, const Node& node) {
    const auto it = buffers_.find(name);
    require(it != buffers_.end(), fmt::format("{} is neither allocated nor an argument", name), node);
    Access& buffer = it->second;
    if (!buffer.known_type) {
      buffer.type = type.element();
      buffer.known_type = true;
    }
    require(buffer.type.element() == type.element(), fmt::format("{} holds {}", name, to_string(buffer.type)),
            node);
    if (buffer.is_register) {
      require(indices.size() == 1 && as_int(indices[0]) && *as_int(indices[0]) == 0 &&
                  indices[0].type().lanes == 1,
              fmt::format("register {} must be accessed at 0", name), node);
    }
    // A texel has scalar coordinates, whatever its elements.
    if (images_.contains(name) && !indices.empty() && indices[0].type().lanes == 1) {
      return require(type.lanes == 1 || type.lanes == 4, "a texel must have one element or four", node);
    }
    // Elements that are vectors themselves are accessed whole.
    const int index_lanes = indices.empty() ? 1 : indices[0].type().lanes;
    const int lanes = buffer.type.is_vector() ? buffer.type.lanes : index_lanes;
    require(type.lanes == lanes && (!buffer.type.is_vector() || index_lanes == 1),
            "value and index have different lanes", node);
  }

  void check_store(const Stmt& s) {
    require(!s->exprs.empty(), "a store has no value", s);
    const std::vector<Expr> indices = s->indices();
    for (const Expr& index : indices) {
      require(index.type().element() == Int(32), "an index is not i32", s);
      require(index.type().lanes == indices[0].type().lanes, "indices have different lanes", s);
    }
    check_access(buffer_name(s->name, s->component), s->value().type(), indices, s);
  }

  void check_allocate(const Stmt& s) {
    require(is_supported(s->type), "unsupported type", s);
    for (const Expr& extent : s->extents())
      require(extent.type() == Int(32), "extents must be scalar i32", s);
    const Access access{true, s->memory == Memory::Register, s->type, true};
    require(buffers_.emplace(s->name, access).second, fmt::format("{} is bound twice", s->name), s);
    check_bodies(s);
    buffers_.erase(s->name);
  }

  std::map<std::string, Variable, std::less<>> variables_;
  std::map<std::string, Access, std::less<>> buffers_;
  const std::set<std::string>& images_;
  bool is_convergent_;
  int divergent_ = 0;     // Ifs and Fors around that depend on a thread index
  int thread_loops_ = 0;  // not mapped yet: divergence is reported after mapping
};

}  // namespace

void verify(const Stmt& stmt, const std::set<std::string>& buffers, const std::set<std::string>& free,
            const std::set<std::string>& images, bool is_convergent) {
  Verifier(buffers, free, images, is_convergent).check(stmt);
}

void verify(const Expr& expr) {
  Seen seen;
  check_types(expr, seen);
}

}  // namespace tensordsl::ir
