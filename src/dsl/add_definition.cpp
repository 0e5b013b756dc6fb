#include "dsl/add_definition.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/text/counted.h"
#include "dsl/type_constructor.h"
#include "ir/nodes/expr_node.h"
#include "ir/nodes/promotion.h"
#include "tensordsl/error.h"

namespace tensordsl {

using namespace ir;
using schedule::ScheduledFunction;

namespace {

/// Calls to `function` inside its own update become calls with no owner, so that it does not own itself.
Expr without_self(const Expr& expr, const ScheduledFunction* function) {
  return rewrite(expr, [&](const Expr& e) {
    const bool is_self = e->kind == ExprKind::Call && e->function.get() == function;
    return is_self ? make_call(e->type.element(), nullptr, e->name, e->operands, e->component) : e;
  });
}

/// The points that an update runs over.
struct Domain {
  std::vector<ReductionAxis> axes;
  Expr predicate;  // undefined: at all of them
};

/// Finds the one RDom that the expressions of a definition use.
class DomainFinder {
 public:
  explicit DomainFinder(const std::string& function) : function_(function) {}

  void look(const Expr& expr) {
    visit(expr, [&](const Expr& e) {
      if (e->kind != ExprKind::Var) return true;
      if (e->value == static_cast<std::int64_t>(VarMark::Reduction)) add(e);
      return false;
    });
  }

  Domain domain() const {
    Domain domain;
    for (std::size_t i = 0; axis_.defined() && i + 1 < axis_->operands.size(); i += 2)
      domain.axes.push_back({fmt::format("{}_{}", prefix_, i / 2), (*axis_)[i], (*axis_)[i + 1]});
    if (axis_.defined()) domain.predicate = predicate_of(axis_);
    return domain;
  }

 private:
  void add(const Expr& axis) {
    const std::string own = axis->name.substr(0, axis->name.rfind('_'));
    if (axis_.defined() && own != prefix_) {
      throw DefinitionError(fmt::format("{}: {} \"{}\" and \"{}\"; put all axes into one RDom", function_,
                                        is_in_predicate_ ? "where(...) uses two reduction domains,"
                                                         : "the definition uses two reduction domains,",
                                        prefix_, own));
    }
    const Expr predicate = predicate_of(axis);
    const auto is_same = [](const Expr& a, const Expr& b) {
      return a.defined() == b.defined() && (!a.defined() || same(a, b));
    };
    // The axes in a predicate are without it.
    const bool is_inside = axis_.defined() && !axis->function;
    if (axis_.defined() && (!std::equal(axis->operands.begin(), axis->operands.end(), axis_->operands.begin(),
                                        axis_->operands.end(), ExprSame()) ||
                            (!is_inside && !is_same(predicate, predicate_of(axis_))))) {
      throw DefinitionError(fmt::format(
          "{}: two different reduction domains are named \"{}\"; rename one of them", function_, own));
    }
    if (axis_.defined()) return;
    axis_ = axis;
    prefix_ = own;
    is_in_predicate_ = true;
    if (predicate.defined()) look(predicate);
    is_in_predicate_ = false;
  }

