#include "graph/schedule/merge_dimensions.h"

#include <algorithm>
#include <optional>

#include "classify/classify.h"
#include "dsl/func_of.h"
#include "ir/nodes/expr_node.h"
#include "ir/nodes/substitute.h"
#include "ir/simplify/simplify.h"
#include "schedule/func_schedule.h"

namespace tensordsl::graph {

using definitions::StoredGroup;

using namespace ir;

namespace {

using DimensionPart = Layout::Term::Part;

bool is_whole(const Layout::Term& term, int dim) { return term == Layout::Term{.dim = dim}; }

/// Dimensions `first` and `first` + 1 as one; nothing if they do not follow each other in memory.
std::optional<StoredTensor> with_merged_dimensions(const StoredTensor& stored, int first) {
  const auto at = static_cast<std::size_t>(first);
  StoredTensor result = stored;
  result.extents[at] = simplify(stored.extents[at] * stored.extents[at + 1]);
  result.extents.erase(result.extents.begin() + first + 1);
  std::vector<Layout::Term> terms;
  std::vector<std::size_t> ends = stored.layout.group_ends();
  bool follow = false;
  for (std::size_t t = 0; t < stored.layout.terms().size(); ++t) {
    Layout::Term term = stored.layout.terms()[t];
    if (term.swizzle) return std::nullopt;
    const bool is_first = std::ranges::count(ends, t) > 0;  // of a coordinate of an image
    if (t > 0 && !is_first && is_whole(term, first + 1) && is_whole(stored.layout.terms()[t - 1], first)) {
      follow = true;
      for (std::size_t& end : ends) end -= end > t ? 1 : 0;
      continue;
    }
    if (term.dim > first) --term.dim;
    terms.push_back(term);
  }
  if (!follow) return std::nullopt;
  result.layout = Layout::of(terms, ends);
  return result;
}

/// Merges dimension `first_` of every Func with the next one.
class DimensionMerger {
 public:
  DimensionMerger(const StoredGroup& group, int first)
      : group_(group), first_(static_cast<std::size_t>(first)) {}

  std::optional<StoredGroup> run() {
    result_ = group_;
    for (std::size_t i = 0; i < group_.outputs.size(); ++i) {
      const auto stored = with_merged_dimensions(group_.stored[i], static_cast<int>(first_));
      if (!stored) return std::nullopt;
      result_.stored[i] = *stored;
    }
    for (std::size_t i = 0; i < group_.operands.size(); ++i) merge_operand(i);
    if (!merge_funcs(group_.prologue, result_.prologue) || !merge_funcs(group_.anchors, result_.anchors) ||
        !merge_funcs(group_.epilogue, result_.epilogue)) {
      return std::nullopt;
    }
    for (Func& output : result_.outputs) output = made_.at(&output.contents());
    return result_;
  }

 private:
  /// The variables of a Func's two dimensions.
  struct Names {
    std::string outer, inner;
    std::string both() const { return outer + inner; }
  };

  std::optional<Names> names_of(const Func& func) const {
    const std::vector<std::string>& dims = func.contents().dims;
    if (dims.size() != group_.outputs[0].contents().dims.size()) return std::nullopt;
    return Names{dims[first_], dims[first_ + 1]};
  }

  static bool are_both_at(const std::vector<Expr>& indices, std::size_t at, const Names& names) {
    const auto is = [&](const Expr& e, const std::string& var) {
      return e->kind == ExprKind::Var && e->name == var;
    };
    return at + 1 < indices.size() && is(indices[at], names.outer) && is(indices[at + 1], names.inner);
  }

  /// Merges two dimensions of an operand that some Func reads side by side; it becomes another Input then.
  void merge_operand(std::size_t i) {
    const definitions::GroupOperand& operand = group_.operands[i];
    std::optional<std::size_t> place;
    for (const auto* funcs : {&group_.prologue, &group_.anchors, &group_.epilogue}) {
      for (const Func& func : *funcs) {
        const auto names = names_of(func);
        if (!names) continue;
        for_each_read(func, operand.input, [&](const std::vector<Expr>& indices) {
          for (std::size_t d = 0; d + 1 < indices.size(); ++d) {
            if (are_both_at(indices, d, *names)) place = d;
          }
        });
      }
    }
    if (!place) return;
    const std::vector<Expr>& extents = group_.stored[0].extents;
    const bool fits = same(operand.stored.extents[*place], extents[first_]) &&
                      same(operand.stored.extents[*place + 1], extents[first_ + 1]);
    const auto stored =
        fits ? with_merged_dimensions(operand.stored, static_cast<int>(*place)) : std::nullopt;
    if (!stored) return;
    const Input input(operand.input.name(), stored->type, stored->extents);
    result_.operands[i].input = input;
    result_.operands[i].stored = *stored;
    made_.insert_or_assign(&operand.input.contents(), input);
    places_.emplace(&operand.input.contents(), *place);
  }

