#include "ir/nodes/function.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_set>

#include "tensordsl/error.h"

namespace tensordsl::ir {
namespace {

/// Calls `f` with every expression outside of the domain.
template <typename F>
void for_each_expression(const Definition& definition, const F& f) {
  for (const Expr& arg : definition.args) f(arg);
  for (const Expr& value : definition.values) f(value);
  if (definition.predicate.defined()) f(definition.predicate);
}

class Collector {
 public:
  /// Starts with `inputs` as complete: they are not collected, and their own reads are not visited.
  explicit Collector(const std::vector<FunctionPtr>& inputs) {
    for (const FunctionPtr& input : inputs) {
      by_name_.emplace(input->name, input);
      complete_.insert(input.get());
    }
  }

  void add(const FunctionPtr& function) {
    if (++depth_ > kMaxFuncs) {
      throw DefinitionError(
          fmt::format("{}: it starts a chain of more than {} Funcs that read each other; realize part of the "
                      "pipeline, and pass the result as an Input",
                      function->name, kMaxFuncs));
    }
    collect(function);
    --depth_;
  }

  std::vector<FunctionPtr> take() { return std::move(order_); }

 private:
  // Walks over Funcs recurse from consumers to producers.
  static constexpr int kMaxFuncs = 1000;

  void collect(const FunctionPtr& function) {
    const auto [it, is_new] = by_name_.emplace(function->name, function);
    if (!is_new) {
      if (it->second == function && complete_.contains(function.get())) return;
      if (it->second == function) {
        throw DefinitionError(fmt::format(
            "{} depends on itself through another Func; a Func may read itself only in its own updates",
            function->name));
      }
      throw DefinitionError(
          fmt::format("two different Funcs or Inputs of one pipeline are named \"{}\"; rename one of them",
                      function->name));
    }
    if (!function->is_defined())
      throw DefinitionError(fmt::format("{} is used before it is defined", function->name));
    for (const Definition& definition : function->definitions)
      for_each_expression(definition, [&](const Expr& e) { add_calls(e); });
    complete_.insert(function.get());
    order_.push_back(function);
  }

  void add_calls(const Expr& expr) {
    visit(expr, [&](const Expr& e) {
      if (!e->operands.empty() && !seen_.insert(e.get()).second) return false;
      if (e->kind == ExprKind::Call && e->function) add(e->function);
      return true;
    });
  }

  std::map<std::string, FunctionPtr> by_name_;
  int depth_ = 0;
  std::unordered_set<const ExprNode*> seen_;
  std::unordered_set<const Function*> complete_;  // with everything they read
  std::vector<FunctionPtr> order_;
};

/// Finds the variables that nothing binds.
class ParamCollector {
 public:
  void add(const Function& function) {
    const auto is_bound_nowhere = [](const std::string&) { return false; };
    for (const Expr& extent : function.shape) add(extent, is_bound_nowhere);
    for (const Definition& definition : function.definitions) {
      for (const ReductionAxis& axis : definition.domain) {
        add(axis.min, is_bound_nowhere);
        add(axis.extent, is_bound_nowhere);
      }
      const auto is_bound = [&](const std::string& name) {
        return std::ranges::find(function.dims, name) != function.dims.end() ||
               std::ranges::find(definition.domain, name, &ReductionAxis::name) != definition.domain.end();
      };
      for_each_expression(definition, [&](const Expr& e) { add(e, is_bound); });
    }
  }

  std::map<std::string, Type> take() { return std::move(params_); }

 private:
  template <typename IsBound>
  void add(const Expr& expr, const IsBound& is_bound) {
    visit(expr, [&](const Expr& e) {
      if (e->kind != ExprKind::Var || is_bound(e->name)) return true;
      const Type known = params_.emplace(e->name, e.type()).first->second;
      if (known == e.type()) return true;
      throw DefinitionError(fmt::format(
          "two Params of one pipeline are named \"{}\", one of type {} and one of {}; rename one of them",
          e->name, to_string(known), to_string(e.type())));
    });
  }

  std::map<std::string, Type> params_;
};

}  // namespace

std::vector<Expr> Definition::expressions() const {
  std::vector<Expr> all = args;
  all.insert(all.end(), values.begin(), values.end());
  if (predicate.defined()) all.push_back(predicate);
  return all;
}

std::vector<int> Function::components() const {
  if (!is_tuple()) return {kWhole};
  std::vector<int> all(types.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::vector<std::string> Function::buffers() const {
  std::vector<std::string> names;
  for (const int component : components()) names.push_back(buffer_name(name, component));
  return names;
}

Function::~Function() {
  // A long chain of Funcs, each owned by its consumer, must not be destroyed by recursion: the outermost
  // destructor destroys the definitions of the others in a loop.
  thread_local std::vector<Definition>* at_it = nullptr;
  if (at_it != nullptr) {
    for (Definition& d : definitions) at_it->push_back(std::move(d));
    return;
  }
  std::vector<Definition> waiting = std::move(definitions);
  at_it = &waiting;
  while (!waiting.empty()) {
    const Definition next = std::move(waiting.back());
    waiting.pop_back();
  }
  at_it = nullptr;
}

std::vector<FunctionPtr> reachable(const FunctionPtr& output) {
  return reachable(std::vector<FunctionPtr>{output});
}

std::vector<FunctionPtr> reachable(const std::vector<FunctionPtr>& outputs,
                                   const std::vector<FunctionPtr>& inputs) {
  Collector collector(inputs);
  for (const FunctionPtr& output : outputs) collector.add(output);
  std::vector<FunctionPtr> functions = collector.take();
  params_of(functions);
  return functions;
}

std::map<std::string, Type> params_of(const std::vector<FunctionPtr>& functions) {
  ParamCollector collector;
  for (const FunctionPtr& f : functions) collector.add(*f);
  return collector.take();
}

}  // namespace tensordsl::ir
