#include "lower/place/check_directives.h"

#include <fmt/format.h>

#include <algorithm>

#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;
using schedule::FuncSchedule;
using schedule::ScheduledFunction;

namespace {

void check_inlined(const ScheduledFunction& function) {
  const FuncSchedule& s = function.schedule;
  for (const schedule::StageSchedule& stage : function.stages) {
    if (stage.specializations.empty()) continue;
    throw ScheduleError(
        fmt::format("{}.specialize({}): the Func is inlined, so it has no kernel; use compute_root",
                    function.name, to_string(stage.specializations[0].condition)));
  }
  for (std::size_t i = 0; i < function.stages.size(); ++i) {
    if (!function.stages[i].companion) continue;
    throw ScheduleError(fmt::format(
        "{}.compute_with({}, {}): the Func is inlined, so it has no loops; use compute_root", function.name,
        function.stages[i].companion->function, function.stages[i].companion->axis));
  }
  const std::string call = s.scope             ? fmt::format("store_in({})", to_string(*s.scope))
                           : s.image           ? fmt::format("set_image({})", to_string(*s.image))
                           : s.autobroadcast   ? std::string("autobroadcast()")
                           : s.half_arithmetic ? std::string("half_arithmetic()")
                                               : std::string();
  if (call.empty()) return;
  throw ScheduleError(
      fmt::format("{}.{}: the Func is inlined; use compute_at or compute_root", function.name, call));
}

void check_computed_inside(const ScheduledFunction& function) {
  const FuncSchedule& s = function.schedule;
  if (s.image) {
    throw ScheduleError(
        fmt::format("{}.set_image({}): the Func is computed inside the loops of its consumer, where images "
                    "cannot be used; use compute_root",
                    function.name, to_string(*s.image)));
  }
  if (s.autobroadcast || s.half_arithmetic) {
    throw ScheduleError(
        fmt::format("{}.{}(): the Func is computed inside another Func's kernel; call it on the Func of "
                    "that kernel that is computed at the root",
                    function.name, s.autobroadcast ? "autobroadcast" : "half_arithmetic"));
  }
}

void check_computed_at_root(const ScheduledFunction& function) {
  if (!function.schedule.scope) return;
  throw ScheduleError(
      fmt::format("{}.store_in({}): the Func is computed at the root by its own kernels, which store to "
                  "global memory; use compute_at",
                  function.name, to_string(*function.schedule.scope)));
}

}  // namespace

void check_directives(const std::vector<FunctionPtr>& functions, const std::vector<Producer>& producers,
                      const PlacedFunctions& placed) {
  for (const FunctionPtr& f : functions) {
    const ScheduledFunction& function = schedule::scheduled(*f);
    const bool is_computed = std::any_of(producers.begin(), producers.end(), [&](const Producer& p) {
      return p.function->name == function.name;
    });
    if (!function.is_input() && !is_computed) check_inlined(function);
  }
  for (const Producer& p : producers) {
    if (placed.extents.contains(p.function->name)) {
      check_computed_at_root(*p.function);
    } else {
      check_computed_inside(*p.function);
    }
  }
}

void check_constant(const std::string& input, const StoredTensor& stored, const Expr& elements,
                    std::int64_t constant_bytes) {
  const auto fail = [&](const std::string& finding) {
    throw ScheduleError(fmt::format("{}.store_in(Constant): {}; keep it in global memory", input, finding));
  };
  if (stored.image) fail("images cannot be in constant memory");
  const std::int64_t* count = as_int(elements);
  if (!count) {
    fail(fmt::format("its size, {} elements, is not known before launch", tensordsl::to_string(elements)));
  }
  const std::int64_t bytes = *count * stored.type.bytes();
  if (bytes > constant_bytes) {
    fail(fmt::format("it has {} bytes, more than the limit of a constant buffer, {}", bytes, constant_bytes));
  }
}

void check_half_arithmetic(const std::vector<Producer>& producers, const LowerOptions& options) {
  if (options.has_fp16.value_or(true)) return;
  for (const Producer& p : producers) {
    if (!p.function->schedule.half_arithmetic) continue;
    throw ScheduleError(
        fmt::format("{}.half_arithmetic(): the device has no arithmetic on f16 (cl_khr_fp16); drop it, and "
                    "f16 is used for storage only",
                    p.function->name));
  }
}

}  // namespace tensordsl::lower