  const std::string& function_;
  std::string prefix_;
  Expr axis_;
  bool is_in_predicate_ = false;
};

Domain domain_of(const std::string& function, const std::vector<Expr>& expressions) {
  DomainFinder finder(function);
  for (const Expr& e : expressions) finder.look(e);
  return finder.domain();
}

/// No Param of a definition, or of the ends of its RDom, may share a name with an axis.
void require_known_params(const std::string& function, const std::vector<ReductionAxis>& domain,
                          const std::vector<Expr>& expressions) {
  const auto check = [&](const Expr& e) {
    const auto is_it = [&](const ReductionAxis& axis) { return axis.name == e->name; };
    const bool is_axis = e->value == static_cast<std::int64_t>(VarMark::Reduction);
    if (e->kind != ExprKind::Var || is_axis) return e->kind != ExprKind::Var;
    if (std::none_of(domain.begin(), domain.end(), is_it)) return false;
    throw DefinitionError(fmt::format(
        "{}: \"{}\" names both a reduction axis and a Param; rename one of them", function, e->name));
  };
  for (const Expr& e : expressions) visit(e, check);
  for (const ReductionAxis& axis : domain) {
    visit(axis.min, check);
    visit(axis.extent, check);
  }
}

/// Every plain Var must be one of the pure variables; Params and reduction axes are marked as such, and must
/// not share a name with one of them.
void require_known_vars(const std::string& function, const std::vector<std::string>& dims,
                        const std::vector<std::string>& known, const Expr& expr) {
  const auto contains = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  visit(expr, [&](const Expr& e) {
    if (e->kind != ExprKind::Var) return true;
    const bool plain = e->value == static_cast<std::int64_t>(VarMark::Plain);
    if (!plain && contains(dims, e->name)) {
      throw DefinitionError(fmt::format(
          "{}: \"{}\" names both an index of the left side and a {}; rename one of them", function, e->name,
          e->value == static_cast<std::int64_t>(VarMark::Param) ? "Param" : "reduction axis"));
    }
    if (plain && !contains(known, e->name)) {
      throw DefinitionError(fmt::format(
          "{}: the Var \"{}\" is not an index of the left side; add it there, or use an RDom or a Param",
          function, e->name));
    }
    return false;
  });
}

void require_shallow(const ScheduledFunction& function, const Expr& value) {
  if (value->levels <= kMaxLevelsDefined) return;
  throw DefinitionError(
      fmt::format("{}: the expression is {} operators deep, and the limit is {}; move part of it into a Func "
                  "with compute_root()",
                  function.name, value->levels, kMaxLevelsDefined));
}

/// An update gets the Func's type. What of a float is lost in an integer is for the author to say.
void require_convertible(const ScheduledFunction& function, Type update, Type type) {
  if (!update.is_float() || type.is_float()) return;
  throw DefinitionError(
      fmt::format("{0}: the update has type {1}, but the Func has type {2}; convert the value with cast({3}, "
                  "...), or define {0} as {1}",
                  function.name, to_string(update), to_string(type), type_constructor(type)));
}

/// A Var that is an index by itself is the variable of its dimension, or of another one where it is the whole
/// index.
void require_own_vars(const ScheduledFunction& function, const std::vector<Expr>& args,
                      const std::vector<std::string>& pure) {
  for (std::size_t d = 0; d < args.size(); ++d) {
    const ExprNode& arg = *args[d];
    const bool is_plain = arg.kind == ExprKind::Var && arg.value == static_cast<std::int64_t>(VarMark::Plain);
    if (!is_plain || std::ranges::count(pure, arg.name) > 0) continue;
    throw DefinitionError(
        fmt::format("{0}: the update indexes dimension {1} with the Var \"{2}\", but the first definition "
                    "with \"{3}\"; use \"{3}\" in the update, or define another Func",
                    function.name, d, arg.name, function.dims[d]));
  }
}

}  // namespace

void require_index(const ScheduledFunction& function, const Expr& index) {
  if (!index.defined()) throw DefinitionError(fmt::format("{}: an index is undefined", function.name));
  if (index.type() == Int(32)) return;
  throw DefinitionError(fmt::format("{}: an index must be i32, found {} of type {}; cast it", function.name,
                                    tensordsl::to_string(unmarked(index)), to_string(index.type())));
}

void define_pure(ScheduledFunction& function, const std::vector<Expr>& args,
                 const std::vector<Expr>& values) {
  std::vector<std::string> dims;
  for (const Expr& arg : args) {
    if (arg->kind != ExprKind::Var || arg->value != static_cast<std::int64_t>(VarMark::Plain)) {
      throw DefinitionError(
          fmt::format("{}: the indices of the first definition must be Vars, found {}; define the whole Func "
                      "first, then update part of it",
                      function.name, tensordsl::to_string(unmarked(arg))));
    }
    if (std::find(dims.begin(), dims.end(), arg->name) != dims.end()) {
      throw DefinitionError(
          fmt::format("{}: the Var \"{}\" indexes two dimensions; use a different Var for each",
                      function.name, arg->name));
    }
    dims.push_back(arg->name);
  }
  for (const Expr& value : values) require_known_vars(function.name, dims, dims, value);
  if (!domain_of(function.name, values).axes.empty()) {
    throw DefinitionError(
        fmt::format("{}: the first definition uses a reduction axis; define the starting value first, "
                    "or use +=, *=, maximize or minimize",
                    function.name));
  }
  for (const Expr& value : values) require_shallow(function, value);
  Definition definition{args, {}, {}};
  for (const Expr& value : values) {
    function.types.push_back(value.type());
    definition.values.push_back(unmarked(value));
  }
  function.dims = std::move(dims);
  function.definitions.push_back(std::move(definition));
  function.stages.push_back(schedule::default_stage(function, function.definitions.back()));
}

void undefine(ScheduledFunction& function) {
  function.types.clear();
  function.dims.clear();
  function.definitions.clear();
  function.stages.clear();
}

void define_update(ScheduledFunction& function, const std::vector<Expr>& args, std::vector<Expr> values) {
  if (values.size() != function.types.size()) {
    throw DefinitionError(fmt::format("{}: the update has {}, but the Func was defined with {}",
                                      function.name, counted(values.size(), "value", "values"),
                                      function.types.size()));
  }
  std::vector<Expr> all = args;
  for (std::size_t i = 0; i < values.size(); ++i) {
    require_convertible(function, values[i].type(), function.types[i]);
    values[i] = cast(function.types[i], values[i]);
    all.push_back(values[i]);
  }
  Definition definition;
  const Domain domain = domain_of(function.name, all);
  definition.domain = domain.axes;
  if (domain.predicate.defined()) all.push_back(domain.predicate);
  std::vector<std::string> pure;
  for (const Expr& arg : args) require_index(function, arg);
  for (std::size_t d = 0; d < args.size(); ++d) {
    // A pure variable of an update stands alone, in its own dimension, as it does in the pure definition.
    const Expr& arg = args[d];
    if (arg->kind == ExprKind::Var && arg->value == static_cast<std::int64_t>(VarMark::Plain) &&
        arg->name == function.dims[d]) {
      pure.push_back(arg->name);
    }
  }
  require_own_vars(function, args, pure);
  for (const Expr& e : all) require_known_vars(function.name, function.dims, pure, e);
  require_known_params(function.name, definition.domain, all);
  for (const Expr& e : all) require_shallow(function, e);
  for (const Expr& arg : args) definition.args.push_back(without_self(unmarked(arg), &function));
  for (const Expr& value : values) definition.values.push_back(without_self(unmarked(value), &function));
  if (domain.predicate.defined()) definition.predicate = without_self(unmarked(domain.predicate), &function);
  function.definitions.push_back(std::move(definition));
  function.stages.push_back(schedule::default_stage(function, function.definitions.back()));
}

}  // namespace tensordsl
