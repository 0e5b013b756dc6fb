#include "fuzz/definition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "fuzz/plan.h"
#include "fuzz/value.h"
#include "ir/expr_node.h"
#include "tensordsl/boundary.h"

namespace tensordsl::fuzz {
namespace {

/// A tensor that readers can be built from.
struct Built {
  Func func{""};
  Value value;  // without an Expr: what is known of the elements
};

class Builder {
 public:
  Builder(Random& random, const std::string& prefix, const Simplification& simplification)
      : random_(random),
        prefix_(prefix),
        simplification_(simplification),
        plan_(draw_plan(random, simplification)) {}

  Definition run() {
    if (is_roomy_) result_.features.insert("roomy inputs");
    result_.ill_formed = plan_.ill_formed;
    choose_extents();
    built_.resize(plan_.tensors.size());
    for (std::size_t i = plan_.tensors.size(); i-- > 0;) {
      const TensorPlan& t = plan_.tensors[i];
      if (t.box[0].empty()) continue;
      if (t.is_input) {
        build_input(i);
      } else {
        build_function(i);
      }
    }
    if (!bound_.empty()) built_[0].func.bound(bound_);
    result_.tolerance = built_[0].value.error * 1.5;
    std::reverse(result_.functions.begin(), result_.functions.end());
    return std::move(result_);
  }

 private:
  /// Constant, over a Param, or given only when the kernels run.
  void choose_extents() {
    const TensorPlan& output = plan_.tensors[0];
    for (const Span& s : output.box) {
      result_.shape.push_back(s.extent());
      bound_.emplace_back(s.extent());
    }
    if (random_.chance(82)) return;
    result_.features.insert("symbolic extent");
    const auto d = static_cast<std::size_t>(random_.between(0, static_cast<int>(output.box.size()) - 1));
    if (random_.chance(60)) {
      size_ = Param(prefix_ + "n");
      size_value_ = output.box[d].extent();
      bound_[d] = *size_;
      result_.params[size_->name()] = size_value_;
    } else {
      bound_.clear();
      for (std::size_t i = 0; i < output.box.size(); ++i) {
        result_.params[fmt::format("{}f0_extent_{}", prefix_, i)] = output.box[i].extent();
      }
    }
  }

  /// `extent`, in terms of the symbolic size if there is one.
  Expr symbolic(int extent, bool only_equal) {
    if (!size_ || (only_equal && extent != size_value_) || random_.chance(50)) return extent;
    return extent == size_value_ ? Expr(*size_) : *size_ + (extent - size_value_);
  }

  void build_input(std::size_t number) {
    const TensorPlan& t = plan_.tensors[number];
    std::vector<Expr> shape;
    std::vector<std::int64_t> extents;
    for (const Span& s : t.box) {
      extents.push_back(s.high + 1 + (is_roomy_ ? 17 : random_.pick({0, 0, 0, 1})));
      shape.push_back(symbolic(static_cast<int>(extents.back()), false));
    }
    const Input input(fmt::format("{}a{}", prefix_, number), t.type, shape);
    Buffer data(t.type, extents);
    const int bound = t.type.is_bool()    ? 1
                      : t.type.is_uint()  ? 200
                      : t.type.is_float() ? 4
                      : t.type.bits == 8  ? 120
                                          : 40;
    for (std::int64_t i = 0; i < data.elements(); ++i) {
      const int low = t.type.is_bool() || t.type.is_uint() ? 0 : -bound;
      if (t.type.is_float()) {
        data.set(i, random_.between(4 * low, 4 * bound) * 0.25);
      } else {
        data.set_int(i, random_.between(low, bound));
      }
    }
    result_.features.insert("type " + to_string(t.type));
    result_.data.emplace(input.name(), std::move(data));
    result_.inputs.push_back(input);
    built_[number] = {input, {Expr(), static_cast<double>(bound), 0, t.type.is_float() ? 2 : 0}};
  }

