#include "graph/attention/find_attention.h"

#include <algorithm>
#include <limits>

#include "classify/classify.h"
#include "graph/attention/match_definition.h"
#include "ir/nodes/substitute.h"
#include "ir/simplify/simplify.h"
#include "schedule/func_schedule.h"

namespace tensordsl::graph {

using definitions::DefinedTensor;
using definitions::DefinitionGraph;

using namespace ir;

namespace {

// No known attention has more tensors between the two products.
constexpr int kMaxBetween = 16;

/// Tests whether one tensor is attention.
class AttentionSearch {
 public:
  AttentionSearch(const DefinitionGraph& graph, const std::set<std::string>& kept,
                  const definitions::TensorFuncs& funcs, const std::vector<std::vector<std::size_t>>& readers,
                  std::size_t tensor)
      : graph_(graph), kept_(kept), funcs_(funcs), readers_(readers), tensor_(tensor) {}

  std::optional<Attention> run() {
    const DefinedTensor& output = graph_.tensors[tensor_];
    if (kept_.contains(output.origin.kind)) return std::nullopt;
    const auto mean = read_product(tensor_);
    if (!mean || mean->axes.size() != 1) return std::nullopt;
    found_.tensor = tensor_;
    dims_ = output.func.contents().dims;
    found_.key = mean->axes[0];
    found_.result = mean->result;
    note_bounds(dims_, output.extents());
    note_bounds({found_.key.name}, {found_.key.extent});
    const auto weights_are = [&](std::size_t factor) {
      const auto score = read_softmax(mean->factors[factor]);
      if (!score || !read_scores(*score)) return false;
      found_.value = with_simple_indices(mean->factors[1 - factor], bounds_);
      return has_roles();
    };
    if (!weights_are(0) && !weights_are(1)) return std::nullopt;
    found_.parts.assign(opened_.begin(), opened_.end());
    for (const std::size_t opened : opened_) {
      const DefinedTensor& tensor = graph_.tensors[opened];
      const bool is_moved = classify::classify(tensor.func.contents()).kind == classify::Class::Movement;
      if (!is_moved || funcs_.funcs_of(opened).size() > 1) found_.origins.push_back(tensor.origin);
    }
    return found_;
  }

 private:
  struct Product {
    std::vector<Expr> factors;  ///< over the tensor's dimensions
    std::vector<ReductionAxis> axes;
    Expr result;  ///< with kMean for the sum
  };

  /// Reads a tensor as a sum of products with an operation on each sum.
  std::optional<Product> read_product(std::size_t tensor) const {
    const std::vector<Func> funcs = funcs_.funcs_of(tensor);
    if (funcs.size() != 2 || funcs[1].updates() > 0 || funcs[1].contents().is_tuple()) return std::nullopt;
    const Function& sum = funcs[0].contents();
    const auto product = contraction_of(sum);
    const auto read = product ? only_read(value_of(tensor), sum) : std::nullopt;
    if (!read || !classify::classify(sum).windows.empty()) return std::nullopt;
    Product result{{}, product->axes, replaced(value_of(tensor), *read, Attention::kMean)};
    for (const Expr& factor : product->value->operands)
      result.factors.push_back(at_dims(factor, sum.dims, (*read)->operands));
    return result;
  }

  const Expr& value_of(std::size_t tensor) const {
    return graph_.tensors[tensor].func.contents().definitions[0].value();
  }

  /// True if the tensor's definition may be inlined into its only reader.
  bool may_open(std::size_t tensor, std::size_t reader) const {
    const DefinedTensor& t = graph_.tensors[tensor];
    return !t.func.is_input() && !graph_.is_read_by_host(tensor) && !kept_.contains(t.origin.kind) &&
           readers_[tensor] == std::vector<std::size_t>{reader} && t.func.updates() == 0 &&
           !t.func.contents().is_tuple();
  }

