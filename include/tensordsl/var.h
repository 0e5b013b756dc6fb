// Index variables and reduction domains.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tensordsl/expr.h"

namespace tensordsl {

namespace ir {
struct Function;
}

/// An i32 index. Vars are the same if their names are; an unnamed Var is different from every other.
class Var {
 public:
  Var();
  explicit Var(std::string name);
  const std::string& name() const { return name_; }
  operator Expr() const;  // NOLINT: a Var is used as an index

 private:
  std::string name_;
};

/// One axis of an RDom.
class RVar : public Var {
 public:
  /// `domain` is the index this axis is in an expression: it names the axis and carries the whole RDom.
  RVar(std::string name, Expr domain) : Var(std::move(name)), domain_(std::move(domain)) {}
  operator Expr() const { return domain_; }  // NOLINT

 private:
  Expr domain_;
};

/// A reduction domain: the points of a box, first axis outermost, or those of them at which a condition
/// holds. An update definition that uses one of its axes runs once for each point.
class RDom {
 public:
  /// Ranges are {min, extent}; the axes are named NAME_0, NAME_1, ...
  explicit RDom(std::vector<std::pair<Expr, Expr>> ranges, const std::string& name = "");
  /// Leaves the points at which `condition` does not hold out, of those that are left. It may use the axes,
  /// the indices of the Func that is updated (r.where(r[0] <= x): a triangle) and what Funcs and Inputs hold
  /// (r.where(r[0] < count(x))); the ranges given to RDom remain the bound. Definitions made before keep the
  /// points that they had. Throws DefinitionError if `condition` is no Bool.
  void where(const Expr& condition);
  const RVar& operator[](int axis) const;
  int rank() const { return static_cast<int>(axes_.size()); }
  const std::vector<RVar>& axes() const { return axes_; }
  /// A one-dimensional domain used as an index.
  operator Expr() const;  // NOLINT

 private:
  std::vector<RVar> axes_;
  std::shared_ptr<ir::Function> predicate_;  // of the first definition, which where() makes
};

/// A scalar that is known only at run time: an argument of the kernel. Use it in shapes, extents and values.
class Param {
 public:
  explicit Param(std::string name, Type type = Int(32));
  const std::string& name() const { return name_; }
  operator Expr() const;  // NOLINT

 private:
  std::string name_;
  Type type_;
};

}  // namespace tensordsl