  void build_function(std::size_t number) {
    const TensorPlan& t = plan_.tensors[number];
    Func f(fmt::format("{}f{}", prefix_, number));
    std::vector<std::string> names{"x", "y", "z", "w"};
    random_.shuffle(names);
    std::vector<Var> vars;
    for (std::size_t d = 0; d < t.box.size(); ++d) vars.emplace_back(names[d]);
    result_.features.insert("type " + to_string(t.type));
    result_.features.insert(fmt::format("rank {}", vars.size()));
    // A reduction may start from the identity of its operator instead of a definition.
    const bool is_implicit = t.stages.size() > 1 && starts_itself(t.stages[1].kind) && random_.chance(30);
    Value all;
    if (is_implicit) all.bound = t.stages[1].kind == StageKind::Product ? 1 : 0;
    for (std::size_t s = is_implicit ? 1 : 0; s < t.stages.size(); ++s) {
      const Value v = build_stage(f, t, t.stages[s], vars, static_cast<int>(s), all);
      all.error = s == 0 ? v.error : std::max(all.error, v.error);
      all.bound = s == 0 ? v.bound : std::max(all.bound, v.bound);
      all.fraction = std::max(all.fraction, v.fraction);
    }
    result_.functions.push_back(f);
    for (std::size_t d = 0; d < t.box.size(); ++d) {
      const bool is_constant = number > 0 || (!bound_.empty() && ir::as_int(bound_[d]));
      result_.extents[f.name()].push_back(is_constant ? t.box[d].extent() : 0);
    }
    if (std::none_of(t.box.begin(), t.box.end(), [](const Span& span) { return span.low < 0; })) {
      for (const Span& span : t.box) result_.enclosing[f.name()].push_back(span.high + 1);
    }
    built_[number] = {f, all};
  }

  static bool starts_itself(StageKind kind) {
    return kind == StageKind::Sum || kind == StageKind::Product || kind == StageKind::Minimum ||
           kind == StageKind::Maximum;
  }

  /// Defines one stage of f; `before` is known of the values that the earlier stages leave.
  Value build_stage(Func& f, const TensorPlan& t, const StagePlan& stage, const std::vector<Var>& vars,
                    int number, const Value& before) {
    std::vector<Expr> variables(vars.begin(), vars.end());
    if (!stage.domain.empty()) {
      std::vector<std::pair<Expr, Expr>> ranges;
      for (const Span& s : stage.domain) ranges.emplace_back(s.low, symbolic(s.extent(), true));
      const RDom r(ranges, fmt::format("r{}", number));
      for (const RVar& axis : r.axes()) variables.emplace_back(axis);
      result_.features.insert(fmt::format("reduction over {} axes", r.rank()));
    }
    std::vector<Expr> args(vars.begin(), vars.end());
    Expr& along = args[static_cast<std::size_t>(stage.dimension)];
    const Expr axis = stage.domain.empty() ? Expr() : variables.back();
    if (stage.kind == StageKind::Concat) along = stage.offset == 0 ? axis : axis + stage.offset;
    if (stage.kind == StageKind::ConstantIndex) along = stage.offset;
    if (stage.kind == StageKind::Scan) along = axis;

    std::vector<Value> leaves;
    for (const ReadPlan& read : stage.reads) leaves.push_back(build_read(read, variables));
    if (random_.chance(15)) leaves.push_back(draw_scalar(t, stage, variables));
    double count = 1;
    for (const Span& s : stage.domain) count *= s.extent();
    return define(f, t, stage, args, std::move(leaves), count, before);
  }