  /// Inlines into `expr`, of the tensor `reader`, the definitions that lead to a goal, including the goal's
  /// last one.
  template <typename IsGoal>
  Expr opened(const Expr& expr, std::size_t reader, const IsGoal& is_goal, int depth = 0) {
    return rewrite(expr, [&](const Expr& e) {
      if (e->kind != ExprKind::Call || !e->function) return e;
      const auto source = funcs_.tensor_of(*e->function);
      if (!source || !leads_to(*source, reader, is_goal, depth)) return e;
      opened_.insert(*source);
      const Expr value = at_dims(value_of(*source), e->function->dims, e->operands);
      return is_goal(*source) ? value : opened(value, *source, is_goal, depth + 1);
    });
  }

  template <typename IsGoal>
  bool leads_to(std::size_t tensor, std::size_t reader, const IsGoal& is_goal, int depth) const {
    if (depth > kMaxBetween || !may_open(tensor, reader)) return false;
    if (is_goal(tensor)) return true;
    const std::vector<Func> funcs = funcs_.funcs_of(tensor);
    if (funcs.size() != 1) return false;
    return std::ranges::any_of(funcs_.reads_of(funcs), [&](std::size_t source) {
      return leads_to(source, tensor, is_goal, depth + 1);
    });
  }

  /// Reads a softmax along the keys: exp(s - the largest s)/the sum of those  ->  s. Nullopt if it is not
  /// one. Either may be guarded, the largest against -inf and the sum against 0, which it is if the largest
  /// is -inf.
  std::optional<Expr> read_softmax(const Expr& factor) {
    opened_.clear();
    std::optional<std::size_t> softmax;
    const auto is_softmax = [&](std::size_t tensor) { return funcs_.funcs_of(tensor).size() == 3; };
    const Expr weight = without_casts(with_simple_indices(opened(factor, tensor_, is_softmax), bounds_));
    for (const std::size_t tensor : opened_) {
      if (is_softmax(tensor)) softmax = tensor;
    }
    if (!softmax || weight->kind != ExprKind::Div) return std::nullopt;
    softmax_ = *softmax;
    const Expr power = without_casts((*weight)[0]);
    Expr total = without_casts((*weight)[1]);
    const auto score = score_of(power);
    const auto guarded_total = guarded(total, 0, 1);
    if (guarded_total) total = without_casts(*guarded_total);
    if (!score || !is_along_keys(total)) return std::nullopt;
    const auto sum = along_keys(total, ExprKind::Add);
    if (!sum || !same(without_casts(*sum), power)) return std::nullopt;
    Expr largest = without_casts((*without_casts((*power)[0]))[1]);
    const auto guarded_largest = guarded(largest, -std::numeric_limits<double>::infinity(), 0);
    if (guarded_largest.has_value() != guarded_total.has_value()) return std::nullopt;
    if (guarded_largest) largest = without_casts(*guarded_largest);
    found_.is_masked_zero = guarded_largest.has_value();
    const auto max = is_along_keys(largest) ? along_keys(largest, ExprKind::Max) : std::nullopt;
    if (!max || !same(without_casts(*max), without_casts(*score))) return std::nullopt;
    return score;
  }

  /// exp(s - m)  ->  s
  static std::optional<Expr> score_of(const Expr& power) {
    if (power->kind != ExprKind::Intrinsic || power->name != "exp") return std::nullopt;
    const Expr difference = without_casts((*power)[0]);
    if (difference->kind != ExprKind::Sub) return std::nullopt;
    return (*difference)[0];
  }

  /// True if the call has one element for all keys.
  bool is_along_keys(const Expr& call) const {
    return call->kind == ExprKind::Call && call->function && !funcs_.tensor_of(*call->function) &&
           !uses_var(call, found_.key.name);
  }

  /// Returns the value that is accumulated at this read, as an expression of the key.
  std::optional<Expr> along_keys(const Expr& call, ExprKind op) const {
    const auto accumulated = accumulation_of(*call->function, op);
    if (!accumulated || accumulated->axes.size() != 1) return std::nullopt;
    if (!same(simplify(accumulated->axes[0].extent), simplify(found_.key.extent))) return std::nullopt;
    return with_simple_indices(at_dims(accumulated->value, call->function->dims, call->operands,
                                       {{accumulated->axes[0].name, found_.key.name}}),
                               bounds_);
  }

