#include "graph/attention/define_attention.h"

#include <algorithm>
#include <limits>

#include "dsl/func_of.h"
#include "ir/nodes/expr_node.h"
#include "ir/nodes/substitute.h"
#include "ir/simplify/simplify.h"
#include "schedule/func_schedule.h"
#include "schedule/reduction.h"

namespace tensordsl::graph {

using definitions::AttentionBlock;
using definitions::DefinedTensor;

using namespace ir;

namespace {

std::vector<Expr> vars_of(const std::vector<std::string>& names) {
  std::vector<Expr> vars;
  for (const std::string& name : names) vars.push_back(make_var(name));
  return vars;
}

Func pure(const std::string& name, const std::vector<std::string>& dims, const Expr& value) {
  return func_of(name, dims, {Definition{vars_of(dims), {value}, {}}});
}

Expr read(const Func& func, const std::vector<Expr>& indices) {
  return make_call(func.type(), func.shared(), func.name(), indices);
}

/// The reduction domain of a Func.
struct Domain {
  std::vector<ReductionAxis> axes;
  Expr predicate = {};  ///< undefined: all of it
};

/// f(dims) = op(f(dims), value) over the domain, from `first`
Func accumulated(const std::string& name, const std::vector<std::string>& dims, ExprKind op,
                 const Expr& first, const Expr& value, const Domain& domain) {
  const std::vector<Expr> vars = vars_of(dims);
  const Expr self = make_call(value.type(), nullptr, name, vars);
  return func_of(name, dims,
                 {Definition{vars, {first}, {}},
                  Definition{vars, {make_binary(op, self, value)}, domain.axes, domain.predicate}});
}

/// Returns exp(below), or 0 if that would be subnormal: next to a weight of 1 it is negligible, and some
/// processors take a hundred cycles for each multiplication of subnormal numbers (swin_t's masks of -100).
Expr weight_of(const Expr& below) {
  const Type type = below.type();
  const double smallest = type.bits == 64 ? -708.0 : -87.0;
  return make_select(below < make_float(type, smallest), make_float(type, 0),
                     make_intrinsic(type, "exp", {below}));
}

/// The lowest number of the type that is not infinite.
Expr lowest_finite(Type type) {
  constexpr double kMostOfHalf = 65504;
  if (type.bits == 64) return make_float(type, std::numeric_limits<double>::lowest());
  return make_float(type, type.bits == 32 ? std::numeric_limits<float>::lowest() : -kMostOfHalf);
}

class AttentionBuilder {
 public:
  AttentionBuilder(const DefinedTensor& tensor, const Attention& attention, const AttentionBlock& block)
      : tensor_(tensor), attention_(attention), block_(block), name_(tensor.func.name()) {
    const std::vector<std::string>& dims = tensor.func.contents().dims;
    for (std::size_t d = 0; d < dims.size(); ++d) {
      if (dims[d] == attention.query) {
        queries_ = tensor.extents()[d];
      } else if (dims[d] != attention.element) {
        rows_.push_back(dims[d]);
      }
    }
    rows_.push_back(group_);
    if (is_cut()) block_dims_.push_back(part_);
    key_dims_ = block_dims_;
    key_dims_.push_back(attention.key.name);
  }

