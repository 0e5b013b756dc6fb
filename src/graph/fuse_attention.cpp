#include "graph/fuse_attention.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "definitions/redirector.h"
#include "dsl/func_of.h"
#include "graph/find_attention.h"
#include "graph/remove_dead_tensors.h"
#include "ir/expr_node.h"
#include "ir/simplify.h"
#include "ir/substitute.h"
#include "schedule/reduction.h"
#include "schedule/schedule.h"

namespace tensordsl {

using namespace ir;

namespace {

// Of scores and weights together: the least local memory of a device of OpenCL's full profile, and what fits
// a core's second cache beside the keys and values.
constexpr std::int64_t kMostLocalBytes = 32 << 10, kMostPrivateBytes = 128 << 10;

std::vector<Expr> vars_of(const std::vector<std::string>& names) {
  std::vector<Expr> vars;
  for (const std::string& name : names) vars.push_back(make_var(name));
  return vars;
}

Func pure(const std::string& name, const std::vector<std::string>& dims, const Expr& value) {
  return func_of(name, dims, {Definition{vars_of(dims), {value}, {}}});
}

/// f(dims) = op(f(dims), value) over the axes
Func accumulated(const std::string& name, const std::vector<std::string>& dims, ExprKind op,
                 const Expr& value, const std::vector<ReductionAxis>& axes) {
  const std::vector<Expr> vars = vars_of(dims);
  const Expr self = make_call(value.type(), nullptr, name, vars);
  return func_of(name, dims,
                 {Definition{vars, {schedule::identity_of(op, value.type())}, {}},
                  Definition{vars, {make_binary(op, self, value)}, axes}});
}

Expr read(const Func& func, const std::vector<Expr>& indices) {
  return make_call(func.type(), func.shared(), func.name(), indices);
}

std::int64_t value_of(const Expr& extent) {
  const std::int64_t* value = as_int(simplify(extent));
  return value ? *value : 0;
}

/// exp(below), as 0 where that is too small to be a normal number: beside a weight of 1 it is nothing, and
/// some processors take a hundred cycles for each multiplication of such numbers (swin_t's masks of -100).
Expr weight_of(const Expr& below) {
  const Type type = below.type();
  const double smallest = type.bits == 64 ? -708.0 : -87.0;
  return make_select(below < make_float(type, smallest), make_float(type, 0),
                     make_intrinsic(type, "exp", {below}));
}

/// How many queries are computed together; 0 if the scores of a few are too many, or sizes are open.
int lanes_of(const Target& target, const DefinedTensor& tensor, const Attention& attention) {
  const std::vector<std::string>& dims = tensor.func.contents().dims;
  const auto query = static_cast<std::size_t>(std::ranges::find(dims, attention.query) - dims.begin());
  const std::int64_t queries = value_of(tensor.extents()[query]), keys = value_of(attention.key.extent);
  const auto element = static_cast<std::size_t>(std::ranges::find(dims, attention.element) - dims.begin());
  if (queries <= 0 || keys <= 0 || value_of(tensor.extents()[element]) <= 0) return 0;
  const bool is_gpu = target.group_items > 1;
  std::int64_t lanes = is_gpu ? 16 : target.vector_width;
  lanes = std::min<std::int64_t>(lanes, std::bit_ceil(static_cast<std::uint64_t>(queries)));
  const std::int64_t most = is_gpu ? kMostLocalBytes : kMostPrivateBytes;
  const std::int64_t fewest = std::min<std::int64_t>(lanes, is_gpu ? 4 : target.vector_width);
  std::int64_t elements = 2 * keys;  // of a query: scores and weights, and on a GPU itself
  for (const ir::ReductionAxis& axis : attention.axes) {
    if (value_of(axis.extent) <= 0) return 0;
    elements += is_gpu ? value_of(axis.extent) : 0;
  }
  const std::int64_t bytes = elements * attention.score.type().bytes();
  while (lanes >= fewest && lanes * bytes > most) lanes /= 2;
  return lanes >= std::max<std::int64_t>(2, fewest) ? static_cast<int>(lanes) : 0;
}

/// The definition of an Attention in parts.
class Builder {
 public:
  Builder(const DefinedTensor& tensor, Attention attention, int lanes)
      : tensor_(tensor), attention_(std::move(attention)), lanes_(lanes) {
    const std::vector<std::string>& dims = tensor.func.contents().dims;
    for (std::size_t d = 0; d < dims.size(); ++d) {
      if (dims[d] == attention_.query) {
        queries_ = tensor.extents()[d];
      } else if (dims[d] != attention_.element) {
        rows_.push_back(dims[d]);
      }
    }
    rows_.push_back(group_);
  }

