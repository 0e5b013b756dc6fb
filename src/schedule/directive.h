// A call of a directive as data, which errors quote and a Schedule prints, stores and replays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ir/nodes/expr_node.h"
#include "tensordsl/image.h"
#include "tensordsl/memory_scope.h"
#include "tensordsl/stage.h"

namespace tensordsl::schedule {

/// A Var, by its name.
struct VarName {
  std::string name;
};
/// A Func or Input, by its name.
struct FuncName {
  std::string name;
};
/// Names one of a Func's stages: definition 0 is the pure one, 2 is update(1); specialization -1 is the stage
/// itself.
struct StageId {
  int definition = 0;
  int specialization = -1;

  friend bool operator==(const StageId&, const StageId&) = default;
};
/// conv, or conv.update(1).
struct StageName {
  std::string function;
  StageId place;

  friend bool operator==(const StageName&, const StageName&) = default;
};
/// An expression that is known only at the launch: it has only constants and Params.
struct LaunchExpr {
  Expr expr;
};

/// Returns the value of a LaunchExpr that is an i32 number; null for every other.
const std::int64_t* literal_of(const LaunchExpr& e);

/// Alternatives are distinguished by their position: see ArgumentKind.
using Argument =
    std::variant<VarName, std::vector<VarName>, int, std::vector<int>, Tail, std::string, MemoryScope,
                 ImageKind, FuncName, StageName, LaunchExpr, std::vector<LaunchExpr>, std::vector<FuncName>>;
enum class ArgumentKind : std::size_t {
  Var,
  Vars,
  Integer,
  Integers,
  Tail,
  Text,
  Scope,
  Image,
  Func,
  Stage,
  LaunchExpr,
  LaunchExprs,
  Funcs,
};
static_assert(std::variant_size_v<Argument> == static_cast<std::size_t>(ArgumentKind::Funcs) + 1);

struct Directive {
  std::string name;
  std::vector<Argument> arguments;
};

/// Returns a text such as "split(x, xo, xi, 4, Tail::Guard)".
std::string to_string(const Directive& directive);
/// Returns a name such as "Tail::Guard".
const char* name_of(Tail tail);
/// Returns a name such as "conv", "conv.update(0)" or "conv.update(0).specialization(1)".
std::string stage_name(const std::string& function, StageId place);

/// The first `entries` of a Func's log.
struct LogPosition {
  std::string function;
  std::size_t entries = 0;
};

/// A directive that succeeded, in the log of the Func that it changed.
struct LoggedDirective {
  StageName target;
  Directive directive;
  std::vector<LogPosition>
      after;  // entries of other Funcs' logs that must precede it: they make the loops that it names
};

/// Returns the name of the Func that SOURCE.in(CONSUMER) makes.
std::string copy_name(const std::string& source, const std::string& consumer);
/// Returns the name of the Func that FUNCTION.update().rfactor(axis, PURE) makes.
std::string factored_name(const std::string& function, const std::string& pure);
/// Returns the name of the Func that a directive made; empty for one that makes none.
std::string made_func(const LoggedDirective& entry);

}  // namespace tensordsl::schedule
