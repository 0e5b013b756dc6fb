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

/// An i32 index. Vars are equal if their names are; an unnamed Var differs from every other.
class Var {
 public:
  /// Makes a Var with a unique name.
  Var();
  /// Makes the Var named `name`. Throws DefinitionError if it is empty.
  explicit Var(std::string name);
  const std::string& name() const { return name_; }  ///< its given or generated name, which its loop has too
  /// Converts to its value, as an index or a number.
  operator Expr() const;  // NOLINT: a Var is used as an index

 private:
  std::string name_;
};

/// One axis of an RDom.
class RVar : public Var {
 public:
  /// Makes an axis. `domain` is the expression of its index, which names the axis and carries the whole RDom.
  RVar(std::string name, Expr domain) : Var(std::move(name)), domain_(std::move(domain)) {}
  /// Converts to its value at a point, with the whole RDom: a definition that uses it iterates over all of
  /// that.
  operator Expr() const { return domain_; }  // NOLINT

 private:
  Expr domain_;
};

/// A reduction domain: the points of a box, first axis outermost, or those points at which a condition holds.
/// An update definition that uses one of its axes runs once for each point.
class RDom {
 public:
  /// Makes a box. Ranges are {min, extent}, i32 expressions of constants and Params; the axes are named
  /// NAME_0, NAME_1, ... Throws DefinitionError if there is none, on other expressions, or on a negative
  /// extent.
  explicit RDom(std::vector<std::pair<Expr, Expr>> ranges, const std::string& name = "");
  /// Removes the points at which `condition` does not hold. It may use the axes, the indices of the Func that
  /// is updated (r.where(r[0] <= x): a triangle) and elements of Funcs and Inputs (r.where(r[0] < count(x)));
  /// the ranges given to RDom remain the bound. Definitions made before keep the points that they had. Throws
  /// DefinitionError if `condition` is not a Bool.
  void where(const Expr& condition);
  const RVar& operator[](int axis) const;  ///< the axis; 0 is the outermost; throws DefinitionError if there
                                           ///< is none
  int rank() const { return static_cast<int>(axes_.size()); }  ///< number of axes, 1 or more
  const std::vector<RVar>& axes() const { return axes_; }      ///< outermost first
  /// Converts a one-dimensional domain to an index. Throws DefinitionError if it has several axes.
  operator Expr() const;  // NOLINT

 private:
  std::vector<RVar> axes_;
  std::shared_ptr<ir::Function> predicate_;  // predicate of the first definition, which where() makes
};

/// A scalar that is known only at run time: an argument of the kernel. It may be used in shapes, extents and
/// values.
class Param {
 public:
  /// Makes a Param. `name` becomes the name of the kernels' argument: letters, digits and '_', no digit
  /// first. The types are i32, i64, u32, u64, f32 and f64; extents are i32. Throws DefinitionError on others,
  /// and on names that kernels or expressions use for something else.
  explicit Param(std::string name, Type type = Int(32));
  const std::string& name() const { return name_; }  ///< name by which its value is given
  /// Converts to its value.
  operator Expr() const;  // NOLINT

 private:
  std::string name_;
  Type type_;
};

}  // namespace tensordsl