  /// Each after those it reads; the last one is the tensor.
  std::vector<Func> build() {
    const std::string& name = tensor_.func.name();
    const Attention& a = attention_;
    std::vector<std::string> axes;
    for (const ReductionAxis& axis : a.axes) axes.push_back(axis.name);

    const Func asked = pure(name + "_asked", with(axes), at_row(a.query_factor));
    const Expr product = read(asked, vars_of(with(axes))) * a.key_factor;
    const Func dot = accumulated(name + "_dot", with({a.key.name}), ExprKind::Add, product, a.axes);
    const std::vector<Expr> at_key = vars_of(with({a.key.name}));
    const Func score = pure(name + "_score", with({a.key.name}),
                            substitute(at_row(a.score), Attention::kDot, read(dot, at_key)));
    const std::vector<Expr> at_rows = vars_of(with({}));
    const Func highest =
        accumulated(name + "_highest", with({}), ExprKind::Max, read(score, at_key), {a.key});
    const Func weight =
        pure(name + "_weight", with({a.key.name}), weight_of(read(score, at_key) - read(highest, at_rows)));
    const Func total = accumulated(name + "_total", with({}), ExprKind::Add, read(weight, at_key), {a.key});
    std::vector<std::string> dims = with({});
    dims.push_back(a.element);
    const Func part =
        accumulated(name + "_part", dims, ExprKind::Add, read(weight, at_key) * at_row(a.value), {a.key});
    const Expr query = make_var(a.query);
    std::vector<Expr> of_total = at_rows;
    of_total[rows_.size() - 1] = query / lanes_;
    of_total.back() = query % lanes_;
    std::vector<Expr> of_part = of_total;
    of_part.push_back(make_var(a.element));
    const Expr mean = read(part, of_part) / read(total, of_total);
    const Func result =
        pure(name, tensor_.func.contents().dims, substitute(a.result, Attention::kMean, mean));
    return {asked, dot, score, highest, weight, total, part, result};
  }

 private:
  /// The dimensions of a part: rows, and of each these and a lane.
  std::vector<std::string> with(const std::vector<std::string>& names) const {
    std::vector<std::string> dims = rows_;
    dims.insert(dims.end(), names.begin(), names.end());
    dims.push_back(lane_);
    return dims;
  }

  /// For the query of a lane. Where a group is not full, the last query is there again.
  Expr at_row(const Expr& expr) const {
    const Expr row = make_var(group_) * lanes_ + make_var(lane_);
    const bool is_full = remainder_of(queries_, lanes_) == 0;
    return substitute(expr, attention_.query, is_full ? row : min(row, simplify(queries_ - 1)));
  }

  /// A name that no dimension has.
  std::string fresh(std::string name) const {
    while (std::ranges::count(tensor_.func.contents().dims, name) > 0) name += "_";
    return name;
  }

  const DefinedTensor& tensor_;
  Attention attention_;
  int lanes_;
  Expr queries_;
  std::vector<std::string> rows_;
  const std::string group_ = fresh("queries"), lane_ = fresh("lane");
};

}  // namespace

DefinitionGraph fuse_attention(DefinitionGraph graph, const Target& target, const std::set<std::string>& kept,
                               const std::set<std::string>& apart) {
  const TensorFuncs funcs(graph);
  const AttentionFinder finder(graph, kept);
  Redirector redirector;
  bool is_changed = false;
  std::vector<Func> made;
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
    DefinedTensor& tensor = graph.tensors[i];
    const auto attention = apart.contains(tensor.name) ? std::nullopt : finder.find(i);
    const int lanes = attention ? lanes_of(target, tensor, *attention) : 0;
    if (lanes > 0) {
      const std::vector<Func> parts = Builder(tensor, *attention, lanes).build();
      for (const Func& part : parts) redirector.update(part);
      redirector.redirect(tensor.func, redirector.now(parts.back()));
      tensor.fused = attention->origins;
      is_changed = true;
    } else {
      for (const Func& func : funcs.funcs_of(i)) redirector.update(func);
    }
    made.push_back(redirector.now(tensor.func));
  }
  if (!is_changed) return graph;
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) graph.tensors[i].func = made[i];
  return remove_dead_tensors(std::move(graph));
}

}  // namespace tensordsl
