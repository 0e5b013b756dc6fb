// A definition: the values of a Func, without the way they are computed. The schedule is separate.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ir/nodes/expr_node.h"

namespace tensordsl::ir {

/// One axis of a reduction domain: name runs over [min, min + extent).
struct ReductionAxis {
  std::string name;
  Expr min;
  Expr extent;
};

/// function[args] = values, for every point of the pure variables in args and of the reduction domain, as far
/// as the predicate holds there. All values are computed before one of them is stored.
struct Definition {
  std::vector<Expr> args;             // indices; for the pure definition: Vars
  std::vector<Expr> values;           // one, or the components of a tuple
  std::vector<ReductionAxis> domain;  // empty for the pure definition; outermost first
  Expr predicate = {};  // condition on the points of the domain at which the update runs; undefined: all

  /// Returns the value of a Func whose values are not tuples.
  const Expr& value() const { return values.at(0); }
  /// Returns every expression outside of the domain.
  std::vector<Expr> expressions() const;
};

/// An Input or a Func (a pure definition, then updates in order). Calls to itself in an update have a null
/// `function`, so that a Function never owns itself.
struct Function {
  virtual ~Function();  // the front end's Functions carry a schedule as well
  std::string name;
  bool is_given = false;                // an Input
  std::vector<Type> types;              // one type, or the types of a tuple's components
  std::vector<std::string> dims;        // the pure variables, or the names of an Input's dimensions
  std::vector<Expr> shape;              // an Input's extents; empty for a Func
  std::vector<Definition> definitions;  // [0] is pure

  bool is_input() const { return is_given; }
  bool is_defined() const { return is_given || !definitions.empty(); }
  int rank() const { return static_cast<int>(dims.size()); }
  bool is_tuple() const { return types.size() > 1; }
  /// Returns the type of a component, or of a single value.
  Type type(int component = kWhole) const {
    return types.at(component == kWhole ? 0 : static_cast<std::size_t>(component));
  }
  /// Returns kWhole, or 0, 1, ... for a tuple.
  std::vector<int> components() const;
  /// Returns the names of the buffers that hold it: its name, or "f.0", "f.1", ... for a tuple.
  std::vector<std::string> buffers() const;
};

using FunctionPtr = std::shared_ptr<const Function>;

/// Returns every Function reachable from `outputs`, each after those it reads; the order follows the text of
/// the definitions, so it is deterministic. Throws DefinitionError if two of them share a name, or two Params
/// of different types do, or if a chain of Funcs that read each other is too long. `inputs`, and Functions
/// that only they read, are left out and not visited.
std::vector<FunctionPtr> reachable(const std::vector<FunctionPtr>& outputs,
                                   const std::vector<FunctionPtr>& inputs = {});
/// Returns every Function reachable from `output`, each after those it reads; `output` is the last.
std::vector<FunctionPtr> reachable(const FunctionPtr& output);

/// Returns the Params of definitions and shapes, by name: the variables that are not bound. Throws
/// DefinitionError if one name is used with two types.
std::map<std::string, Type> params_of(const std::vector<FunctionPtr>& functions);

}  // namespace tensordsl::ir
