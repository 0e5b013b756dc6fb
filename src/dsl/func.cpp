#include "tensordsl/func.h"

#include <fmt/format.h>

#include <algorithm>

#include "dsl/type_constructor.h"
#include "ir/expr_node.h"
#include "schedule/reduction.h"
#include "schedule/schedule.h"
#include "tensordsl/error.h"

namespace tensordsl {

using namespace ir;
using schedule::ScheduledFunction;

namespace {

bool is_identifier(const std::string& name) {
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return false;
  for (const char c : name) {
    const bool ok =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
    if (!ok) return false;
  }
  return true;
}

void require_identifier(std::string_view kind, const std::string& name) {
  for (const char* taken : {"block0", "block1", "block2", "thread0", "thread1", "thread2"}) {
    if (name != taken) continue;
    throw DefinitionError(
        fmt::format("{}(\"{}\"): kernels have an index of that name; choose another", kind, name));
  }
  if (is_identifier(name)) return;
  throw DefinitionError(fmt::format(
      "{}(\"{}\"): the name becomes an OpenCL identifier; use letters, digits and '_', not a digit first",
      kind, name));
}

std::shared_ptr<ScheduledFunction> new_function(const std::string& name) {
  auto function = std::make_shared<ScheduledFunction>();
  function->name = name.empty() ? "f" + Var().name().substr(1) : name;
  return function;
}

/// Calls to `function` inside its own update become calls with no owner, so that it does not own itself.
Expr without_self(const Expr& expr, const ScheduledFunction* function) {
  return rewrite(expr, [&](const Expr& e) {
    const bool is_self = e->kind == ExprKind::Call && e->function.get() == function;
    return is_self ? make_call(e->type.element(), nullptr, e->name, e->operands) : e;
  });
}

/// The reduction domain that the expressions use: every axis of the one RDom in them.
std::vector<ReductionAxis> domain_of(const ScheduledFunction& function,
                                     const std::vector<Expr>& expressions) {
  std::string prefix;
  Expr first;
  std::vector<ReductionAxis> domain;
  const auto collect = [&](const Expr& e) {
    if (e->kind != ExprKind::Var) return true;
    if (e->value != static_cast<std::int64_t>(VarMark::Reduction)) return false;
    const std::string own = e->name.substr(0, e->name.rfind('_'));
    if (!domain.empty() && own != prefix) {
      throw DefinitionError(
          fmt::format("{}: one definition uses the reduction domains \"{}\" and \"{}\"; put all axes "
                      "into one RDom",
                      function.name, prefix, own));
    }
    if (first.defined() && !std::equal(e->operands.begin(), e->operands.end(), first->operands.begin(),
                                       first->operands.end(), ExprSame())) {
      throw DefinitionError(
          fmt::format("{}: two different reduction domains are named \"{}\"; give one of them another "
                      "name",
                      function.name, own));
    }
    if (domain.empty()) {
      first = e;
      prefix = own;
      for (std::size_t i = 0; i + 1 < e->operands.size(); i += 2) {
        domain.push_back({fmt::format("{}_{}", own, i / 2), (*e)[i], (*e)[i + 1]});
      }
    }
    return false;
  };
  for (const Expr& e : expressions) visit(e, collect);
  return domain;
}

/// No Param of a definition, or of the ends of its RDom, may share a name with an axis.
void require_known_params(const std::string& function, const std::vector<ReductionAxis>& domain,
                          const std::vector<Expr>& expressions) {
  const auto check = [&](const Expr& e) {
    const auto is_it = [&](const ReductionAxis& axis) { return axis.name == e->name; };
    const bool is_axis = e->value == static_cast<std::int64_t>(VarMark::Reduction);
    if (e->kind != ExprKind::Var || is_axis) return e->kind != ExprKind::Var;
    if (std::none_of(domain.begin(), domain.end(), is_it)) return false;
    throw DefinitionError(
        fmt::format("{}: \"{}\" names a reduction axis and a Param; rename one of them", function, e->name));
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
          "{}: \"{}\" names an index of the left side and a {}; rename one of them", function, e->name,
          e->value == static_cast<std::int64_t>(VarMark::Param) ? "Param" : "reduction axis"));
    }
    if (plain && !contains(known, e->name)) {
      throw DefinitionError(
          fmt::format("{}: the Var \"{}\" is not an index of the left side; index with it, or use an "
                      "RDom or a Param",
                      function, e->name));
    }
    return false;
  });
}

