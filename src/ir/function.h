// A definition: what a Func computes, with no word about how. The schedule lives elsewhere.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ir/expr_node.h"

namespace tensordsl::ir {

/// One axis of a reduction domain: name runs over [min, min + extent).
struct ReductionAxis {
  std::string name;
  Expr min;
  Expr extent;
};

/// values[args] = value, for every point of the pure variables in args and of the reduction domain, as far as
/// the predicate holds there.
struct Definition {
  std::vector<Expr> args;  // for the pure definition: Vars
  Expr value;
  std::vector<ReductionAxis> domain;  // empty for the pure definition; outermost first
  Expr predicate = {};  // of the points of the domain, those at which the update runs; undefined: all
};

/// An Input (no definitions) or a Func (a pure definition, then updates in order). Calls to itself in an
/// update have a null `function`, so that a Function never owns itself.
struct Function {
  virtual ~Function();  // the front end's Functions carry a schedule as well
  std::string name;
  Type type;
  std::vector<std::string> dims;        // the pure variables, or the names of an Input's dimensions
  std::vector<Expr> shape;              // an Input's extents; empty for a Func
  std::vector<Definition> definitions;  // [0] is pure

  bool is_input() const { return definitions.empty(); }
  int rank() const { return static_cast<int>(dims.size()); }
};

using FunctionPtr = std::shared_ptr<const Function>;

/// Every Function reachable from `output`, producers before consumers, `output` last; the order follows the
/// text of the definitions, so it is deterministic. Throws DefinitionError if two of them share a name, or
/// two Params of different types do, or if a chain of Funcs that read each other is too long.
std::vector<FunctionPtr> reachable(const FunctionPtr& output);

/// The Params of definitions and shapes, by name: the variables that nothing binds. Throws DefinitionError if
/// one name is used with two types.
std::map<std::string, Type> params_of(const std::vector<FunctionPtr>& functions);

}  // namespace tensordsl::ir
