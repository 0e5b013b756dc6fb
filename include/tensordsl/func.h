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
  /// An update of the Func in which this component becomes `value`, cast to its type. Throws DefinitionError
  /// as FuncRef does.
  FuncTupleElementRef& operator=(const Expr& value);
  /// The same with the component that `value` reads.
  FuncTupleElementRef& operator=(const FuncTupleElementRef& value);
  /// Names the same component.
  FuncTupleElementRef(const FuncTupleElementRef&) = default;
  /// component = component + value. Unlike with a FuncRef, no starting value is made: the Func is defined
  /// before.
  FuncTupleElementRef& operator+=(const Expr& value);
  FuncTupleElementRef& operator-=(const Expr& value);  ///< component = component + -value
  FuncTupleElementRef& operator*=(const Expr& value);  ///< component = component * value
  FuncTupleElementRef& operator/=(const Expr& value);  ///< component = component / value
  /// The component, read.
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
  /// The first definition must index with distinct Vars: it is the pure one. Later ones are updates, which
  /// run in order, once for each point of the pure variables they use and of the RDom in them. An update is
  /// cast to the Func's type; one of floats to a Func of integers is refused, also by += and the others: say
  /// cast(Int(32), ...). Throws DefinitionError.
  FuncRef& operator=(const Expr& value);
  /// f(x) = g(x): the same with the values that g(x) reads, all components of a tuple. Both Funcs stay
  /// different ones.
  FuncRef& operator=(const FuncRef& value);
  FuncRef& operator=(const Tuple& values);   ///< the same, of several values; all are computed, then stored
  FuncRef(const FuncRef&) = default;         ///< names the same element
  FuncRef& operator+=(const Expr& value);    ///< starts from 0 if the Func has no definition yet
  FuncRef& operator-=(const Expr& value);    ///< adds -value; starts from 0
  FuncRef& operator*=(const Expr& value);    ///< starts from 1
  FuncRef& operator/=(const Expr& value);    ///< starts from 1
  FuncRef& maximize(const Expr& value);      ///< f = max(f, value); starts from the type's lowest value
  FuncRef& minimize(const Expr& value);      ///< f = min(f, value); starts from the type's highest value
  FuncRef& operator+=(const Tuple& values);  ///< each component on its own
  FuncRef& operator-=(const Tuple& values);  ///< adds what is negated; starts from 0
  FuncRef& operator*=(const Tuple& values);  ///< as of one value; starts from 1
  FuncRef& operator/=(const Tuple& values);  ///< the same
  /// f(x) += g(x): adds what g(x) reads, single values or tuples, each component on its own.
  FuncRef& operator+=(const FuncRef& value) { return *this += Tuple(value); }
  /// f(x) -= g(x): the same, subtracted.
  FuncRef& operator-=(const FuncRef& value) { return *this -= Tuple(value); }
  /// f(x) *= g(x): the same as a factor.
  FuncRef& operator*=(const FuncRef& value) { return *this *= Tuple(value); }
  /// f(x) /= g(x): the same as a divisor.
  FuncRef& operator/=(const FuncRef& value) { return *this /= Tuple(value); }
  /// The value of the element, read. Throws DefinitionError if the Func is not defined yet or its values are
  /// tuples, or unless there is an index of i32 for each dimension.
  operator Expr() const;  // NOLINT
  /// A component of the element. Throws DefinitionError if there is none of that number.
  FuncTupleElementRef operator[](int index) const;
  /// The values of the element: one, or those of a tuple. Throws as reading one value does.
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

/// Of single values; of tuples say Tuple(f(x)).
inline Expr select(const Expr& condition, const FuncRef& if_true, const FuncRef& if_false) {
  return select(condition, static_cast<Expr>(if_true), static_cast<Expr>(if_false));
}