void require_shallow(const ScheduledFunction& function, const Expr& value) {
  if (value->levels <= kMaxLevelsDefined) return;
  throw DefinitionError(
      fmt::format("{}: the expression is {} operators deep, more than {}; make part of it a Func of its own, "
                  "with compute_root()",
                  function.name, value->levels, kMaxLevelsDefined));
}

void define_pure(ScheduledFunction& function, const std::vector<Expr>& args, const Expr& value) {
  std::vector<std::string> dims;
  for (const Expr& arg : args) {
    if (arg->kind != ExprKind::Var || arg->value != static_cast<std::int64_t>(VarMark::Plain)) {
      throw DefinitionError(
          fmt::format("{}: the first definition must index with Vars, found {}; "
                      "define the whole Func first, then update part of it",
                      function.name, tensordsl::to_string(unmarked(arg))));
    }
    if (std::find(dims.begin(), dims.end(), arg->name) != dims.end()) {
      throw DefinitionError(fmt::format("{}: the Var \"{}\" indexes two dimensions; use a Var for each",
                                        function.name, arg->name));
    }
    dims.push_back(arg->name);
  }
  require_known_vars(function.name, dims, dims, value);
  if (!domain_of(function, {value}).empty()) {
    throw DefinitionError(
        fmt::format("{}: the first definition uses a reduction axis; define the starting value first, "
                    "or use +=, *=, maximize or minimize",
                    function.name));
  }
  require_shallow(function, value);
  function.dims = std::move(dims);
  function.type = value.type();
  function.definitions.push_back({args, unmarked(value), {}});
  function.stages.push_back(schedule::default_stage(function, function.definitions.back()));
}

/// An update gets the Func's type. What of a float is lost in an integer is for the author to say.
void require_convertible(const ScheduledFunction& function, Type update) {
  if (!update.is_float() || function.type.is_float()) return;
  throw DefinitionError(fmt::format(
      "{0}: the update is {1} and the Func is {2}; convert what is assigned or "
      "added with cast({3}, ...), or define {0} as {1}",
      function.name, to_string(update), to_string(function.type), type_constructor(function.type)));
}

/// A Var that is an index by itself is that of its dimension, or of another one where that stands alone.
void require_own_vars(const ScheduledFunction& function, const std::vector<Expr>& args,
                      const std::vector<std::string>& pure) {
  for (std::size_t d = 0; d < args.size(); ++d) {
    const ExprNode& arg = *args[d];
    const bool is_plain = arg.kind == ExprKind::Var && arg.value == static_cast<std::int64_t>(VarMark::Plain);
    if (!is_plain || std::ranges::count(pure, arg.name) > 0) continue;
    throw DefinitionError(
        fmt::format("{0}: the update indexes dimension {1} with the Var \"{2}\", but the first definition "
                    "with \"{3}\"; use \"{3}\" there, or define another Func",
                    function.name, d, arg.name, function.dims[d]));
  }
}

void define_update(ScheduledFunction& function, const std::vector<Expr>& args, Expr value) {
  require_convertible(function, value.type());
  if (value.type() != function.type) value = cast(function.type, value);
  std::vector<Expr> all = args;
  all.push_back(value);
  Definition definition;
  definition.domain = domain_of(function, all);
  std::vector<std::string> pure;
  for (const Expr& arg : args) {
    if (arg.type() != Int(32)) {
      throw DefinitionError(fmt::format("{}: an index must be i32, found {} of type {}; cast it",
                                        function.name, tensordsl::to_string(unmarked(arg)),
                                        to_string(arg.type())));
    }
  }
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
  definition.value = without_self(unmarked(value), &function);
  function.definitions.push_back(std::move(definition));
  function.stages.push_back(schedule::default_stage(function, function.definitions.back()));
}

}  // namespace

Func::Func(const std::string& name) : Stage(nullptr, 0) {
  if (!name.empty()) require_identifier("Func", name);
  contents_ = new_function(name);
}

Func::Func(std::shared_ptr<ScheduledFunction> function) : Stage(std::move(function), 0) {}

Stage Func::update(int index) const {
  if (index < 0 || index >= updates()) {
    throw ScheduleError(
        fmt::format("{}.update({}): the Func has {} update definitions", name(), index, updates()));
  }
  return Stage(contents_, index + 1);
}