  bool read_scores(const Expr& score) {
    std::optional<std::size_t> scores;
    const auto is_product = [&](std::size_t tensor) {
      const bool is = read_product(tensor).has_value();
      if (is) scores = tensor;
      return is;
    };
    const Expr value = with_simple_indices(opened(score, softmax_, is_product), bounds_);
    if (!scores || !opened_.contains(*scores)) return false;
    const Func sum = funcs_.funcs_of(*scores)[0];
    const auto read = only_read(value, sum.contents());
    if (!read) return false;
    found_.score = replaced(value, *read, Attention::kDot);
    factors_.clear();
    const auto product = contraction_of(sum.contents());
    found_.axes = product->axes;
    std::vector<std::pair<std::string, std::string>> renamed;
    for (ReductionAxis& axis : found_.axes) {
      renamed.emplace_back(axis.name, axis.name + "_of_scores");
      axis.name += "_of_scores";
      note_bounds({axis.name}, {axis.extent});
    }
    for (const Expr& factor : product->value->operands) {
      const Expr placed = at_dims(factor, sum.contents().dims, (*read)->operands, renamed);
      factors_.push_back(with_cheap_reads(with_simple_indices(placed, bounds_), *scores));
    }
    return reads_tensors_only(found_.score) &&
           std::ranges::all_of(factors_, [&](const Expr& factor) { return reads_tensors_only(factor); });
  }

  /// True if only tensors are read. Parts that belong to another sum of products are not allowed, such as
  /// scores that are two sums.
  bool reads_tensors_only(const Expr& expr) const {
    bool result = true;
    visit(expr, [&](const Expr& e) {
      if (e->kind == ExprKind::Call && e->function) result = result && funcs_.tensor_of(*e->function);
      return result;
    });
    return result;
  }

  /// Inlines into a factor the tensors with little arithmetic and those that are only moved.
  Expr with_cheap_reads(const Expr& factor, std::size_t reader) {
    std::optional<std::size_t> source;
    visit(factor, [&](const Expr& e) {
      if (e->kind == ExprKind::Call && e->function) {
        const auto tensor = funcs_.tensor_of(*e->function);
        if (tensor && !graph_.tensors[*tensor].constant) source = tensor;
      }
      return true;
    });
    if (!source || !may_open(*source, reader) || !is_cheap(*source)) return factor;
    const auto is_source = [&](std::size_t tensor) { return tensor == *source; };
    const std::set<std::size_t> before = opened_;
    const Expr result = with_simple_indices(opened(factor, reader, is_source), bounds_);
    if (divides_by(result, found_.key.name)) {
      opened_ = before;
      return factor;
    }
    return with_cheap_reads(result, *source);
  }

  bool is_cheap(std::size_t tensor) const {
    const std::vector<Func> funcs = funcs_.funcs_of(tensor);
    if (funcs.size() != 1) return false;
    constexpr int kMostOperations = 2;
    int operations = 0, reads = 0;
    visit(value_of(tensor), [&](const Expr& e) {
      if (e->kind == ExprKind::Call) {
        reads += is_scale(e) ? 0 : 1;
        return false;
      }
      const bool is_simple = e->kind == ExprKind::Add || e->kind == ExprKind::Sub || e->kind == ExprKind::Mul;
      operations += is_simple ? 1 : is_const(e) || e->kind == ExprKind::Cast ? 0 : kMostOperations + 1;
      return true;
    });
    return operations <= kMostOperations && reads == 1;
  }

  /// Determines the role of each dimension.
  bool has_roles() {
    const std::string& key = found_.key.name;
    for (const std::size_t asked : {0U, 1U}) {
      found_.query_factor = factors_[asked];
      found_.key_factor = factors_[1 - asked];
      if (!uses_var(found_.key_factor, key) || uses_var(found_.query_factor, key)) continue;
      scale_queries();
      if (find_dims()) return true;
    }
    return false;
  }

