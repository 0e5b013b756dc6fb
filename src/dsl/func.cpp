#include "tensordsl/func.h"

#include <fmt/format.h>

#include <algorithm>

#include "dsl/type_constructor.h"
#include "ir/expr_node.h"
#include "ir/promotion.h"
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
                                        is_in_predicate_ ? "where(...) brings together the reduction domains"
                                                         : "one definition uses the reduction domains",
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
      throw DefinitionError(
          fmt::format("{}: two different reduction domains are named \"{}\"; give one of them another "
                      "name",
                      function_, own));
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

void define_pure(ScheduledFunction& function, const std::vector<Expr>& args,
                 const std::vector<Expr>& values) {
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
  for (const Expr& value : values) require_known_vars(function.name, dims, dims, value);
  if (!domain_of(function.name, values).axes.empty()) {
    throw DefinitionError(
        fmt::format("{}: the first definition uses a reduction axis; define the starting value first, "
                    "or use +=, *=, maximize or minimize",
                    function.name));
  }
  Definition definition{args, {}, {}};
  for (const Expr& value : values) {
    require_shallow(function, value);
    function.types.push_back(value.type());
    definition.values.push_back(unmarked(value));
  }
  function.dims = std::move(dims);
  function.definitions.push_back(std::move(definition));
  function.stages.push_back(schedule::default_stage(function, function.definitions.back()));
}