  template <typename F>
  static void for_each_read(const Func& func, const Func& of, F f) {
    for (const Definition& definition : func.contents().definitions) {
      for (const Expr& expr : definition.expressions()) {
        visit(expr, [&](const Expr& e) {
          if (e->kind == ExprKind::Call && e->function == of.shared()) f(e->operands);
          return true;
        });
      }
    }
  }

  bool merge_funcs(const std::vector<Func>& funcs, std::vector<Func>& results) {
    results.clear();
    for (const Func& func : funcs) {
      const auto result = merge_func(func);
      if (!result) return false;
      made_.insert_or_assign(&func.contents(), *result);
      places_.emplace(&func.contents(), first_);
      results.push_back(*result);
    }
    return true;
  }

  std::optional<Func> merge_func(const Func& func) const {
    const auto names = names_of(func);
    std::vector<std::string> dims = func.contents().dims;
    if (!names || std::ranges::count(dims, names->both()) > 0) return std::nullopt;
    dims[first_] = names->both();
    dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(first_) + 1);
    std::vector<Definition> definitions = func.contents().definitions;
    for (Definition& definition : definitions) {
      if (!are_both_at(definition.args, first_, *names)) return std::nullopt;
      definition.args = merge_indices(definition.args, first_, *names);
      for (Expr& value : definition.values) value = merge_reads(value, *names);
      if (definition.predicate.defined()) definition.predicate = merge_reads(definition.predicate, *names);
      for (const Expr& expr : definition.expressions()) {
        if (uses_var(expr, names->outer) || uses_var(expr, names->inner)) return std::nullopt;
      }
    }
    return func_of(func.name(), dims, std::move(definitions));
  }

  static std::vector<Expr> merge_indices(std::vector<Expr> indices, std::size_t at, const Names& names) {
    indices[at] = make_var(names.both());
    indices.erase(indices.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    return indices;
  }

  Expr merge_reads(const Expr& expr, const Names& names) const {
    return rewrite(expr, [&](const Expr& e) {
      if (e->kind != ExprKind::Call) return e;
      const bool is_self = !e->function;
      const auto made = made_.find(e->function.get());
      if (!is_self && made == made_.end()) return e;
      const std::size_t at = is_self ? first_ : places_.at(e->function.get());
      // A read elsewhere keeps a variable that is gone, by which merge_func sees it.
      if (!are_both_at(e->operands, at, names)) return make_var(names.outer, e.type());
      const auto indices = merge_indices(e->operands, at, names);
      return is_self ? make_call(e.type(), nullptr, e->name, indices, e->component)
                     : make_call(e.type(), made->second.shared(), e->name, indices, e->component);
    });
  }

  const StoredGroup& group_;
  std::size_t first_;
  StoredGroup result_;
  std::map<const Function*, Func> made_;           // by the Func that was
  std::map<const Function*, std::size_t> places_;  // where the merged dimension is in it
};

}  // namespace

StoredGroup merge_dimensions(StoredGroup group) {
  // Other forms have handles of Funcs, which are rebuilt here.
  if (!std::holds_alternative<definitions::PlainForm>(group.form)) return group;
  if (group.anchors.size() != 1 || group.outputs.size() != 1) return group;
  if (group.anchors[0].rank() != group.outputs[0].rank()) return group;
  const classify::Classification& anchor = group.class_of(group.anchors[0]);
  if (anchor.kind != classify::Class::Contraction || !anchor.windows.empty()) return group;
  const auto& m = anchor.roles->m;
  const auto& dims = group.anchors[0].contents().dims;
  for (std::size_t d = dims.size(); d-- > 1;) {
    const bool are_rows = std::ranges::count(m, dims[d]) > 0 && std::ranges::count(m, dims[d - 1]) > 0;
    if (!are_rows) continue;
    if (auto result = DimensionMerger(group, static_cast<int>(d) - 1).run()) {
      classify_funcs(*result);
      return *std::move(result);
    }
  }
  return group;
}

}  // namespace tensordsl::graph
