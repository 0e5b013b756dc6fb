#include "outline/operand_registers.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include "predict/outlined_work.h"
#include "predict/repetitions.h"

namespace tensordsl::outline {
namespace {

using predict::NestAccess;
using predict::NestLoop;
using predict::NestStage;
using predict::Runs;

using IsAxis = std::function<bool(const NestLoop&)>;

/// Returns the copies that one element of a tile reads long after another has: windows of neighbors overlap
/// along an unrolled axis that has another one inside.
double kept_for_later(const NestStage& nest, const NestAccess& access, const IsAxis& is_axis) {
  std::vector<predict::Repetition> axes, steps;
  for (const NestLoop& loop : nest.loops) {
    const double bytes = std::abs(predict::bytes_of_step(access, loop));
    if (loop.runs != Runs::Unrolled || loop.extent <= 1 || bytes == 0) continue;
    (is_axis(loop) ? axes : steps).push_back({loop.extent, bytes});
  }
  if (axes.size() < 2 || steps.empty()) return 0;
  const double innermost = axes.back().times;
  steps.insert(steps.end(), axes.begin(), std::prev(axes.end()));
  double copies = 1;
  for (const predict::Repetition& step : steps) copies *= step.times;
  return (copies - predict::addresses_of(predict::joined(std::move(steps)))) * innermost;
}

/// Returns the elements along unrolled axes that a vector reads at once: those that lie one after the other.
double read_along_axes(const NestStage& nest, const NestAccess& access, const IsAxis& is_axis) {
  constexpr double kVector = 4;  // registers of a read of 128 bits
  std::vector<predict::Repetition> axes;
  for (const NestLoop& loop : nest.loops) {
    if (loop.runs == Runs::Unrolled && is_axis(loop))
      axes.push_back({loop.extent, predict::bytes_of_step(access, loop)});
  }
  std::ranges::sort(axes, {}, &predict::Repetition::bytes);
  double run = 1;
  for (const predict::Repetition& axis : axes) {
    if (axis.bytes == run * access.element_bytes) run *= axis.times;
  }
  return predict::elements_of_read(access, nest) > 1 ? std::min(run, kVector) : 1;
}

}  // namespace

int operand_registers(const NestStage& nest, const IsAxis& is_axis, bool is_sum) {
  constexpr double kTests = 3, kRegister = 4;
  double registers = 0, largest = nest.values;
  for (const NestAccess& access : nest.accesses) {
    if (access.is_store) continue;
    double copies = 1, lanes = access.place == predict::Place::Image ? 4 : 1;
    for (const NestLoop& loop : nest.loops) {
      if (is_axis(loop) || predict::bytes_of_step(access, loop) == 0) continue;
      if (loop.runs == Runs::Unrolled) copies *= loop.extent;
      if (loop.runs == Runs::Vector) lanes = std::max(lanes, loop.extent);
    }
    const double of_copy = lanes * std::ceil(access.element_bytes / kRegister);
    registers += kept_for_later(nest, access, is_axis) * of_copy;
    registers += copies * of_copy * (lanes == 1 ? read_along_axes(nest, access, is_axis) : 1);
    // Tests of borders have values of their own.
    if (access.is_bordered && access.place == predict::Place::Buffer) registers += kTests * copies;
    largest = std::max(largest, of_copy);
  }
  return static_cast<int>((is_sum ? registers : largest) + predict::kAddressRegisters);
}

}  // namespace tensordsl::outline
