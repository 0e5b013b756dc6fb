#include "fuzz/definition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "fuzz/plan.h"
#include "fuzz/value.h"
#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"
#include "tensordsl/boundary.h"
#include "tensordsl/inline_reductions.h"

namespace tensordsl::fuzz {
namespace {

/// A tensor that readers can be built from.
struct Built {
  Func func{""};
  std::vector<Value> values;  // values of the components, without an Expr: facts about the elements
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
      if (!t.is_read) continue;
      if (t.is_input) {
        build_input(i);
      } else {
        build_function(i);
      }
    }
    if (!bound_.empty()) built_[0].func.bound(bound_);
    for (std::size_t i = 0; i < built_.size(); ++i) {
      if (plan_.tensors[i].is_output) add_output(i);
    }
    std::reverse(result_.functions.begin(), result_.functions.end());
    return std::move(result_);
  }

 private:
  /// Constant, over a Param, or given only when the kernels run.
  void choose_extents() {
    const TensorPlan& output = plan_.tensors[0];
    for (const Span& s : output.box) bound_.emplace_back(s.extent());
    if (random_.chance(82) || output.box.empty()) return;
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

  void add_output(std::size_t number) {
    const Built& built = built_[number];
    std::vector<std::int64_t> shape;
    for (const Span& s : plan_.tensors[number].box) shape.push_back(s.extent());
    if (number > 0) {
      Func(built.func).bound({shape.begin(), shape.end()});
      result_.features.insert("several outputs");
    }
    result_.outputs.push_back(built.func);
    result_.shapes.push_back(std::move(shape));
    for (const Value& value : built.values) result_.tolerances.push_back(value.error * 1.5);
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
    const Type type = t.types[0];
    const Input input(fmt::format("{}a{}", prefix_, number), type, shape);
    Buffer data(type, extents);
    const int bound = type.is_bool()    ? 1
                      : type.is_uint()  ? 200
                      : type.is_float() ? 4
                      : type.bits == 8  ? 120
                                        : 40;
    for (std::int64_t i = 0; i < data.elements(); ++i) {
      const int low = type.is_bool() || type.is_uint() ? 0 : -bound;
      if (type.is_float()) {
        data.set(i, random_.between(4 * low, 4 * bound) * 0.25);
      } else {
        data.set_int(i, random_.between(low, bound));
      }
    }
    result_.features.insert("type " + to_string(type));
    if (extents.empty()) result_.features.insert("an Input without dimensions");
    result_.data.emplace(input.name(), std::move(data));
    result_.inputs.push_back(input);
    built_[number] = {input, {{Expr(), static_cast<double>(bound), 0, type.is_float() ? 2 : 0}}};
  }

  void build_function(std::size_t number) {
    const TensorPlan& t = plan_.tensors[number];
    Func f(fmt::format("{}f{}", prefix_, number));
    std::vector<std::string> names{"x", "y", "z", "w"};
    random_.shuffle(names);
    std::vector<Var> vars;
    for (std::size_t d = 0; d < t.box.size(); ++d) vars.emplace_back(names[d]);
    for (const Type type : t.types) result_.features.insert("type " + to_string(type));
    result_.features.insert(fmt::format("rank {}", vars.size()));
    if (t.types.size() > 1) result_.features.insert("tuple");
    // A reduction may start from the identity of its operator instead of a definition.
    const bool is_implicit =
        t.types.size() == 1 && t.stages.size() > 1 && starts_itself(t.stages[1].kind) && random_.chance(30);
    std::vector<Value> all(t.types.size());
    if (is_implicit) all[0].bound = t.stages[1].kind == StageKind::Product ? 1 : 0;
    for (std::size_t s = is_implicit ? 1 : 0; s < t.stages.size(); ++s) {
      const std::vector<Value> values = build_stage(f, t, t.stages[s], vars, static_cast<int>(s), all);
      for (std::size_t k = 0; k < values.size(); ++k) {
        const Value& v = values[k];
        all[k].error = s == 0 ? v.error : std::max(all[k].error, v.error);
        all[k].bound = s == 0 ? v.bound : std::max(all[k].bound, v.bound);
        all[k].fraction = std::max(all[k].fraction, v.fraction);
      }
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

  /// Defines one stage of f; `before`: facts about the values of the earlier stages.
  std::vector<Value> build_stage(Func& f, const TensorPlan& t, const StagePlan& stage,
                                 const std::vector<Var>& vars, int number, const std::vector<Value>& before) {
    std::vector<Expr> variables(vars.begin(), vars.end());
    std::optional<RDom> domain;
    if (!stage.domain.empty()) {
      domain = domain_over(stage.domain, fmt::format("r{}", number));
      for (const RVar& axis : domain->axes()) variables.emplace_back(axis);
      result_.features.insert(fmt::format("reduction over {} axes", domain->rank()));
    }
    std::vector<Expr> args(vars.begin(), vars.end());
    const auto dimension = static_cast<std::size_t>(stage.dimension);
    const Expr axis = stage.domain.empty() ? Expr() : variables.back();
    if (stage.kind == StageKind::Concat) args[dimension] = stage.offset == 0 ? axis : axis + stage.offset;
    if (stage.kind == StageKind::ConstantIndex) args[dimension] = stage.offset;
    if (stage.kind == StageKind::Scan) args[dimension] = axis;

    std::vector<Value> leaves;
    for (const ReadPlan& read : stage.reads) leaves.push_back(build_read(read, variables));
    if (random_.chance(15)) leaves.push_back(draw_scalar(t, stage, variables));
    if (domain && random_.chance(20)) draw_predicate(*domain, t, stage, variables, leaves);
    double count = 1;
    for (const Span& s : stage.domain) count *= s.extent();
    return define(f, t, stage, args, leaves, count, before);
  }

  RDom domain_over(const std::vector<Span>& spans, const std::string& name) {
    std::vector<std::pair<Expr, Expr>> ranges;
    for (const Span& s : spans) ranges.emplace_back(s.low, symbolic(s.extent(), true));
    return RDom(ranges, name);
  }

  /// A triangle, a diagonal, or what data say.
  void draw_predicate(RDom& domain, const TensorPlan& t, const StagePlan& stage,
                      const std::vector<Expr>& variables, const std::vector<Value>& leaves) {
    const auto known = variables_of(t, stage);
    std::vector<std::size_t> usable;
    for (std::size_t v = 0; v < known.size(); ++v) {
      if (!known[v].empty()) usable.push_back(v);
    }
    const Expr axis = domain[random_.between(0, domain.rank() - 1)];
    const Expr other = variables[random_.pick(usable)] + random_.pick({0, 0, 1, -1, 2});
    const Value& leaf =
        leaves[static_cast<std::size_t>(random_.between(0, static_cast<int>(leaves.size()) - 1))];
    const bool is_exact = leaf.error == 0 && !leaf.expr.type().is_bool();
    switch (random_.between(0, is_exact ? 7 : 4)) {
      case 0:
        domain.where(axis <= other);
        break;
      case 1:
        domain.where(other < axis);
        break;
      case 2:
        domain.where(axis != other);
        break;
      case 3:
        domain.where(axis < other && (axis + other) % 2 == 0);
        break;
      case 4:
        domain.where(axis == other || axis == 1);
        break;
      case 5:
        domain.where(leaf.expr > cast(leaf.expr.type(), Expr(1)));
        result_.features.insert("where data say");
        break;
      case 6:
        domain.where(axis < saturating_cast(Int(32), leaf.expr));
        result_.features.insert("where data say");
        break;
      default:
        domain.where(axis <= other);
        domain.where(saturating_cast(Int(32), leaf.expr) <= axis);
        result_.features.insert("where data say");
        break;
    }
    result_.features.insert("where");
  }

  /// The new value of a component, and the values that it is computed from.
  struct Update {
    Expr value, term;
    Value known;
  };

  std::vector<Value> define(Func& f, const TensorPlan& t, const StagePlan& stage,
                            const std::vector<Expr>& args, const std::vector<Value>& leaves, double count,
                            const std::vector<Value>& before) {
    static constexpr const char* kNames[] = {"pure",           "sum",      "product",  "minimum",
                                             "maximum",        "in place", "neighbor", "concat",
                                             "constant index", "scan",     "extremum"};
    result_.features.insert(kNames[static_cast<std::size_t>(stage.kind)]);
    FuncRef target = f(args);
    std::vector<Update> updates;
    for (std::size_t k = 0; k < t.types.size(); ++k)
      updates.push_back(update_of(f, t, stage, args, leaves, count, before, k));
    std::vector<Value> known;
    std::vector<Expr> values, terms;
    for (const Update& u : updates) {
      known.push_back(u.known);
      values.push_back(u.value);
      terms.push_back(u.term);
    }
    if (stage.kind == StageKind::Extremum) return {define_extremum(target, updates, before)};
    const bool is_tuple = t.types.size() > 1;
    switch (is_tuple && random_.chance(50) ? StageKind::Pure : stage.kind) {
      case StageKind::Sum:
        is_tuple ? target += Tuple(terms) : target += terms[0];
        break;
      case StageKind::Product:
        is_tuple ? target *= Tuple(terms) : target *= terms[0];
        break;
      case StageKind::Minimum:
        is_tuple ? target = Tuple(values) : target.minimize(terms[0]);
        break;
      case StageKind::Maximum:
        is_tuple ? target = Tuple(values) : target.maximize(terms[0]);
        break;
      default:
        target = Tuple(values);
        break;
    }
    return known;
  }

  /// The point where the first component is largest, if that does not depend on rounding.
  static std::vector<Value> define_extremum(FuncRef& target, const std::vector<Update>& updates,
                                            const std::vector<Value>& before) {
    const Tuple own(target);
    std::vector<Expr> terms;
    std::vector<Value> known;
    for (std::size_t k = 0; k < updates.size(); ++k) {
      const Value& v = updates[k].known;
      terms.push_back(v.expr);
      known.push_back({v.expr, std::max(v.bound, before[k].bound), std::max(v.error, before[k].error),
                       std::max(v.fraction, before[k].fraction)});
    }
    const bool is_exact = updates[0].known.error == 0 && before[0].error == 0;
    const Expr better = is_exact ? terms[0] > own[0] : Expr(ir::make_bool(false));
    target = select(better, Tuple(terms), own);
    return known;
  }

  Update update_of(const Func& f, const TensorPlan& t, const StagePlan& stage, const std::vector<Expr>& args,
                   std::vector<Value> leaves, double count, const std::vector<Value>& all_before,
                   std::size_t component) {
    const Type type = t.types[component];
    const Value& before = all_before[component];
    const bool is_tuple = t.types.size() > 1;
    const auto element = [&](const std::vector<Expr>& at, std::size_t k) {
      return is_tuple ? Expr(f(at)[static_cast<int>(k)]) : Expr(f(at));
    };
    const bool is_defined = f.contents().is_defined();
    const Expr own = is_defined ? element(args, component) : Expr();
    const auto value = [&](std::vector<Value> of) {
      if (!simplification_.plain_values) return draw_value(random_, std::move(of), type);
      Value sum = of[0];
      if (sum.expr.type().is_bool()) sum.expr = cast(Int(32), sum.expr);
      if (of.size() > 1 && !of[1].expr.type().is_bool()) sum.expr = sum.expr + of[1].expr;
      sum.bound += of.size() > 1 ? of[1].bound : 0;
      sum.error += of.size() > 1 ? of[1].error : 0;
      if (!type.is_float() && sum.error > 0) sum = {Expr(1), 1};
      return stored(type, sum);
    };
    const auto whole = [](const Value& v) { return Update{v.expr, v.expr, v}; };
    const auto combined = [&](const Expr& term, Expr (*op)(Expr, Expr), const Value& known) {
      return Update{is_defined ? cast(type, op(own, term)) : term, term, known};
    };
    switch (stage.kind) {
      case StageKind::Pure:
      case StageKind::Concat:
      case StageKind::ConstantIndex:
      case StageKind::Extremum:
        return whole(value(std::move(leaves)));
      case StageKind::Sum: {
        const Value v = stored(type, limited(value(std::move(leaves)), type == Float(16) ? 8 : 200));
        return combined(v.expr, operator+, accumulated(type, summed(v, count, before), count));
      }
      case StageKind::Product: {
        const Value v = stored(type, limited(value(std::move(leaves)), 1));
        return combined(
            v.expr, operator*,
            accumulated(type,
                        {v.expr, before.bound, before.error + count * (v.error + 0x1p-22) * before.bound, 24},
                        count));
      }
      case StageKind::Minimum:
      case StageKind::Maximum: {
        const Value v = value(std::move(leaves));
        const auto lesser = [](Expr a, Expr b) { return min(std::move(a), std::move(b)); };
        const auto greater = [](Expr a, Expr b) { return max(std::move(a), std::move(b)); };
        const Value known{v.expr, std::max(v.bound, before.bound), v.error + before.error,
                          std::max(v.fraction, before.fraction)};
        return stage.kind == StageKind::Minimum ? combined(v.expr, lesser, known)
                                                : combined(v.expr, greater, known);
      }
      case StageKind::Neighbor:
      case StageKind::Scan: {
        std::vector<Expr> elsewhere = args;
        Expr& along = elsewhere[static_cast<std::size_t>(stage.dimension)];
        along = stage.kind == StageKind::Scan ? along - 1 : Expr(stage.offset);
        const Value v = limited(value(std::move(leaves)), 50);
        const Expr other = element(elsewhere, component);
        const bool is_scan = stage.kind == StageKind::Scan;
        if (type.is_float()) {
          const double bound = before.bound + 2 * v.bound;
          const Expr sum = is_scan ? other * 0.5f + v.expr : own * 0.5f + other * 0.25f + v.expr;
          return {cast(type, sum), v.expr,
                  accumulated(type, {v.expr, bound, before.error + 2 * v.error + 0x1p-21 * bound, 24}, 2)};
        }
        return {cast(type, is_scan ? max(other, v.expr) : max(min(own, other), v.expr)),
                v.expr,
                {v.expr, std::max(before.bound, v.bound)}};
      }
      case StageKind::InPlace:
        break;
    }
    // Each component may be made of all that were there before.
    for (std::size_t k = 0; k < t.types.size(); ++k)
      leaves.push_back({element(args, k), all_before[k].bound, all_before[k].error, all_before[k].fraction});
    return whole(value(std::move(leaves)));
  }

  /// The value and error after `count` roundings to the type.
  static Value accumulated(Type type, Value v, double count) {
    if (!type.is_float()) return {v.expr, type.bits < 32 ? std::exp2(type.bits) : v.bound};
    if (type != Float(16)) return v;
    v.bound *= 1 + count * 0x1p-11;
    // If f32 represents each rounded step exactly, all schedules round alike.
    const bool is_exact = v.error == 0 && v.bound * std::exp2(v.fraction) <= 0x1p24;
    if (!is_exact) v.error += count * 0x1p-10 * std::max(v.bound, 1.0);
    return v;
  }

  Value draw_scalar(const TensorPlan& t, const StagePlan& stage, const std::vector<Expr>& variables) {
    if (size_ && random_.chance(50)) {
      return {Expr(*size_), static_cast<double>(std::max(kUsualExtent, simplification_.drawn_extent))};
    }
    const auto known = variables_of(t, stage);
    const auto v =
        static_cast<std::size_t>(random_.between(0, std::max(static_cast<int>(known.size()) - 1, 0)));
    if (!known.empty() && !known[v].empty() && random_.chance(60)) {
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
    if (index.promise) {
      // Kept also where a schedule computes more than is needed.
      const auto [low, high] = *index.promise;
      e = unsafe_promise_clamped(cast(Int(32), cast(Float(32), clamp(e, low, high))), low, high);
      result_.features.insert("promise");
    }
    return e;
  }

  Value build_read(const ReadPlan& read, std::vector<Expr> variables) {
    const Built& source = built_[static_cast<std::size_t>(read.source)];
    std::optional<RDom> domain;
    if (!read.domain.empty()) {
      domain = domain_over(read.domain, fmt::format("{}q{}", prefix_, reductions_));
      for (const RVar& axis : domain->axes()) variables.emplace_back(axis);
    }
    std::vector<Expr> index;
    for (const IndexPlan& i : read.index) index.push_back(build_index(i, variables));
    Value result = source.values[static_cast<std::size_t>(read.component)];
    result.expr = extended(read, source.func, index);
    return domain ? reduced(*domain, read, result) : result;
  }

  /// Draws a reduction in place: sum(r, e) and the like.
  Value reduced(const RDom& domain, const ReadPlan& read, Value v) {
    const std::string name = fmt::format("{}i{}", prefix_, reductions_++);
    double count = 1;
    for (const Span& s : read.domain) count *= s.extent();
    if (v.expr.type().is_bool()) v.expr = cast(Int(32), v.expr);
    // Adds 0 times the domain's variable, so that a value that does not depend on the domain is summed over
    // it too.
    v.expr = v.expr + cast(v.expr.type(), cast(Int(32), domain[0]) * 0);
    Type type = v.expr.type();
    const int kind = random_.between(0, v.error == 0 ? 4 : 2);
    result_.features.insert(kind < 3 ? "reduction in place" : "argmax in place");
    if (kind == 0) {
      v = limited(v, 200);
      if (v.expr.type() == Float(16)) v.expr = cast(Float(32), v.expr);
      type = v.expr.type();
      v = accumulated(type, summed(stored(type, v), count, {}), count);
      v.expr = sum(domain, v.expr, name);
    } else if (kind < 3) {
      v.expr = kind == 1 ? maximum(domain, v.expr, name) : minimum(domain, v.expr, name);
    } else {
      const Tuple best = kind == 3 ? argmax(domain, v.expr, name) : argmin(domain, v.expr, name);
      const int which = random_.between(0, best.size() - 1);
      if (which + 1 < best.size()) v = {best[which], 32 + count};
      v.expr = best[which];
    }
    const auto function = std::dynamic_pointer_cast<const schedule::ScheduledFunction>(v.expr->function);
    result_.functions.push_back(Func(std::const_pointer_cast<schedule::ScheduledFunction>(function)));
    return v;
  }

  static Expr element_of(const Func& f, const std::vector<Expr>& index, int component) {
    return f.outputs() > 1 ? Expr(f(index)[component]) : Expr(f(index));
  }

  Expr extended(const ReadPlan& read, const Func& source, const std::vector<Expr>& index) {
    if (read.boundary == Boundary::None) return element_of(source, index, read.component);
    std::vector<Expr> extents;
    for (const Span& s : read.inside) extents.emplace_back(s.extent());
    if (read.boundary == Boundary::Select) {
      result_.features.insert("read behind a select");
      Expr inside;
      for (std::size_t d = 0; d < index.size(); ++d) {
        const Expr test = Expr(0) <= index[d] && index[d] < extents[d];
        inside = inside.defined() ? inside && test : test;
      }
      const Expr element = element_of(source, index, read.component);
      return select(inside, element, cast(element.type(), Expr(1)));
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
  int boundaries_ = 0, reductions_ = 0;
  std::set<std::pair<Boundary, std::string>> named_;
};

}  // namespace

bool Definition::is_output(const Func& f) const {
  return std::ranges::any_of(outputs, [&](const Func& o) { return o.shared() == f.shared(); });
}

std::vector<ir::FunctionPtr> Definition::definitions() const {
  std::vector<ir::FunctionPtr> result;
  for (const Func& output : outputs) result.push_back(output.shared());
  return result;
}

Definition draw_definition(Random& random, const std::string& prefix, const Simplification& simplification) {
  return Builder(random, prefix, simplification).run();
}

}  // namespace tensordsl::fuzz
