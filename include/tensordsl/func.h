// Compute definitions: Func and Input.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "tensordsl/expr.h"
#include "tensordsl/stage.h"
#include "tensordsl/tuple.h"
#include "tensordsl/var.h"

namespace tensordsl {

namespace ir {
enum class ExprKind : std::uint8_t;
}

class Func;
class FuncRef;

/// `f(x)[1]`: a component of an element, read as an Expr, or updated by assignment; the other components keep
/// their values.
class FuncTupleElementRef {
 public:
  /// Updates the Func: this component becomes `value`, cast to its type. Throws DefinitionError as FuncRef
  /// does.
  FuncTupleElementRef& operator=(const Expr& value);
  /// Updates the Func: this component becomes the one that `value` names, cast to its type.
  FuncTupleElementRef& operator=(const FuncTupleElementRef& value);
  /// Names the same component.
  FuncTupleElementRef(const FuncTupleElementRef&) = default;
  /// component = component + value. The Func must have a definition already; unlike with a FuncRef, none is
  /// made.
  FuncTupleElementRef& operator+=(const Expr& value);
  FuncTupleElementRef& operator-=(const Expr& value);  ///< component = component + -value
  FuncTupleElementRef& operator*=(const Expr& value);  ///< component = component * value
  FuncTupleElementRef& operator/=(const Expr& value);  ///< component = component / value
  /// Reads the component.
  operator Expr() const;  // NOLINT

 private:
  friend class FuncRef;
  FuncTupleElementRef(const FuncRef& element, int index);
  std::shared_ptr<FuncRef> element_;
  int index_;
};

/// `f(x, y)`: read as an Expr, or defined by assignment.
class FuncRef {
 public:
  /// Defines the Func. The first definition must index with distinct Vars: it is the pure one. Later ones are
  /// updates, which run in order, once for each point of the pure variables that they use and of their RDom.
  /// An update is cast to the Func's type. Updating integers with floats is refused, also by += and the like:
  /// write cast(Int(32), ...). Throws DefinitionError.
  FuncRef& operator=(const Expr& value);
  /// f(x) = g(x): defines the Func by the values that g(x) reads, all components of a tuple. Both stay
  /// separate Funcs.
  FuncRef& operator=(const FuncRef& value);
  FuncRef& operator=(const Tuple& values);   ///< defines several values at once; all are computed, then
                                             ///< stored
  FuncRef(const FuncRef&) = default;         ///< names the same element
  FuncRef& operator+=(const Expr& value);    ///< starts from 0 if the Func has no definition yet
  FuncRef& operator-=(const Expr& value);    ///< adds -value; starts from 0
  FuncRef& operator*=(const Expr& value);    ///< starts from 1
  FuncRef& operator/=(const Expr& value);    ///< starts from 1
  FuncRef& maximize(const Expr& value);      ///< f = max(f, value); starts from the type's lowest value
  FuncRef& minimize(const Expr& value);      ///< f = min(f, value); starts from the type's highest value
  FuncRef& operator+=(const Tuple& values);  ///< each component on its own
  FuncRef& operator-=(const Tuple& values);  ///< f = f + -value for each component; starts from 0
  FuncRef& operator*=(const Tuple& values);  ///< f = f * value for each component; starts from 1
  FuncRef& operator/=(const Tuple& values);  ///< f = f / value for each component; starts from 1
  /// f(x) += g(x): adds the values that g(x) reads, single ones or tuples, each component on its own.
  FuncRef& operator+=(const FuncRef& value) { return *this += Tuple(value); }
  /// f(x) -= g(x): subtracts the values that g(x) reads, each component on its own.
  FuncRef& operator-=(const FuncRef& value) { return *this -= Tuple(value); }
  /// f(x) *= g(x): multiplies by the values that g(x) reads, each component on its own.
  FuncRef& operator*=(const FuncRef& value) { return *this *= Tuple(value); }
  /// f(x) /= g(x): divides by the values that g(x) reads, each component on its own.
  FuncRef& operator/=(const FuncRef& value) { return *this /= Tuple(value); }
  /// Reads the element. Throws DefinitionError if the Func is not defined yet, if its values are tuples, or
  /// unless there is one i32 index for each dimension.
  operator Expr() const;  // NOLINT
  /// Returns a component of the element. Throws DefinitionError if no component has that number.
  FuncTupleElementRef operator[](int index) const;
  /// Returns the values of the element: one, or all values of a tuple. Throws DefinitionError if the Func is
  /// not defined yet, or unless there is one i32 index for each dimension.
  std::vector<Expr> components() const;

