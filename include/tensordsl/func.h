// Compute definitions: Func and Input.
#pragma once

#include <concepts>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "tensordsl/expr.h"
#include "tensordsl/stage.h"
#include "tensordsl/var.h"

namespace tensordsl {

class Func;

/// `f(x, y)`: read as an Expr, or defined by assignment.
class FuncRef {
 public:
  /// The first definition must index with distinct Vars: it is the pure one. Later ones are updates, which
  /// run in order, once for each point of the pure variables they use and of the RDom in them. An update is
  /// cast to the Func's type; one of floats to a Func of integers is refused, also by += and the others: say
  /// cast(Int(32), ...). Throws DefinitionError.
  FuncRef& operator=(const Expr& value);
  FuncRef& operator=(const FuncRef& value);
  FuncRef(const FuncRef&) = default;
  FuncRef& operator+=(const Expr& value);  ///< starts from 0 if the Func has no definition yet
  FuncRef& operator-=(const Expr& value);  ///< adds -value; starts from 0
  FuncRef& operator*=(const Expr& value);  ///< starts from 1
  FuncRef& operator/=(const Expr& value);  ///< starts from 1
  FuncRef& maximize(const Expr& value);    ///< f = max(f, value); starts from the type's lowest value
  FuncRef& minimize(const Expr& value);    ///< f = min(f, value); starts from the type's highest value
  operator Expr() const;                   // NOLINT

 private:
  friend class Func;
  FuncRef(std::shared_ptr<schedule::ScheduledFunction> function, std::vector<Expr> args)
      : function_(std::move(function)), args_(std::move(args)) {}
  std::shared_ptr<schedule::ScheduledFunction> function_;
  std::vector<Expr> args_;
};

/// A tensor given by its definition. A Func is a handle: copies name the same tensor. It is also its own
/// first Stage, so directives on it schedule the pure definition.
class Func : public Stage {
 public:
  explicit Func(const std::string& name = "");
  explicit Func(std::shared_ptr<schedule::ScheduledFunction> function);

  template <typename... Args>
  requires(std::convertible_to<Args, Expr>&&...) FuncRef operator()(const Args&... args) const {
    return FuncRef(contents_, {Expr(args)...});
  }
  FuncRef operator()(const std::vector<Expr>& args) const { return FuncRef(contents_, args); }
  FuncRef operator()(std::initializer_list<Expr> args) const { return FuncRef(contents_, args); }
  FuncRef operator()(const std::vector<Var>& args) const {
    return FuncRef(contents_, {args.begin(), args.end()});
  }

  /// The index-th update definition (0 is the first after the pure one), as a target of directives.
  Stage update(int index = 0) const;
  int updates() const;
  /// A copy of this tensor that `consumer` reads in its place: a Func of its own, NAME_in_CONSUMER, to be
  /// placed with compute_at and kept with store_in. Throws ScheduleError if the definitions of `consumer`,
  /// which must be given before, do not read this tensor themselves.
  Func in(const Func& consumer) const;
  /// The Func or Input of that name that this one reads, directly or through others; or this one. Throws
  /// ScheduleError if there is none.
  Func producer(const std::string& name) const;
  const std::string& name() const;
  Type type() const;
  int rank() const;
  bool is_input() const;
  const schedule::ScheduledFunction& contents() const { return *contents_; }
  std::shared_ptr<schedule::ScheduledFunction> shared() const { return contents_; }
};

/// A tensor given from outside: read like a Func, never defined. Reading outside its shape is an error that
/// is found when the pipeline is lowered, if the shape is constant.
class Input : public Func {
 public:
  /// `dims` names the dimensions for layout(); by default d0, d1, ...
  Input(const std::string& name, Type type, const std::vector<Expr>& shape,
        const std::vector<std::string>& dims = {});
  const std::vector<Expr>& shape() const { return shape_; }

 private:
  std::vector<Expr> shape_;  // as given, so that it can be used in definitions
};

}  // namespace tensordsl
