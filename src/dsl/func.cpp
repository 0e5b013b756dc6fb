#include "tensordsl/func.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/nodes/expr_node.h"
#include "ir/nodes/promotion.h"
#include "schedule/func_schedule.h"
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
        fmt::format("{}(\"{}\"): kernels use this name for an index; choose another name", kind, name));
  }
  if (is_identifier(name)) return;
  throw DefinitionError(
      fmt::format("{}(\"{}\"): the name becomes an OpenCL identifier; use letters, digits and '_', and do "
                  "not start with a digit",
                  kind, name));
}

std::shared_ptr<ScheduledFunction> new_function(const std::string& name) {
  auto function = std::make_shared<ScheduledFunction>();
  function->name = name.empty() ? "f" + Var().name().substr(1) : name;
  return function;
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
        fmt::format("{}.update({}): the index is out of range; the Func has {} update definitions", name(),
                    index, updates()));
  }
  return Stage(contents_, index + 1);
}

namespace {

/// Returns the Func or Input of that name. Throws ScheduleError, which starts with `call`, if there is none.
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
      fmt::format("{}(\"{}\"): no tensor of this name is read; the tensors are {}", call, name, names));
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
                            : fmt::format("{}.type(): the values are tuples of {}; use types()", name(),
                                          contents_->types.size()));
}
std::vector<Type> Func::types() const { return contents_->types; }
int Func::outputs() const { return static_cast<int>(contents_->types.size()); }
int Func::rank() const { return contents_->rank(); }
bool Func::is_input() const { return contents_->is_input(); }

Input::Input(const std::string& name, Type type, const std::vector<Expr>& shape,
             const std::vector<std::string>& dims)
    : Func(new_function(name)), shape_(shape) {
  require_identifier("Input", name);
  if (!is_supported(type) || type.is_vector()) {
    throw DefinitionError(
        fmt::format("Input(\"{}\"): unsupported type; the types are {}", name, supported_types()));
  }
  if (!dims.empty() && dims.size() != shape.size()) {
    throw DefinitionError(fmt::format("Input(\"{}\"): found {} dimension names for {} dimensions", name,
                                      dims.size(), shape.size()));
  }
  for (auto dim = dims.begin(); dim != dims.end(); ++dim) {
    if (std::find(dims.begin(), dim, *dim) != dim)
      throw DefinitionError(
          fmt::format("Input(\"{}\"): two dimensions are called \"{}\"; rename one of them", name, *dim));
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
          fmt::format("Input(\"{}\"): extent {} must consist of constants and Params", name, d));
    }
    if (const std::int64_t* value = as_int(extent); value && *value < 0) {
      throw DefinitionError(
          fmt::format("Input(\"{}\"): extent {} is {}; it must not be negative", name, d, *value));
    }
    contents_->shape.push_back(unmarked(extent));
    contents_->dims.push_back(dims.empty() ? fmt::format("d{}", d) : dims[d]);
  }
}

}  // namespace tensordsl