  /// q*(k*0.5)  ->  (q*0.5)*k: each query is computed once, and each key for many of them.
  void scale_queries() {
    Expr& key = found_.key_factor;
    while (key->kind == ExprKind::Mul) {
      const std::size_t scale = is_scale((*key)[0]) ? 0 : 1;
      if (!is_scale((*key)[scale])) return;
      found_.query_factor = found_.query_factor * (*key)[scale];
      key = (*key)[1 - scale];
    }
  }

  /// True if `expr` is a scalar: a constant of one element.
  bool is_scale(const Expr& expr) const {
    const Expr e = without_casts(expr);
    if (e->kind != ExprKind::Call) return is_const(e);
    const auto source = e->function ? funcs_.tensor_of(*e->function) : std::nullopt;
    const DefinedTensor* read = source ? &graph_.tensors[*source] : nullptr;
    return read && read->constant && read->constant->elements() == 1;
  }

  bool find_dims() {
    found_.query.clear();
    std::vector<std::string> elements, single;  // the last of extent 1, which no index needs
    std::int64_t most = 1;
    const std::vector<Expr> extents = graph_.tensors[tensor_].extents();
    for (std::size_t d = 0; d < dims_.size(); ++d) {
      const std::string& dim = dims_[d];
      const bool in_query = uses_var(found_.query_factor, dim), in_key = uses_var(found_.key_factor, dim);
      const bool in_weights = in_query || in_key || uses_var(found_.score, dim);
      const bool in_value = uses_var(found_.value, dim);
      const std::int64_t* extent = as_int(extents[d]);
      if (in_value && !in_weights) elements.push_back(dim);
      if (!in_value && !in_weights) single = {dim};
      if (!in_query || in_key || in_value || (extent && *extent <= most)) continue;
      most = extent ? *extent : INT64_MAX;
      found_.query = dim;
    }
    if (elements.empty()) elements = single;
    if (found_.query.empty()) found_.query = only_query();
    if (found_.query.empty() || elements.size() != 1) return false;
    found_.element = elements[0];
    return uses_var(found_.value, found_.key.name);
  }

  /// Returns the dimension of the only query: of extent 1, and nothing depends on it. Empty if there is none.
  std::string only_query() const {
    const std::vector<Expr> extents = graph_.tensors[tensor_].extents();
    std::string last;
    for (std::size_t d = 0; d < dims_.size(); ++d) {
      const auto depends = [&](const Expr& expr) { return uses_var(expr, dims_[d]); };
      if (is_const(extents[d], 1) && !depends(found_.query_factor) && !depends(found_.key_factor) &&
          !depends(found_.score) && !depends(found_.value))
        last = dims_[d];
    }
    return last;
  }

  void note_bounds(const std::vector<std::string>& names, const std::vector<Expr>& extents) {
    for (std::size_t d = 0; d < names.size(); ++d) {
      if (const std::int64_t* extent = as_int(extents[d]); extent && *extent > 0)
        bounds_.insert_or_assign(names[d], Interval{0, *extent - 1});
    }
  }

  const DefinitionGraph& graph_;
  const std::set<std::string>& kept_;
  const definitions::TensorFuncs& funcs_;
  const std::vector<std::vector<std::size_t>>& readers_;
  std::size_t tensor_, softmax_ = 0;
  std::vector<std::string> dims_;
  std::vector<Expr> factors_;
  std::set<std::size_t> opened_;
  Bounds bounds_;
  Attention found_;
};

}  // namespace

AttentionFinder::AttentionFinder(const DefinitionGraph& graph, const std::set<std::string>& kept)
    : graph_(graph), kept_(kept), funcs_(graph), readers_(funcs_.readers()) {}

std::optional<Attention> AttentionFinder::find(std::size_t tensor) const {
  if (graph_.tensors[tensor].func.is_input()) return std::nullopt;
  return AttentionSearch(graph_, kept_, funcs_, readers_, tensor).run();
}

}  // namespace tensordsl::graph
