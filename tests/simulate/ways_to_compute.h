// One expression, computed over all points by the interpreter, and by the simulator in several ways.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "ir/nodes/stmt.h"
#include "tensordsl/buffer.h"
#include "tensordsl/func.h"

namespace tensordsl::simulator {

inline constexpr int kSchedules = 4;

/// The inputs that the expressions of random_expression.h read.
const std::map<std::string, Buffer>& inputs();
/// The expression as the definition of a Func, and one of kSchedules schedules for it.
Func defined(const Expr& expr);
void apply_schedule(Func& f, int schedule);

/// Interprets an expression of random_expression.h over i = 0 to kPoints - 1. Throws DefinitionError where a
/// read is outside an input.
Buffer interpreted(const Expr& expr);

/// A way to compute the same in the simulator, and its name in reports.
struct Way {
  std::string name;
  std::function<Buffer(const Expr&)> compute;
};

/// Ways in a loop over i; as one vector over all i, upwards or downwards. With `simplified`, after the
/// simplifier.
Way in_loop(bool simplified);
Way in_lanes(bool upwards, bool simplified);
/// Through all passes.
Way lowered(int schedule);

/// Returns the first point where a way gives other bits than the interpreter (those of a NaN are not
/// compared), or the error that it throws; empty if there is none. A DefinitionError of a way is a refusal,
/// which `refusals` counts.
std::string disagreement(const Expr& expr, const std::vector<Way>& ways, int* refusals = nullptr);

}  // namespace tensordsl::simulator