  Value define(Func& f, const TensorPlan& t, const StagePlan& stage, const std::vector<Expr>& args,
               std::vector<Value> leaves, double count, const Value& before) {
    static constexpr const char* kNames[] = {"pure",     "sum",      "product", "minimum",        "maximum",
                                             "in place", "neighbor", "concat",  "constant index", "scan"};
    result_.features.insert(kNames[static_cast<std::size_t>(stage.kind)]);
    FuncRef target = f(args);
    const auto value = [&](std::vector<Value> of) {
      if (!simplification_.plain_values) return draw_value(random_, std::move(of), t.type);
      Value sum = of[0];
      if (sum.expr.type().is_bool()) sum.expr = cast(Int(32), sum.expr);
      if (of.size() > 1 && !of[1].expr.type().is_bool()) sum.expr = sum.expr + of[1].expr;
      sum.bound += of.size() > 1 ? of[1].bound : 0;
      sum.error += of.size() > 1 ? of[1].error : 0;
      if (!t.type.is_float() && sum.error > 0) sum = {Expr(1), 1};
      return stored(t.type, sum);
    };
    switch (stage.kind) {
      case StageKind::Pure:
      case StageKind::Concat:
      case StageKind::ConstantIndex: {
        const Value v = value(std::move(leaves));
        target = v.expr;
        return v;
      }
      case StageKind::Sum: {
        const Value v = stored(t.type, limited(value(std::move(leaves)), t.type == Float(16) ? 8 : 200));
        target += v.expr;
        return accumulated(t.type, summed(v, count, before), count);
      }
      case StageKind::Product: {
        const Value v = stored(t.type, limited(value(std::move(leaves)), 1));
        target *= v.expr;
        return accumulated(
            t.type, {v.expr, before.bound, before.error + count * (v.error + 0x1p-22) * before.bound, 24},
            count);
      }
      case StageKind::Minimum:
      case StageKind::Maximum: {
        const Value v = value(std::move(leaves));
        if (stage.kind == StageKind::Minimum) target.minimize(v.expr);
        if (stage.kind == StageKind::Maximum) target.maximize(v.expr);
        return {v.expr, std::max(v.bound, before.bound), v.error + before.error,
                std::max(v.fraction, before.fraction)};
      }
      case StageKind::Neighbor: {
        std::vector<Expr> neighbor = args;
        neighbor[static_cast<std::size_t>(stage.dimension)] = stage.offset;
        const Value v = limited(value(std::move(leaves)), 50);
        const Expr own = target, other = f(neighbor);
        if (t.type.is_float()) {
          target = own * 0.5f + other * 0.25f + v.expr;
          const double bound = before.bound + 2 * v.bound;
          return accumulated(t.type, {v.expr, bound, before.error + 2 * v.error + 0x1p-21 * bound, 24}, 2);
        }
        target = max(min(own, other), v.expr);
        return {v.expr, std::max(before.bound, v.bound)};
      }
      case StageKind::InPlace:
        leaves.push_back({Expr(target), before.bound, before.error, before.fraction});
        break;
      case StageKind::Scan: {
        std::vector<Expr> earlier = args;
        earlier[static_cast<std::size_t>(stage.dimension)] =
            args[static_cast<std::size_t>(stage.dimension)] - 1;
        const Value v = limited(value(std::move(leaves)), 50);
        const Expr last = f(earlier);
        if (t.type.is_float()) {
          target = last * 0.5f + v.expr;
          const double bound = before.bound + 2 * v.bound;
          return accumulated(t.type, {v.expr, bound, before.error + 2 * v.error + 0x1p-21 * bound, 24}, 2);
        }
        target = max(last, v.expr);
        return {v.expr, std::max(before.bound, v.bound)};
      }
    }
    const Value v = value(std::move(leaves));
    target = v.expr;
    return v;
  }

  /// What stays after `count` roundings to the type.
  static Value accumulated(Type type, Value v, double count) {
    if (!type.is_float()) return {v.expr, type.bits < 32 ? std::exp2(type.bits) : v.bound};
    if (type != Float(16)) return v;
    v.bound *= 1 + count * 0x1p-11;
    // Where f32 holds what each step rounds, all schedules round alike.
    const bool is_exact = v.error == 0 && v.bound * std::exp2(v.fraction) <= 0x1p24;
    if (!is_exact) v.error += count * 0x1p-10 * std::max(v.bound, 1.0);
    return v;
  }

  Value draw_scalar(const TensorPlan& t, const StagePlan& stage, const std::vector<Expr>& variables) {
    if (size_ && random_.chance(50)) {
      return {Expr(*size_), static_cast<double>(std::max(kUsualExtent, simplification_.drawn_extent))};
    }
    const auto known = variables_of(t, stage);
    const auto v = static_cast<std::size_t>(random_.between(0, static_cast<int>(known.size()) - 1));
    if (!known[v].empty() && random_.chance(60)) {
      return {variables[v], static_cast<double>(std::max(std::abs(known[v].low), std::abs(known[v].high)))};
    }
    const Type type = random_.pick({Int(32), Int(64), UInt(32), UInt(64), Float(32), Float(32), Float(64)});
    const Param scale(fmt::format("{}s_{}", prefix_, to_string(type)), type);
    result_.params[scale.name()] = 3;
    result_.features.insert("scalar Param");
    return {Expr(scale), 3};
  }

