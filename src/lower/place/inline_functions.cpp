#include "lower/place/inline_functions.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_map>

#include "ir/nodes/substitute.h"
#include "ir/simplify/simplify.h"

namespace tensordsl::lower {

using namespace ir;
using schedule::ScheduledFunction;

namespace {

class Inliner {
 public:
  /// `params`: the Params of the pipeline.
  Inliner(const std::vector<FunctionPtr>& outputs, const ScheduledFunction& owner,
          const std::map<std::string, Type>& params)
      : outputs_(outputs), owner_(owner) {
    std::set<std::string> variables(owner.dims.begin(), owner.dims.end());
    for (const Definition& definition : owner.definitions) {
      for (const ReductionAxis& axis : definition.domain) variables.insert(axis.name);
    }
    for (const auto& [name, type] : params) {
      if (!variables.contains(name)) continue;
      std::string other = name;
      while (variables.contains(other) || params.contains(other)) other += "'";
      variables.insert(other);
      stand_ins_[name] = make_var(other, type);
      params_[other] = make_var(name, type);
    }
  }

  const Substitution& params() const { return params_; }

  Expr rewrite(const Expr& expr) {
    if (expr->operands.empty() && expr->kind != ExprKind::Call) return expr;
    if (const auto known = done_.find(expr.get()); known != done_.end()) return known->second;
    Expr result = map_operands(expr, [this](const Expr& e) { return rewrite(e); });
    if (expr->kind == ExprKind::Call) result = rewrite_call(result);
    done_.emplace(expr.get(), result);
    alive_.push_back(expr);
    return result;
  }

 private:
  Expr rewrite_call(const Expr& call) {
    const auto load_of = [&](const Function& function) {
      return make_load(function.type(call->component), function.name, call->operands, 1, call->component);
    };
    if (!call->function) return load_of(owner_);
    const ScheduledFunction& callee = schedule::scheduled(*call->function);
    if (!callee.is_substituted() || std::ranges::count(outputs_, call->function) > 0) return load_of(callee);
    // The indices are substituted first, and calls with the same indices are rewritten once: a chain of
    // stencils calls each of its Funcs with few different indices, along many paths.
    const Expr place = map_operands(call, [](const Expr& index) { return simplify(index); });
    if (const auto known = calls_.find(place); known != calls_.end()) return known->second;
    // A variable of the callee with the name of one of the owner is a Param: its substitute replaces it.
    Substitution values = stand_ins_;
    for (std::size_t d = 0; d < callee.dims.size(); ++d) values[callee.dims[d]] = (*place)[d];
    const std::size_t component = call->component == kWhole ? 0 : static_cast<std::size_t>(call->component);
    Expr result = rewrite(substitute(callee.definitions[0].values[component], values));
    calls_.emplace(place, result);
    return result;
  }

  const std::vector<FunctionPtr>& outputs_;
  const ScheduledFunction& owner_;
  Substitution stand_ins_, params_;  // a Param to its fallback, and back
  std::unordered_map<const ExprNode*, Expr> done_;
  std::vector<Expr> alive_;  // keeps the keys of done_ alive
  std::unordered_map<Expr, Expr, ExprHash, ExprSame> calls_;
};

}  // namespace

std::vector<Producer> inline_functions(const std::vector<FunctionPtr>& functions,
                                       const std::vector<FunctionPtr>& outputs) {
  std::vector<Producer> producers;
  const auto params = params_of(functions);
  for (const FunctionPtr& f : functions) {
    const ScheduledFunction& function = schedule::scheduled(*f);
    if (function.is_input()) continue;
    const bool is_output = std::ranges::count(outputs, f) > 0;
    if (!is_output && function.is_substituted()) continue;
    Inliner inliner(outputs, function, params);
    Producer producer{&function, is_output, {}, inliner.params()};
    for (const Definition& definition : function.definitions) {
      Definition inlined;
      for (const Expr& arg : definition.args) inlined.args.push_back(inliner.rewrite(arg));
      for (const Expr& value : definition.values) inlined.values.push_back(inliner.rewrite(value));
      inlined.domain = definition.domain;
      if (definition.predicate.defined()) inlined.predicate = inliner.rewrite(definition.predicate);
      producer.definitions.push_back(std::move(inlined));
    }
    producers.push_back(std::move(producer));
  }
  return producers;
}

}  // namespace tensordsl::lower