/// A tensor given by its definition. A Func is a handle: copies name the same tensor. It is also its own
/// first Stage, so directives on it schedule the pure definition.
class Func : public Stage {
 public:
  /// A Func without a definition. Its name becomes an identifier of OpenCL: letters, digits and '_', no digit
  /// first; empty: a name that no other Func has. Throws DefinitionError on other names, and on those that
  /// kernels have for their indices (block0 to thread2).
  explicit Func(const std::string& name = "");
  /// Another handle to what shared() of a Func or Input gives.
  explicit Func(std::shared_ptr<schedule::ScheduledFunction> function);

  /// f(x, y): an element, to be read or to be defined. There is an i32 index for each dimension, which is
  /// checked as it is read or defined.
  template <typename... Args>
  requires(std::convertible_to<Args, Expr>&&...) FuncRef operator()(const Args&... args) const {
    return FuncRef(contents_, {Expr(args)...});
  }
  /// The same with the indices as a list.
  FuncRef operator()(const std::vector<Expr>& args) const { return FuncRef(contents_, args); }
  /// The same: f({x, y}).
  FuncRef operator()(std::initializer_list<Expr> args) const { return FuncRef(contents_, args); }
  /// The same with Vars as indices.
  FuncRef operator()(const std::vector<Var>& args) const {
    return FuncRef(contents_, {args.begin(), args.end()});
  }

  /// The index-th update definition (0 is the first after the pure one), as a target of directives. Throws
  /// ScheduleError if there is none.
  Stage update(int index = 0) const;
  int updates() const;  ///< definitions after the pure one; 0 of an Input
  /// A copy of this tensor that `consumer` reads in its place: a Func of its own, NAME_in_CONSUMER, to be
  /// placed with compute_at and kept with store_in. Throws ScheduleError if the definitions of `consumer`,
  /// which must be given before, do not read this tensor themselves.
  Func in(const Func& consumer) const;
  /// The same copy for several consumers, named after the first.
  Func in(const Func& consumer, const std::vector<Func>& others) const;
  /// The same for all in a list, named after its first. Throws ScheduleError too if it is empty.
  Func in(const std::vector<Func>& consumers) const;
  /// The Func or Input of that name that this one reads, directly or through others; or this one. Throws
  /// ScheduleError if there is none.
  Func producer(const std::string& name) const;
  /// As it was given; of an unnamed Func one with a '$', for which kernels have a number.
  const std::string& name() const;
  /// Of its values. Throws DefinitionError if they are tuples, or before it is defined.
  Type type() const;
  std::vector<Type> types() const;  ///< of each component; empty before it is defined
  /// How many values an element has: 1, or those of a tuple; 0 before it is defined.
  int outputs() const;
  int rank() const;       ///< number of dimensions; 0 of a scalar and before it is defined
  bool is_input() const;  ///< whether it is an Input
  /// The definitions and the schedule, for the library's own passes.
  const schedule::ScheduledFunction& contents() const { return *contents_; }
  /// The same, shared by all handles.
  std::shared_ptr<schedule::ScheduledFunction> shared() const { return contents_; }
};

/// The Func or Input of that name that one of the outputs reads, directly or through others; or one of them.
/// Throws ScheduleError if there is none.
Func producer(const std::vector<Func>& outputs, const std::string& name);

/// A tensor given from outside: read like a Func, never defined. Reading outside its shape is an error that
/// is found when the pipeline is lowered, if the shape is constant.
class Input : public Func {
 public:
  /// Extents in `shape` are i32 expressions of constants and Params, 0 or more; none makes a scalar. `dims`
  /// names the dimensions for layout(); by default d0, d1, ... Throws DefinitionError on a name that a Func
  /// could not have or an empty one, an unsupported type, other extents, and names of another number or given
  /// twice.
  Input(const std::string& name, Type type, const std::vector<Expr>& shape,
        const std::vector<std::string>& dims = {});
  const std::vector<Expr>& shape() const { return shape_; }  ///< the extents, as they were given

 private:
  std::vector<Expr> shape_;  // as given, so that it can be used in definitions
};

}  // namespace tensordsl
