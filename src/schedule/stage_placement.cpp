// Directives on the Func as a whole: where it is computed, how large it is, how it lies in memory.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ir/nodes/promotion.h"
#include "schedule/directive_call.h"
#include "schedule/func_schedule.h"
#include "tensordsl/error.h"
#include "tensordsl/stage.h"

namespace tensordsl {

using namespace schedule;
namespace {

/// Logs a directive; an Input can be stored as one asks too, but has no loops.
void note(ScheduledFunction& function, StageId place, Directive directive) {
  function.log.push_back({{function.name, place}, std::move(directive), {}});
}

std::vector<LaunchExpr> launch_exprs(const std::vector<Expr>& exprs) {
  std::vector<LaunchExpr> result;
  for (const Expr& e : exprs) result.push_back({e});
  return result;
}

}  // namespace

Stage& Stage::compute_root() {
  DirectiveCall call(*contents_, place(), stage(), {"compute_root", {}});
  contents_->schedule.level = ComputeLevel{ComputeLevel::Kind::Root, {}, 0, {}};
  contents_->schedule.store_level.reset();
  contents_->schedule.folds.clear();
  call.done();
  return *this;
}

Stage& Stage::compute_at(const Stage& consumer, const Var& axis) {
  const Directive directive{"compute_at",
                            {StageName{consumer.function_name(), consumer.place()}, VarName{axis.name()}}};
  DirectiveCall call(*contents_, place(), stage(), directive);
  if (consumer.contents_ == contents_)
    call.fail("a Func cannot be computed inside itself; name its consumer");
  if (consumer.specialization_ >= 0) {
    call.fail(fmt::format(
        "the consumer cannot be a specialization, because placement applies to all of {0}; name {0}",
        stage_name(consumer.function_name(), {consumer.definition_, -1})));
  }
  DirectiveCall target(*contents_, place(), consumer.stage(), directive);
  const std::string resolved = consumer.stage().axes[target.find(axis.name())].name;
  contents_->schedule.level =
      ComputeLevel{ComputeLevel::Kind::At, consumer.function_name(), consumer.definition_, resolved};
  contents_->schedule.store_level.reset();
  contents_->schedule.folds.clear();
  call.done({{consumer.function_name(), consumer.contents_->log.size()}});
  return *this;
}

Stage& Stage::store_at(const Stage& consumer, const Var& axis) {
  const Directive directive{"store_at",
                            {StageName{consumer.function_name(), consumer.place()}, VarName{axis.name()}}};
  DirectiveCall call(*contents_, place(), stage(), directive);
  const ComputeLevel level = contents_->level();
  if (level.kind != ComputeLevel::Kind::At)
    call.fail("the Func must be computed in a loop inside that one; call compute_at first");
  if (consumer.contents_ == contents_) call.fail("a Func cannot be stored inside itself; name its consumer");
  if (consumer.specialization_ >= 0) {
    call.fail(fmt::format(
        "the consumer cannot be a specialization, because placement applies to all of {0}; name {0}",
        stage_name(consumer.function_name(), {consumer.definition_, -1})));
  }
  if (contents_->schedule.double_buffer)
    call.fail("double_buffer() already keeps two tiles; drop one of them");
  DirectiveCall target(*contents_, place(), consumer.stage(), directive);
  const std::string resolved = consumer.stage().axes[target.find(axis.name())].name;
  contents_->schedule.store_level =
      ComputeLevel{ComputeLevel::Kind::At, consumer.function_name(), consumer.definition_, resolved};
  call.done({{consumer.function_name(), consumer.contents_->log.size()}});
  return *this;
}

Stage& Stage::fold_storage(const Var& dimension, int factor) {
  DirectiveCall call(*contents_, place(), stage(), {"fold_storage", {VarName{dimension.name()}, factor}});
  call.require_dimension(dimension.name());
  if (!contents_->schedule.store_level)
    call.fail("a Func that is computed and stored in the same loop cannot be folded; call store_at first");
  if (factor < 1) call.fail("the factor must be at least 1");
  contents_->schedule.folds[dimension.name()] = factor;
  call.done();
  return *this;
}

Stage& Stage::compute_with(const Stage& other, const Var& axis) {
  StageSchedule& s = stage();
  const Directive directive{"compute_with",
                            {StageName{other.function_name(), other.place()}, VarName{axis.name()}}};
  DirectiveCall call(*contents_, place(), s, directive);
  if (other.contents_ == contents_) call.fail("the stage must belong to another Func");
  if (specialization_ >= 0 || other.specialization_ >= 0)
    call.fail("a stage with specializations cannot share a kernel; drop specialize() or compute_with()");
  if (s.companion) call.fail("that stage already runs in the loops of another stage");
  DirectiveCall target(*contents_, place(), other.stage(), directive);
  const std::size_t loops = target.find(axis.name()) + 1;
  if (s.axes.size() < loops) {
    std::vector<std::string> outer = names_of(other.stage());
    outer.resize(loops);
    call.fail(
        fmt::format("{} has the loops {} up to that one, but this stage has only {}; loops are joined "
                    "pairwise from the outermost, so split this stage, or name a loop further out",
                    stage_name(other.function_name(), other.place()), fmt::join(outer, ", "),
                    fmt::join(names_of(s), ", ")));
  }
  s.companion = Companion{other.function_name(), other.definition_, other.stage().axes[loops - 1].name};
  call.done({{other.function_name(), other.contents_->log.size()}});
  return *this;
}

Stage& Stage::compute_inline() {
  DirectiveCall call(*contents_, place(), stage(), {"compute_inline", {}});
  contents_->schedule.level = ComputeLevel{};
  contents_->schedule.store_level.reset();
  contents_->schedule.folds.clear();
  call.done();
  return *this;
}

Stage& Stage::bound(const std::vector<Expr>& given) {
  std::vector<Expr> extents;
  for (const Expr& e : given) extents.push_back(ir::as_index(e));
  DirectiveCall call(*contents_, place(), stage(), {"bound", {launch_exprs(extents)}});
  if (static_cast<int>(extents.size()) != contents_->rank()) {
    call.fail(fmt::format("found {} extents, but the Func has {} dimensions; pass one extent for each",
                          extents.size(), contents_->rank()));
  }
  for (const Expr& e : extents) {
    if (!e.defined() || e.type() != Int(32)) call.fail("every extent must be an i32 expression");
    if (!ir::is_launch_constant(e)) call.fail("every extent must consist of constants and Params");
    if (const auto* value = ir::as_int(e); value && *value < 0)
      call.fail(fmt::format("extent {} is negative", *value));
  }
  contents_->schedule.bounds.clear();
  for (const Expr& e : extents) contents_->schedule.bounds.push_back(ir::unmarked(e));
  call.done();
  return *this;
}

Stage& Stage::layout(std::string_view notation) {
  try {
    contents_->schedule.layout = Layout::parse(notation, contents_->dims);
  } catch (const ParseError& e) {
    throw ScheduleError(fmt::format("{}.layout(\"{}\"): {}", contents_->name, notation, e.what()));
  }
  note(*contents_, place(), {"layout", {std::string(notation)}});
  return *this;
}

Stage& Stage::layout(const Layout& layout) {
  if (layout.rank() != contents_->rank()) {
    throw ScheduleError(fmt::format("{}.layout(Layout): the Layout orders {} dimensions, and {} has {} ({})",
                                    contents_->name, layout.rank(), contents_->name, contents_->rank(),
                                    fmt::join(contents_->dims, ", ")));
  }
  contents_->schedule.layout = layout;
  note(*contents_, place(), {"layout", {layout.to_string(contents_->dims)}});
  return *this;
}

Stage& Stage::align_storage(const Var& dimension, int alignment) {
  const Directive directive{"align_storage", {VarName{dimension.name()}, alignment}};
  const auto fail = [&](const std::string& finding) {
    throw ScheduleError(fmt::format("{}.{}: {}", contents_->name, schedule::to_string(directive), finding));
  };
  const auto& dims = contents_->dims;
  if (std::find(dims.begin(), dims.end(), dimension.name()) == dims.end())
    fail(fmt::format("unknown dimension; the dimensions are {}", fmt::join(dims, ", ")));
  constexpr int kLargest = 1 << 16;
  if (alignment < 1 || alignment > kLargest)
    fail(fmt::format("the alignment must be from 1 to {}", kLargest));
  const auto before = contents_->schedule.alignments;
  contents_->schedule.alignments[dimension.name()] = alignment;
  try {
    contents_->layout_or_default();
  } catch (const ScheduleError&) {
    contents_->schedule.alignments = before;
    throw;
  }
  note(*contents_, place(), directive);
  return *this;
}

Stage& Stage::trace_loads() {
  contents_->schedule.trace_loads = true;
  note(*contents_, place(), {"trace_loads", {}});
  return *this;
}

Stage& Stage::trace_stores() {
  if (contents_->is_input()) {
    throw ScheduleError(
        fmt::format("{}.trace_stores(): an Input is not computed, so it has no stores; use trace_loads()",
                    contents_->name));
  }
  DirectiveCall call(*contents_, place(), stage(), {"trace_stores", {}});
  contents_->schedule.trace_stores = true;
  call.done();
  return *this;
}

Stage& Stage::set_image(ImageKind kind) {
  const Directive directive{"set_image", {kind}};
  for (const Type type : contents_->types) {
    if (type.bits != 64) continue;
    throw ScheduleError(
        fmt::format("{}.{}: images cannot hold {}; cast it to a narrower type, or keep the buffer",
                    contents_->name, schedule::to_string(directive), tensordsl::to_string(type)));
  }
  if (contents_->is_defined() && contents_->rank() == 0) {
    throw ScheduleError(fmt::format("{}.{}: a tensor without dimensions cannot be an image; keep the buffer",
                                    contents_->name, schedule::to_string(directive)));
  }
  contents_->schedule.image = kind;
  note(*contents_, place(), directive);
  return *this;
}

Stage& Stage::store_in(MemoryScope scope) {
  const Directive directive{"store_in", {scope}};
  const auto fail = [&](std::string_view finding) {
    throw ScheduleError(fmt::format("{}.{}: {}", contents_->name, schedule::to_string(directive), finding));
  };
  if (contents_->is_input() && scope != MemoryScope::Constant) {
    fail("an Input is outside the kernel; stage a copy of it: input.in(consumer).compute_at(...)");
  }
  if (!contents_->is_input() && scope == MemoryScope::Constant) {
    fail("kernels cannot write constant memory; only an Input can be in it");
  }
  if (contents_->schedule.double_buffer && scope != Local) fail("double_buffer() needs local memory");
  contents_->schedule.scope = scope;
  note(*contents_, place(), directive);
  return *this;
}

Stage& Stage::autobroadcast() {
  DirectiveCall call(*contents_, place(), stage(), {"autobroadcast", {}});
  contents_->schedule.autobroadcast = true;
  call.done();
  return *this;
}

Stage& Stage::half_arithmetic() {
  DirectiveCall call(*contents_, place(), stage(), {"half_arithmetic", {}});
  contents_->schedule.half_arithmetic = true;
  call.done();
  return *this;
}

Stage& Stage::double_buffer() {
  DirectiveCall call(*contents_, place(), stage(), {"double_buffer", {}});
  if (contents_->schedule.scope != Local)
    call.fail("double_buffer() needs a Func in local memory; call store_in(Local) first");
  if (contents_->schedule.store_level)
    call.fail(
        "store_at() keeps elements for the next iteration, which double_buffer() would replace; drop one of "
        "them");
  if (contents_->rank() == 0) call.fail("a Func without dimensions cannot be double-buffered");
  contents_->schedule.double_buffer = true;
  call.done();
  return *this;
}

std::string Stage::to_string() const {
  std::string text = stage_name(contents_->name, place());
  for (const LoggedDirective& entry : contents_->log) {
    if (entry.target == StageName{contents_->name, place()})
      text += "." + schedule::to_string(entry.directive);
  }
  return text + ";";
}

}  // namespace tensordsl