Func Func::in(const Func& consumer) const {
  const std::string call = fmt::format("{}.in({})", name(), consumer.name());
  if (consumer.contents_ == contents_)
    throw ScheduleError(call + ": a tensor is no consumer of itself; name one that reads it");
  Func copy(schedule::copy_name(name(), consumer.name()));
  std::vector<Expr> vars;
  for (const std::string& dim : contents_->dims) vars.push_back(Var(dim));
  bool is_read = false;
  const auto redirect = [&](const Expr& expr) {
    return rewrite(expr, [&](const Expr& e) {
      if (e->kind != ExprKind::Call || e->function.get() != contents_.get()) return e;
      if (!is_read) copy(vars) = Expr((*this)(vars));
      is_read = true;
      return make_call(type(), copy.contents_, copy.name(), e->operands);
    });
  };
  for (Definition& definition : consumer.contents_->definitions) {
    for (Expr& arg : definition.args) arg = redirect(arg);
    definition.value = redirect(definition.value);
  }
  if (is_read) {
    auto& log = consumer.contents_->log;
    log.push_back({{name(), {}}, {"in", {schedule::FuncName{consumer.name()}}}, {}});
    copy.contents_->made_by = schedule::LogPosition{consumer.name(), log.size()};
    return copy;
  }
  for (const Definition& definition : consumer.contents_->definitions) {
    visit(definition.value, [&](const Expr& e) {
      if (e->kind == ExprKind::Call && e->name == copy.name()) {
        throw ScheduleError(fmt::format("{0}: {1} reads the copy {2} already; use that Func, or {2}.in({1})",
                                        call, consumer.name(), copy.name()));
      }
      return true;
    });
  }
  throw ScheduleError(fmt::format(
      "{}: no definition of {} reads {}; define it first, and name the Func whose own definition reads "
      "the tensor",
      call, consumer.name(), name()));
}

Func Func::producer(const std::string& name) const {
  std::string names;
  for (const FunctionPtr& f : reachable(contents_)) {
    // The front end made it, and handed out handles that change it.
    if (f->name == name)
      return Func(
          std::const_pointer_cast<ScheduledFunction>(std::dynamic_pointer_cast<const ScheduledFunction>(f)));
    names += (names.empty() ? "" : ", ") + f->name;
  }
  throw ScheduleError(fmt::format("{}.producer(\"{}\"): it reads no tensor of that name; the tensors are {}",
                                  this->name(), name, names));
}

int Func::updates() const { return is_input() ? 0 : static_cast<int>(contents_->definitions.size()) - 1; }
const std::string& Func::name() const { return contents_->name; }
Type Func::type() const { return contents_->type; }
int Func::rank() const { return contents_->rank(); }
bool Func::is_input() const { return contents_->definitions.empty(); }

namespace {

/// What every assignment asks for, before anything is defined.
void require_assignable(const ScheduledFunction& function, const std::vector<Expr>& args, const Expr& value) {
  if (!value.defined())
    throw DefinitionError(fmt::format("{}: the value assigned is undefined", function.name));
  if (!function.shape.empty()) {
    throw DefinitionError(
        fmt::format("{}: an Input cannot be defined; define a Func that reads it", function.name));
  }
  if (args.empty()) throw DefinitionError(fmt::format("{}: a Func needs at least one index", function.name));
  for (const Expr& arg : args) {
    if (!arg.defined()) throw DefinitionError(fmt::format("{}: an index is undefined", function.name));
  }
}

}  // namespace

FuncRef& FuncRef::operator=(const Expr& value) {
  require_assignable(*function_, args_, value);
  if (function_->definitions.empty()) {
    define_pure(*function_, args_, value);
    return *this;
  }
  if (static_cast<int>(args_.size()) != function_->rank()) {
    throw DefinitionError(fmt::format("{}: indexed with {} indices, but it has {} dimensions",
                                      function_->name, args_.size(), function_->rank()));
  }
  for (const schedule::LoggedDirective& entry : function_->log) {
    if (schedule::made_func(entry).empty()) continue;
    throw DefinitionError(
        fmt::format("{0}: an update after {1}.{2}, which rewrites the definitions of {0} that it finds; give "
                    "them all before",
                    function_->name, schedule::stage_name(entry.target.function, entry.target.place),
                    schedule::to_string(entry.directive)));
  }
  define_update(*function_, args_, value);
  return *this;
}

FuncRef& FuncRef::operator=(const FuncRef& value) { return *this = static_cast<Expr>(value); }

