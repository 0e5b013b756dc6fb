// Directives on the Func as a whole: where it is computed, how large it is, how it lies in memory.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "schedule/directive_call.h"
#include "schedule/schedule.h"
#include "tensordsl/error.h"
#include "tensordsl/stage.h"

namespace tensordsl {

using namespace schedule;
namespace {

/// An Input has a place in memory too, but no loops.
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
    call.fail(fmt::format("it is computed in the loops of {0}, specialized or not; name {0}",
                          stage_name(consumer.function_name(), {consumer.definition_, -1})));
  }
  DirectiveCall target(*contents_, place(), consumer.stage(), directive);
  const std::string resolved = consumer.stage().axes[target.find(axis.name())].name;
  contents_->schedule.level =
      ComputeLevel{ComputeLevel::Kind::At, consumer.function_name(), consumer.definition_, resolved};
  call.done({{consumer.function_name(), consumer.contents_->log.size()}});
  return *this;
}

Stage& Stage::compute_inline() {
  DirectiveCall call(*contents_, place(), stage(), {"compute_inline", {}});
  if (contents_->definitions.size() > 1) {
    call.fail("a Func with updates cannot be inlined; use compute_at or compute_root");
  }
  contents_->schedule.level = ComputeLevel{};
  call.done();
  return *this;
}

Stage& Stage::bound(const std::vector<Expr>& extents) {
  DirectiveCall call(*contents_, place(), stage(), {"bound", {launch_exprs(extents)}});
  if (static_cast<int>(extents.size()) != contents_->rank()) {
    call.fail(fmt::format("the Func has {} dimensions", contents_->rank()));
  }
  for (const Expr& e : extents) {
    if (!e.defined() || e.type() != Int(32)) call.fail("every extent must be an i32 expression");
    if (!ir::is_launch_constant(e)) call.fail("every extent must be made of constants and Params");
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

Stage& Stage::set_image(ImageKind kind) {
  const Directive directive{"set_image", {kind}};
  const Type type = contents_->type;
  if (type.bits == 64) {
    throw ScheduleError(
        fmt::format("{}.{}: images hold no {}; cast it to a narrower type, or keep the buffer",
                    contents_->name, schedule::to_string(directive), tensordsl::to_string(type)));
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
    fail("an Input comes from outside the kernel; stage a copy of it: input.in(consumer).compute_at(...)");
  }
  if (!contents_->is_input() && scope == MemoryScope::Constant) {
    fail("kernels do not write constant memory; only an Input is kept there");
  }
  if (contents_->schedule.double_buffer && scope != Local)
    fail("it has a double_buffer(), which is local memory's");
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
    call.fail("only a Func in local memory has barriers to save; say store_in(Local) first");
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