  DefinedAttention build() const {
    const Attention& a = attention_;
    std::vector<std::string> axes;
    for (const ReductionAxis& axis : a.axes) axes.push_back(axis.name);
    const std::vector<std::string> rows = with(block_dims_);
    const std::vector<Expr> at_block = vars_of(rows), here = vars_of(with(key_dims_));

    const Func asked = pure(name_ + "_asked", with(axes), at_row(a.query_factor));
    const Expr product = read(asked, vars_of(with(axes))) * at_key(a.key_factor);
    const Func dot = accumulated(name_ + "_dot", with(key_dims_), ExprKind::Add,
                                 make_float(product.type(), 0), product, {a.axes});
    const Func score = pure(name_ + "_score", with(key_dims_),
                            substitute(at_key(at_row(a.score)), Attention::kDot, read(dot, here)));
    const Type type = score.type();
    // Less a finite number, the weights of hidden keys are 0 and not NaN.
    const bool is_finite = is_cut() || a.is_masked_zero;
    const Expr lowest = is_finite ? lowest_finite(type) : schedule::identity_of(ExprKind::Max, type);
    const Func highest =
        accumulated(name_ + "_highest", rows, ExprKind::Max, lowest, read(score, here), keys());
    const Func weight =
        pure(name_ + "_weight", with(key_dims_), weight_of(read(score, here) - read(highest, at_block)));
    const Func total =
        accumulated(name_ + "_total", rows, ExprKind::Add, make_float(type, 0), read(weight, here), keys());
    std::vector<std::string> dims = rows;
    dims.push_back(a.element);
    const Expr weighted = read(weight, here) * at_own_key(at_row(a.value));
    const Func part =
        accumulated(name_ + "_part", dims, ExprKind::Add, make_float(weighted.type(), 0), weighted, keys());
    std::vector<Func> parts{asked, dot, score, highest, weight, total, part};
    if (is_cut()) parts.push_back(running(highest, total, part));
    const Expr mean = is_cut() ? mean_of(parts.back()) : mean_of(part, total);
    const std::vector<std::string>& of_result = tensor_.func.contents().dims;
    parts.push_back(pure(name_, of_result, substitute(a.result, Attention::kMean, mean)));
    definitions::AttentionNames names{asked.name(),  dot.name(),   score.name(), highest.name(),
                                      weight.name(), total.name(), part.name()};
    if (is_cut()) names.run = parts[parts.size() - 2].name();
    names.block = block_;
    const auto dim_of_result = [&](const std::string& dim) {
      return static_cast<int>(std::ranges::find(of_result, dim) - of_result.begin());
    };
    names.query = dim_of_result(a.query);
    names.element = dim_of_result(a.element);
    return {std::move(parts), std::move(names)};
  }

 private:
  /// Into blocks of keys.
  bool is_cut() const { return block_.keys > 0; }

  /// The dimensions of a part: rows, and of each these and a lane.
  std::vector<std::string> with(const std::vector<std::string>& names) const {
    std::vector<std::string> dims = rows_;
    dims.insert(dims.end(), names.begin(), names.end());
    dims.push_back(lane_);
    return dims;
  }

  /// Substitutes the query of a lane. In a group that is not full, the last query is repeated.
  Expr at_row(const Expr& expr) const {
    const Expr row = make_var(group_) * block_.queries + make_var(lane_);
    const bool is_full = remainder_of(queries_, block_.queries) == 0;
    return substitute(expr, attention_.query, is_full ? row : min(row, simplify(queries_ - 1)));
  }

  /// True if the last block has as many keys as the others.
  bool is_whole() const { return remainder_of(attention_.key.extent, block_.keys) == 0; }

  Expr own_key() const { return make_var(part_) * block_.keys + make_var(attention_.key.name); }

  /// Substitutes the own key, which exists, into `expr`.
  Expr at_own_key(const Expr& expr) const {
    return is_cut() ? substitute(expr, attention_.key.name, own_key()) : expr;
  }

  /// Substitutes a key of a block into `expr`. A block that is not full repeats the last key.
  Expr at_key(const Expr& expr) const {
    if (!is_cut() || is_whole()) return at_own_key(expr);
    return substitute(expr, attention_.key.name, min(own_key(), simplify(attention_.key.extent - 1)));
  }

  /// All keys, or the keys of a block.
  Domain keys() const {
    if (!is_cut()) return {{attention_.key}};
    ReductionAxis axis = attention_.key;
    axis.extent = make_int(axis.extent.type(), block_.keys);
    return {{axis}, is_whole() ? Expr() : own_key() < attention_.key.extent};
  }

