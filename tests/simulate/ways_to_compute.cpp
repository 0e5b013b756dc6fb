#include "simulate/ways_to_compute.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "ir/nodes/substitute.h"
#include "ir/simplify/simplify.h"
#include "lower/lower.h"
#include "runtime/host/interpreter.h"
#include "schedule/func_schedule.h"
#include "simulate/random_expression.h"
#include "simulate/simulator.h"
#include "tensordsl/error.h"
#include "tensordsl/func.h"

namespace tensordsl::simulator {
namespace {

/// Limits, zeros, NaN, infinities, and what halves round.
Buffer input_of(Type type) {
  constexpr double kNumbers[kPoints] = {0,   1,         -1,    NAN,  -0.0,     2.5, -3.5, INFINITY,
                                        100, -INFINITY, 1e-30, 2049, -65519.0, 0.1, 7,    -128};
  constexpr std::int64_t kIntegers[kPoints] = {0,   1,   -1, 2,         5,         15,        16,        -128,
                                               127, 255, 13, INT32_MIN, INT32_MAX, INT64_MIN, INT64_MAX, -7};
  Buffer result(type, {kPoints});
  for (int i = 0; i < kPoints; ++i)
    type.is_float() ? result.set(i, kNumbers[i]) : result.set_int(i, kIntegers[i]);
  return result;
}

}  // namespace

const std::map<std::string, Buffer>& inputs() {
  static const auto all = [] {
    std::map<std::string, Buffer> result;
    for (const Type type : kTypes) result[input_name(type)] = input_of(type);
    return result;
  }();
  return all;
}

Func defined(const Expr& expr) {
  std::map<std::string, Input> tensors;
  for (const auto& [name, data] : inputs()) tensors.emplace(name, Input(name, data.type(), {kPoints}));
  Func f("f");
  f(Var("i")) = ir::rewrite(expr, [&](const Expr& e) {
    return e->kind == ir::ExprKind::Load ? Expr(tensors.at(e->name)((*e)[0])) : e;
  });
  return f;
}

void apply_schedule(Func& f, int schedule) {
  const Var i("i"), outer("outer"), inner("inner");
  f.bound({kPoints});
  if (schedule == 1) f.split(i, outer, inner, 8).vectorize(inner).gpu_blocks(outer);
  if (schedule == 2) f.split(i, outer, inner, 3, Tail::Guard).unroll(inner).gpu_blocks(outer);
  if (schedule == 3) f.vectorize(i, 4).autobroadcast();
}

namespace {

/// Simulates a kernel with that body, with one work-item.
Buffer simulated(Type type, const ir::Stmt& body) {
  using Access = KernelArgument::Access;
  lower::LoweredKernel kernel;
  kernel.name = "k";
  kernel.groups = {Expr(1), Expr(1), Expr(1)};
  kernel.body = body;
  std::map<std::string, std::vector<std::byte>> buffers;
  for (const auto& [name, data] : inputs()) {
    kernel.buffers.push_back({name, data.type(), Access::ReadOnly, Expr(kPoints)});
    buffers[name] = {data.bytes().begin(), data.bytes().end()};
  }
  Buffer result(type, {kPoints});
  kernel.buffers.push_back({"out", type, Access::WriteOnly, Expr(kPoints)});
  buffers["out"].resize(result.bytes().size());
  simulate(kernel, buffers, {});
  std::ranges::copy(buffers["out"], result.bytes().begin());
  return result;
}

ir::Stmt loop_over(const Expr& expr) {
  const ir::Stmt store = ir::make_store("out", expr, {ir::make_var("i")});
  return ir::make_for("i", 0, kPoints, ir::LoopKind::Serial, store);
}

/// The vector is cut in three and put together again before it is stored.
ir::Stmt vector_over(const Expr& expr, bool upwards) {
  const Expr points = upwards ? ir::make_ramp(0, 1, kPoints) : ir::make_ramp(kPoints - 1, -1, kPoints);
  Expr value = ir::substitute(expr, "i", points);
  if (!value.type().is_vector()) value = ir::make_broadcast(value, kPoints);
  const Expr v = ir::make_var("v", value.type());
  const Expr whole =
      ir::make_concat({ir::make_slice(v, 0, 5), ir::make_slice(v, 5, 1), ir::make_slice(v, 6, kPoints - 6)});
  return ir::make_let("v", value, ir::make_store("out", whole, {points}));
}

bool has_same_bits(const Buffer& a, const Buffer& b, int i) {
  if (!a.type().is_float()) return a.get_int(i) == b.get_int(i);
  const double x = a.get(i), y = b.get(i);
  return (std::isnan(x) && std::isnan(y)) ||
         std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
}

}  // namespace

Buffer interpreted(const Expr& expr) {
  return runtime::interpret(defined(expr).shared(), {kPoints}, {inputs(), {}});
}

Way in_loop(bool simplified) {
  return {simplified ? "in a loop, simplified" : "in a loop", [=](const Expr& e) {
            const ir::Stmt body = loop_over(e);
            return simulated(e.type(), simplified ? ir::simplify(body) : body);
          }};
}

Way in_lanes(bool upwards, bool simplified) {
  return {fmt::format("in lanes{}{}", upwards ? "" : " from the last", simplified ? ", simplified" : ""),
          [=](const Expr& e) {
            const ir::Stmt body = vector_over(e, upwards);
            return simulated(e.type(), simplified ? ir::simplify(body) : body);
          }};
}

Way lowered(int schedule) {
  return {fmt::format("lowered, schedule {}", schedule), [=](const Expr& e) {
            Func f = defined(e);
            apply_schedule(f, schedule);
            lower::LowerOptions options;
            options.verify = true;
            return simulate(lower::lower(f.shared(), options), inputs(), {});
          }};
}

std::string disagreement(const Expr& expr, const std::vector<Way>& ways, int* refusals) {
  const Buffer expected = interpreted(expr);
  for (const Way& way : ways) {
    try {
      const Buffer found = way.compute(expr);
      for (int i = 0; i < kPoints; ++i) {
        if (has_same_bits(expected, found, i)) continue;
        return fmt::format("{}: i = {} is {}, expected {}", way.name, i, found.get(i), expected.get(i));
      }
    } catch (const DefinitionError&) {
      if (refusals) ++*refusals;
    } catch (const std::exception& error) {
      return fmt::format("{}: {}", way.name, error.what());
    }
  }
  return "";
}

}  // namespace tensordsl::simulator