  Expr build_index(const IndexPlan& index, const std::vector<Expr>& variables) {
    Expr e;
    if (index.gather >= 0) {
      std::vector<Expr> at;
      for (const IndexPlan& i : index.gather_index) at.push_back(build_index(i, variables));
      e = cast(Int(32), built_[static_cast<std::size_t>(index.gather)].func(at));
      result_.features.insert("gather");
    } else {
      if (index.variable >= 0) {
        const Expr v = variables[static_cast<std::size_t>(index.variable)];
        e = index.stride == 1 ? v : v * index.stride;
      }
      if (index.second >= 0) {
        const Expr v = variables[static_cast<std::size_t>(index.second)];
        e = e.defined() ? e + v : v;
      }
      if (!e.defined()) {
        e = Expr(index.offset);
      } else if (index.offset != 0) {
        e = e + index.offset;
      }
      if (index.divisor) e = e / index.divisor;
      if (index.modulus) e = e % index.modulus;
      if (index.stride != 1) result_.features.insert("strided read");
    }
    if (index.clamp) {
      e = clamp(e, index.clamp->low, index.clamp->high);
      result_.features.insert("clamped read");
    }
    return e;
  }

  Value build_read(const ReadPlan& read, const std::vector<Expr>& variables) {
    const Built& source = built_[static_cast<std::size_t>(read.source)];
    std::vector<Expr> index;
    for (const IndexPlan& i : read.index) index.push_back(build_index(i, variables));
    Value result = source.value;
    result.expr = extended(read, source.func, index);
    return result;
  }

  Expr extended(const ReadPlan& read, const Func& source, const std::vector<Expr>& index) {
    if (read.boundary == Boundary::None) return source(index);
    std::vector<Expr> extents;
    for (const Span& s : read.inside) extents.emplace_back(s.extent());
    if (read.boundary == Boundary::Select) {
      result_.features.insert("read behind a select");
      Expr inside;
      for (std::size_t d = 0; d < index.size(); ++d) {
        const Expr test = Expr(0) <= index[d] && index[d] < extents[d];
        inside = inside.defined() ? inside && test : test;
      }
      return select(inside, source(index), cast(source.type(), Expr(1)));
    }
    static constexpr const char* kNames[] = {"", "boundary zero", "boundary constant",
                                             "boundary repeat_edge"};
    result_.features.insert(kNames[static_cast<std::size_t>(read.boundary)]);
    // The Func gets a name of its own, because several may extend one source.
    const std::string name = fmt::format("{}b{}", prefix_, boundaries_++);
    Func padded =
        BoundaryConditions::constant(source, Expr(read.boundary == Boundary::Zero ? 0 : 1), extents, name);
    // zero and repeat_edge name their Func after the source, so each is used once for it.
    const bool is_first = named_.emplace(read.boundary, source.name()).second;
    if (is_first && read.boundary == Boundary::Zero) padded = BoundaryConditions::zero(source, extents);
    if (is_first && read.boundary == Boundary::RepeatEdge)
      padded = BoundaryConditions::repeat_edge(source, extents);
    result_.functions.push_back(padded);
    return padded(index);
  }

  Random& random_;
  const std::string& prefix_;
  const Simplification& simplification_;
  const PipelinePlan plan_;
  Definition result_;
  std::vector<Built> built_;
  std::vector<Expr> bound_;                   // of the output; empty if its extents are arguments
  const bool is_roomy_ = random_.chance(40);  // a Func may be computed past what is needed of it
  std::optional<Param> size_;
  int size_value_ = 0;
  int boundaries_ = 0;
  std::set<std::pair<Boundary, std::string>> named_;
};

}  // namespace

Definition draw_definition(Random& random, const std::string& prefix, const Simplification& simplification) {
  return Builder(random, prefix, simplification).run();
}

}  // namespace tensordsl::fuzz