  /// The largest score so far, the sum of weights, and the sum of weighted values.
  Func running(const Func& highest, const Func& total, const Func& part) const {
    const std::string name = name_ + "_run";
    std::vector<std::string> dims = with({});
    dims.push_back(attention_.element);
    const std::vector<Expr> at = vars_of(dims), at_block = vars_of(with(block_dims_));
    std::vector<Expr> at_part = at_block;
    at_part.push_back(at.back());
    const std::vector<Type> types{highest.type(), total.type(), part.type()};
    std::vector<Expr> first{lowest_finite(types[0]), make_float(types[1], 0), make_float(types[2], 0)},
        before;
    for (int i = 0; i < 3; ++i) {
      const auto component = static_cast<std::size_t>(i);
      before.push_back(make_call(types[component], nullptr, name, at, i));
    }
    const Expr here = read(highest, at_block), zero = make_float(types[0], 0);
    const auto scale = [&](const Expr& below) {
      return make_intrinsic(below.type(), "exp", {min(below, zero)});
    };
    const Expr old_scale = scale(before[0] - here), new_scale = scale(here - before[0]);
    const std::vector<Expr> next{max(before[0], here),
                                 before[1] * old_scale + read(total, at_block) * new_scale,
                                 before[2] * old_scale + read(part, at_part) * new_scale};
    const Expr blocks = simplify((attention_.key.extent + (block_.keys - 1)) / block_.keys);
    return func_of(name, dims,
                   {Definition{at, std::move(first), {}},
                    Definition{at, next, {{part_, make_int(Int(32), 0), blocks}}}});
  }

  std::vector<Expr> at_query() const {
    const Expr query = make_var(attention_.query);
    std::vector<Expr> indices = vars_of(with({}));
    indices[rows_.size() - 1] = query / block_.queries;
    indices.back() = query % block_.queries;
    return indices;
  }

  Expr mean_of(const Func& part, const Func& total) const {
    std::vector<Expr> of_part = at_query();
    of_part.push_back(make_var(attention_.element));
    return read(part, of_part) / divisor_of(read(total, at_query()));
  }

  Expr mean_of(const Func& run) const {
    std::vector<Expr> at = at_query();
    at.push_back(make_var(attention_.element));
    const std::vector<Type> types = run.types();
    Expr total = make_call(types[1], run.shared(), run.name(), at, 1);
    // A sum over no keys is 0.
    if (!as_int(attention_.key.extent))
      total = make_select(attention_.key.extent < 1, make_float(types[1], 1), total);
    return make_call(types[2], run.shared(), run.name(), at, 2) / divisor_of(total);
  }

  /// The sum of the weights of a row, which is 0 only if all of its keys are hidden: then 1, if its result
  /// is 0.
  Expr divisor_of(const Expr& total) const {
    const Expr zero = make_float(total.type(), 0);
    return attention_.is_masked_zero ? make_select(total == zero, make_float(total.type(), 1), total) : total;
  }

  /// A name that no dimension has, and no Param.
  std::string fresh(std::string name) const {
    std::vector<Expr> all = tensor_.extents();
    for (const Expr& expr : {attention_.key.extent, attention_.query_factor, attention_.key_factor,
                             attention_.score, attention_.value, attention_.result})
      all.push_back(expr);
    const auto is_used = [&] {
      return std::ranges::count(tensor_.func.contents().dims, name) > 0 ||
             std::ranges::any_of(all, [&](const Expr& expr) { return uses_var(expr, name); });
    };
    while (is_used()) name += "_";
    return name;
  }

  const DefinedTensor& tensor_;
  const Attention& attention_;
  AttentionBlock block_;
  std::string name_;
  Expr queries_;
  std::vector<std::string> rows_, block_dims_, key_dims_;  // key_dims_: of tensors with a value for each key
  const std::string group_ = fresh("queries"), lane_ = fresh("lane"), part_ = fresh("keys");
};

}  // namespace

DefinedAttention define_attention(const DefinedTensor& tensor, const Attention& attention,
                                  const AttentionBlock& block) {
  return AttentionBuilder(tensor, attention, block).build();
}

}  // namespace tensordsl::graph