namespace {

/// Defines the Func as `value` everywhere, if it has no definition yet: the start of a reduction.
void start_from(const std::shared_ptr<ScheduledFunction>& function, const std::vector<Expr>& args,
                const Expr& value) {
  if (!function->definitions.empty()) return;
  std::vector<Expr> vars;
  for (std::size_t d = 0; d < args.size(); ++d) {
    const Expr& arg = args[d];
    const bool plain = arg->kind == ExprKind::Var && arg->value == static_cast<std::int64_t>(VarMark::Plain);
    vars.push_back(plain ? arg : Expr(Var(fmt::format("d{}", d))));
  }
  define_pure(*function, vars, value);
}

}  // namespace

FuncRef& FuncRef::operator+=(const Expr& value) {
  require_assignable(*function_, args_, value);
  start_from(function_, args_, schedule::identity_of(ExprKind::Add, value.type()));
  return *this = static_cast<Expr>(*this) + value;
}

FuncRef& FuncRef::operator-=(const Expr& value) {
  require_assignable(*function_, args_, value);
  return *this += -value;
}

FuncRef& FuncRef::operator*=(const Expr& value) {
  require_assignable(*function_, args_, value);
  start_from(function_, args_, schedule::identity_of(ExprKind::Mul, value.type()));
  return *this = static_cast<Expr>(*this) * value;
}

FuncRef& FuncRef::operator/=(const Expr& value) {
  require_assignable(*function_, args_, value);
  start_from(function_, args_, schedule::identity_of(ExprKind::Mul, value.type()));
  return *this = static_cast<Expr>(*this) / value;
}

FuncRef& FuncRef::maximize(const Expr& value) {
  require_assignable(*function_, args_, value);
  start_from(function_, args_, schedule::identity_of(ExprKind::Max, value.type()));
  return *this = max(static_cast<Expr>(*this), value);
}

FuncRef& FuncRef::minimize(const Expr& value) {
  require_assignable(*function_, args_, value);
  start_from(function_, args_, schedule::identity_of(ExprKind::Min, value.type()));
  return *this = min(static_cast<Expr>(*this), value);
}

FuncRef::operator Expr() const {
  if (function_->definitions.empty() && function_->dims.empty()) {
    throw DefinitionError(fmt::format("{} is used before it is defined", function_->name));
  }
  if (static_cast<int>(args_.size()) != function_->rank()) {
    throw DefinitionError(fmt::format("{}: indexed with {} indices, but it has {} dimensions",
                                      function_->name, args_.size(), function_->rank()));
  }
  for (const Expr& arg : args_) {
    if (!arg.defined() || arg.type() != Int(32)) {
      throw DefinitionError(
          fmt::format("{}: an index must be a defined i32 expression; cast it", function_->name));
    }
  }
  return make_call(function_->type, function_, function_->name, args_);
}

Input::Input(const std::string& name, Type type, const std::vector<Expr>& shape,
             const std::vector<std::string>& dims)
    : Func(new_function(name)), shape_(shape) {
  require_identifier("Input", name);
  if (!is_supported(type) || type.is_vector()) {
    throw DefinitionError(
        fmt::format("Input(\"{}\"): unsupported type; the types are {}", name, supported_types()));
  }
  if (shape.empty()) throw DefinitionError(fmt::format("Input(\"{}\"): needs at least one dimension", name));
  if (!dims.empty() && dims.size() != shape.size()) {
    throw DefinitionError(
        fmt::format("Input(\"{}\"): {} dimension names for {} dimensions", name, dims.size(), shape.size()));
  }
  contents_->type = type;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (!shape[d].defined() || shape[d].type() != Int(32)) {
      throw DefinitionError(fmt::format("Input(\"{}\"): extent {} must be an i32 expression", name, d));
    }
    if (!is_launch_constant(shape[d])) {
      throw DefinitionError(
          fmt::format("Input(\"{}\"): extent {} must be made of constants and Params", name, d));
    }
    if (const std::int64_t* value = as_int(shape[d]); value && *value < 0) {
      throw DefinitionError(
          fmt::format("Input(\"{}\"): extent {} is {}; an Input has 0 elements or more", name, d, *value));
    }
    contents_->shape.push_back(unmarked(shape[d]));
    contents_->dims.push_back(dims.empty() ? fmt::format("d{}", d) : dims[d]);
  }
}

}  // namespace tensordsl