/// An update gets the Func's type. What of a float is lost in an integer is for the author to say.
void require_convertible(const ScheduledFunction& function, Type update, Type type) {
  if (!update.is_float() || type.is_float()) return;
  throw DefinitionError(
      fmt::format("{0}: the update is {1} and the Func is {2}; convert what is assigned or "
                  "added with cast({3}, ...), or define {0} as {1}",
                  function.name, to_string(update), to_string(type), type_constructor(type)));
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

void define_update(ScheduledFunction& function, const std::vector<Expr>& args, std::vector<Expr> values) {
  if (values.size() != function.types.size()) {
    throw DefinitionError(fmt::format("{}: the update has {} values, but the Func was defined with {}",
                                      function.name, values.size(), function.types.size()));
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
  for (const Expr& value : values) definition.values.push_back(without_self(unmarked(value), &function));
  if (domain.predicate.defined()) definition.predicate = without_self(unmarked(domain.predicate), &function);
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

namespace {

using Definitions = std::vector<Definition>;

bool reads(const Definitions& definitions, const ScheduledFunction* function) {
  bool found = false;
  for (const Definition& definition : definitions) {
    for (const Expr& expr : definition.expressions()) {
      visit(expr, [&](const Expr& e) {
        found = found || (e->kind == ExprKind::Call && e->function.get() == function);
        return !found;
      });
    }
  }
  return found;
}

bool reads(const Definitions& definitions, const std::string& name) {
  bool found = false;
  for (const Definition& definition : definitions) {
    for (const Expr& expr : definition.expressions()) {
      visit(expr, [&](const Expr& e) {
        found = found || (e->kind == ExprKind::Call && e->name == name);
        return !found;
      });
    }
  }
  return found;
}

bool has_tensor(const FunctionPtr& output, const std::string& name) {
  return std::ranges::any_of(reachable(output), [&](const FunctionPtr& f) { return f->name == name; });
}

/// The copy in place of the Func.
void redirect(Definitions& definitions, const ScheduledFunction* function, const Func& copy) {
  const auto redirected = [&](const Expr& expr) {
    return rewrite(expr, [&](const Expr& e) {
      if (e->kind != ExprKind::Call || e->function.get() != function) return e;
      return make_call(e->type, copy.shared(), copy.name(), e->operands, e->component);
    });
  };
  for (Definition& definition : definitions) {
    for (Expr& arg : definition.args) arg = redirected(arg);
    for (Expr& value : definition.values) value = redirected(value);
    if (definition.predicate.defined()) definition.predicate = redirected(definition.predicate);
  }
}

}  // namespace

Func Func::in(const Func& consumer) const { return in(consumer, {}); }

Func Func::in(const std::vector<Func>& consumers) const {
  if (consumers.empty()) throw ScheduleError(fmt::format("{}.in({{}}): name one or more consumers", name()));
  return in(consumers[0], {consumers.begin() + 1, consumers.end()});
}

Func Func::in(const Func& consumer, const std::vector<Func>& others) const {
  std::vector<Func> consumers{consumer};
  consumers.insert(consumers.end(), others.begin(), others.end());
  std::vector<schedule::FuncName> other_names;
  for (const Func& other : others) other_names.push_back({other.name()});
  schedule::Directive directive{"in", {schedule::FuncName{consumer.name()}}};
  if (!others.empty()) directive.arguments.emplace_back(other_names);
  const std::string call = fmt::format("{}.{}", name(), schedule::to_string(directive));
  const std::string made = schedule::copy_name(name(), consumer.name());
  for (const Func& reader : consumers) {
    if (reader.contents_ == contents_)
      throw ScheduleError(call + ": a tensor is no consumer of itself; name one that reads it");
    if (reads(reader.contents_->definitions, contents_.get())) {
      if (!has_tensor(reader.contents_, made)) continue;
      throw ScheduleError(fmt::format(
          "{0}: the copy is named {1}, as is another Func that {2} reads; give that one another name", call,
          made, reader.name()));
    }
    if (reads(reader.contents_->definitions, made)) {
      throw ScheduleError(fmt::format("{0}: {1} reads the copy {2} already; use that Func, or {2}.in({1})",
                                      call, reader.name(), made));
    }
    throw ScheduleError(fmt::format(
        "{}: no definition of {} reads {}; define it first, and name the Func whose own definition reads "
        "the tensor",
        call, reader.name(), name()));
  }
  Func copy(made);
  std::vector<Expr> vars;
  for (const std::string& dim : contents_->dims) vars.push_back(Var(dim));
  copy(vars) = Tuple((*this)(vars));
  std::vector<schedule::LogPosition> after;
  for (const Func& reader : consumers) {
    redirect(reader.contents_->definitions, contents_.get(), copy);
    if (reader.contents_ != consumer.contents_) after.push_back({reader.name(), 0});
  }
  auto& log = consumer.contents_->log;
  log.push_back({{name(), {}}, std::move(directive), std::move(after)});
  copy.contents_->made_by = schedule::LogPosition{consumer.name(), log.size()};
  return copy;
}

namespace {

/// Throws ScheduleError, which starts with `call`, if there is none.
Func find_producer(const std::vector<FunctionPtr>& functions, const std::string& name,
                   const std::string& call) {
  std::string names;
  for (const FunctionPtr& f : functions) {
    // The front end made it, and handed out handles that change it.
    if (f->name == name)
      return Func(
          std::const_pointer_cast<ScheduledFunction>(std::dynamic_pointer_cast<const ScheduledFunction>(f)));
    names += (names.empty() ? "" : ", ") + f->name;
  }
  throw ScheduleError(
      fmt::format("{}(\"{}\"): it reads no tensor of that name; the tensors are {}", call, name, names));
}

}  // namespace

Func Func::producer(const std::string& name) const {
  return find_producer(reachable(contents_), name, this->name() + ".producer");
}

Func producer(const std::vector<Func>& outputs, const std::string& name) {
  std::vector<FunctionPtr> definitions;
  for (const Func& output : outputs) definitions.push_back(output.shared());
  return find_producer(reachable(definitions), name,
                       outputs.size() == 1 ? outputs[0].name() + ".producer" : "producer");
}

int Func::updates() const {
  return contents_->definitions.empty() ? 0 : static_cast<int>(contents_->definitions.size()) - 1;
}
const std::string& Func::name() const { return contents_->name; }
Type Func::type() const {
  if (contents_->types.size() == 1) return contents_->types[0];
  throw DefinitionError(contents_->types.empty()
                            ? fmt::format("{} has no type before it is defined", name())
                            : fmt::format("{}.type(): its values are tuples of {}; use types()", name(),
                                          contents_->types.size()));
}
std::vector<Type> Func::types() const { return contents_->types; }
int Func::outputs() const { return static_cast<int>(contents_->types.size()); }
int Func::rank() const { return contents_->rank(); }
bool Func::is_input() const { return contents_->is_input(); }

namespace {

/// What every assignment asks for, before anything is defined.
void require_assignable(const ScheduledFunction& function, const std::vector<Expr>& args,
                        const std::vector<Expr>& values) {
  for (const Expr& value : values) {
    if (!value.defined())
      throw DefinitionError(fmt::format("{}: the value assigned is undefined", function.name));
  }
  if (function.is_input()) {
    throw DefinitionError(
        fmt::format("{}: an Input cannot be defined; define a Func that reads it", function.name));
  }
  for (const Expr& arg : args) {
    if (!arg.defined()) throw DefinitionError(fmt::format("{}: an index is undefined", function.name));
  }
}

}  // namespace

FuncRef::FuncRef(std::shared_ptr<ScheduledFunction> function, std::vector<Expr> args)
    : function_(std::move(function)), args_(std::move(args)) {
  for (Expr& arg : args_) arg = as_index(arg);
}

void FuncRef::define(const std::vector<Expr>& values) {
  require_assignable(*function_, args_, values);
  if (function_->definitions.empty()) return define_pure(*function_, args_, values);
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
  define_update(*function_, args_, values);
}

FuncRef& FuncRef::operator=(const Expr& value) {
  define({value});
  return *this;
}

FuncRef& FuncRef::operator=(const FuncRef& value) { return *this = Tuple(value); }

FuncRef& FuncRef::operator=(const Tuple& values) {
  define(values.as_vector());
  return *this;
}

namespace {

/// Defines the Func as `values` everywhere, if it has no definition yet: the start of a reduction.
void start_from(const std::shared_ptr<ScheduledFunction>& function, const std::vector<Expr>& args,
                const std::vector<Expr>& values) {
  if (!function->definitions.empty()) return;
  std::vector<Expr> vars;
  for (std::size_t d = 0; d < args.size(); ++d) {
    const Expr& arg = args[d];
    const bool plain = arg->kind == ExprKind::Var && arg->value == static_cast<std::int64_t>(VarMark::Plain);
    vars.push_back(plain ? arg : Expr(Var(fmt::format("d{}", d))));
  }
  define_pure(*function, vars, values);
}

Expr lesser(Expr a, Expr b) { return min(std::move(a), std::move(b)); }
Expr greater(Expr a, Expr b) { return max(std::move(a), std::move(b)); }

std::vector<Expr> negated(const std::vector<Expr>& values) {
  std::vector<Expr> result;
  for (const Expr& value : values) result.push_back(value.defined() ? -value : value);
  return result;
}

}  // namespace

void FuncRef::update(const std::vector<Expr>& values, ExprKind reduction, Expr (*op)(Expr, Expr)) {
  require_assignable(*function_, args_, values);
  std::vector<Expr> start;
  for (const Expr& value : values) start.push_back(schedule::identity_of(reduction, value.type()));
  start_from(function_, args_, start);
  std::vector<Expr> updated = components();
  if (updated.size() != values.size()) return define(values);  // which says so
  for (std::size_t i = 0; i < values.size(); ++i) updated[i] = op(updated[i], values[i]);
  define(updated);
}

FuncRef& FuncRef::operator+=(const Tuple& values) {
  update(values.as_vector(), ExprKind::Add, operator+);
  return *this;
}

FuncRef& FuncRef::operator-=(const Tuple& values) { return *this += Tuple(negated(values.as_vector())); }

FuncRef& FuncRef::operator*=(const Tuple& values) {
  update(values.as_vector(), ExprKind::Mul, operator*);
  return *this;
}

FuncRef& FuncRef::operator/=(const Tuple& values) {
  update(values.as_vector(), ExprKind::Mul, operator/);
  return *this;
}

FuncRef& FuncRef::operator+=(const Expr& value) {
  update({value}, ExprKind::Add, operator+);
  return *this;
}

FuncRef& FuncRef::operator-=(const Expr& value) {
  require_assignable(*function_, args_, {value});
  return *this += -value;
}

FuncRef& FuncRef::operator*=(const Expr& value) {
  update({value}, ExprKind::Mul, operator*);
  return *this;
}

FuncRef& FuncRef::operator/=(const Expr& value) {
  update({value}, ExprKind::Mul, operator/);
  return *this;
}

FuncRef& FuncRef::maximize(const Expr& value) {
  update({value}, ExprKind::Max, greater);
  return *this;
}

FuncRef& FuncRef::minimize(const Expr& value) {
  update({value}, ExprKind::Min, lesser);
  return *this;
}

void FuncRef::require_readable() const {
  if (!function_->is_defined())
    throw DefinitionError(fmt::format("{} is used before it is defined", function_->name));
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
}

FuncRef::operator Expr() const {
  require_readable();
  if (function_->is_tuple()) {
    throw DefinitionError(
        fmt::format("{0}: its values are tuples of {1}; read a component, as in {0}(...)[0]", function_->name,
                    function_->types.size()));
  }
  return make_call(function_->type(), function_, function_->name, args_);
}

std::vector<Expr> FuncRef::components() const {
  require_readable();
  std::vector<Expr> values;
  for (const int component : function_->components())
    values.push_back(make_call(function_->type(component), function_, function_->name, args_, component));
  return values;
}

FuncTupleElementRef FuncRef::operator[](int index) const { return FuncTupleElementRef(*this, index); }

FuncTupleElementRef::FuncTupleElementRef(const FuncRef& element, int index)
    : element_(std::make_shared<FuncRef>(element)), index_(index) {
  const ScheduledFunction& function = *element.function_;
  element.require_readable();
  if (index >= 0 && index < static_cast<int>(function.types.size())) return;
  throw DefinitionError(fmt::format("{}(...)[{}]: its values have {} {}", function.name, index,
                                    function.types.size(),
                                    function.types.size() == 1 ? "component" : "components"));
}

FuncTupleElementRef::operator Expr() const {
  return element_->components()[static_cast<std::size_t>(index_)];
}

FuncTupleElementRef& FuncTupleElementRef::operator=(const Expr& value) {
  std::vector<Expr> values = element_->components();
  values[static_cast<std::size_t>(index_)] = value;
  element_->define(values);
  return *this;
}

FuncTupleElementRef& FuncTupleElementRef::operator=(const FuncTupleElementRef& value) {
  return *this = static_cast<Expr>(value);
}

FuncTupleElementRef& FuncTupleElementRef::operator+=(const Expr& value) {
  return *this = static_cast<Expr>(*this) + value;
}

FuncTupleElementRef& FuncTupleElementRef::operator-=(const Expr& value) {
  return *this = static_cast<Expr>(*this) + -value;
}

FuncTupleElementRef& FuncTupleElementRef::operator*=(const Expr& value) {
  return *this = static_cast<Expr>(*this) * value;
}

FuncTupleElementRef& FuncTupleElementRef::operator/=(const Expr& value) {
  return *this = static_cast<Expr>(*this) / value;
}

Input::Input(const std::string& name, Type type, const std::vector<Expr>& shape,
             const std::vector<std::string>& dims)
    : Func(new_function(name)), shape_(shape) {
  require_identifier("Input", name);
  if (!is_supported(type) || type.is_vector()) {
    throw DefinitionError(
        fmt::format("Input(\"{}\"): unsupported type; the types are {}", name, supported_types()));
  }
  if (!dims.empty() && dims.size() != shape.size()) {
    throw DefinitionError(
        fmt::format("Input(\"{}\"): {} dimension names for {} dimensions", name, dims.size(), shape.size()));
  }
  for (Expr& extent : shape_) extent = as_index(extent);
  contents_->is_given = true;
  contents_->types = {type};
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const Expr& extent = shape_[d];
    if (!extent.defined() || extent.type() != Int(32)) {
      throw DefinitionError(fmt::format("Input(\"{}\"): extent {} must be an i32 expression", name, d));
    }
    if (!is_launch_constant(extent)) {
      throw DefinitionError(
          fmt::format("Input(\"{}\"): extent {} must be made of constants and Params", name, d));
    }
    if (const std::int64_t* value = as_int(extent); value && *value < 0) {
      throw DefinitionError(
          fmt::format("Input(\"{}\"): extent {} is {}; an Input has 0 elements or more", name, d, *value));
    }
    contents_->shape.push_back(unmarked(extent));
    contents_->dims.push_back(dims.empty() ? fmt::format("d{}", d) : dims[d]);
  }
}

}  // namespace tensordsl