 private:
  friend class Func;
  friend class FuncTupleElementRef;
  void define(const std::vector<Expr>& values);
  /// f = f op values, from the operator's identity if the Func has no definition yet.
  void update(const std::vector<Expr>& values, ir::ExprKind reduction, Expr (*op)(Expr, Expr));
  void require_readable() const;
  FuncRef(std::shared_ptr<schedule::ScheduledFunction> function, std::vector<Expr> args);
  std::shared_ptr<schedule::ScheduledFunction> function_;
  std::vector<Expr> args_;
};

/// `condition ? if_true : if_false` for single values; for tuples write Tuple(f(x)).
inline Expr select(const Expr& condition, const FuncRef& if_true, const FuncRef& if_false) {
  return select(condition, static_cast<Expr>(if_true), static_cast<Expr>(if_false));
}

/// A tensor given by its definition. A Func is a handle: copies name the same tensor. It is also its own
/// first Stage, so directives on it schedule the pure definition.
class Func : public Stage {
 public:
  /// Makes a Func without a definition. Its name becomes an OpenCL identifier: letters, digits and '_', no
  /// digit first; empty: a name that no other Func has. Throws DefinitionError on other names, and on those
  /// that kernels use for their indices (block0 to thread2).
  explicit Func(const std::string& name = "");
  /// Makes another handle to the Func or Input whose shared() is `function`.
  explicit Func(std::shared_ptr<schedule::ScheduledFunction> function);

  /// f(x, y): names an element, to be read or defined. There is one i32 index for each dimension, which is
  /// checked when the element is read or defined.
  template <typename... Args>
  requires(std::convertible_to<Args, Expr>&&...) FuncRef operator()(const Args&... args) const {
    return FuncRef(contents_, {Expr(args)...});
  }
  /// f(args): names the element of this list of indices.
  FuncRef operator()(const std::vector<Expr>& args) const { return FuncRef(contents_, args); }
  /// f({x, y}): names the element of these indices.
  FuncRef operator()(std::initializer_list<Expr> args) const { return FuncRef(contents_, args); }
  /// f(vars): names the element with these Vars as indices.
  FuncRef operator()(const std::vector<Var>& args) const {
    return FuncRef(contents_, {args.begin(), args.end()});
  }

  /// Returns the index-th update definition (0 is the first after the pure one), as a target of directives.
  /// Throws ScheduleError if there is none.
  Stage update(int index = 0) const;
  int updates() const;  ///< number of definitions after the pure one; 0 for an Input
  /// Makes a copy of this tensor that `consumer` reads instead: a Func of its own, NAME_in_CONSUMER, to be
  /// placed with compute_at and kept with store_in. Throws ScheduleError if the definitions of `consumer`,
  /// which must be given before, do not read this tensor directly.
  Func in(const Func& consumer) const;
  /// Makes one such copy for several consumers, named after `consumer`.
  Func in(const Func& consumer, const std::vector<Func>& others) const;
  /// Makes one such copy for all consumers in a list, named after the first. Throws ScheduleError too if the
  /// list is empty.
  Func in(const std::vector<Func>& consumers) const;
  /// Returns the Func or Input named `name` that this one reads, directly or through others; or this one.
  /// Throws ScheduleError if there is none.
  Func producer(const std::string& name) const;
  /// Returns the name that was given to the constructor; for an unnamed Func a name with a '$', for which
  /// kernels have a number.
  const std::string& name() const;
  /// Returns the type of its values. Throws DefinitionError if they are tuples, or before it is defined.
  Type type() const;
  std::vector<Type> types() const;  ///< type of each component; empty before it is defined
  /// Returns the number of values of an element: 1, or the number of a tuple's components; 0 before it is
  /// defined.
  int outputs() const;
  int rank() const;       ///< number of dimensions; 0 for a scalar and before it is defined
  bool is_input() const;  ///< true if it is an Input
  /// Returns the definitions and the schedule, for the library's own passes.
  const schedule::ScheduledFunction& contents() const { return *contents_; }
  /// Returns the definitions and the schedule as all handles share them.
  std::shared_ptr<schedule::ScheduledFunction> shared() const { return contents_; }
};

/// Returns the Func or Input named `name` that one of the outputs reads, directly or through others; or one
/// of them. Throws ScheduleError if there is none.
Func producer(const std::vector<Func>& outputs, const std::string& name);

/// A tensor given from outside: read like a Func, never defined. A read outside a constant shape is an error
/// when the pipeline is lowered.
class Input : public Func {
 public:
  /// Declares an Input. Extents in `shape` are i32 expressions of constants and Params, 0 or more; an empty
  /// shape makes a scalar. `dims` names the dimensions for layout(); by default d0, d1, ... Throws
  /// DefinitionError on an empty name or one that a Func could not have, on an unsupported type, on other
  /// extents, and on names of dimensions that are repeated or of the wrong number.
  Input(const std::string& name, Type type, const std::vector<Expr>& shape,
        const std::vector<std::string>& dims = {});
  const std::vector<Expr>& shape() const { return shape_; }  ///< the given extents

 private:
  std::vector<Expr> shape_;  // extents as given, so that they can be used in definitions
};

}  // namespace tensordsl
