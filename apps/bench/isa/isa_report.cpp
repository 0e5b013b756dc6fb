#include "apps/bench/isa/isa_report.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "apps/bench/isa/kernel_loops.h"

namespace tensordsl::bench {
namespace {

void add(InstructionSum& sum, const Instruction& instruction, double times) {
  const double count = times * instruction.repeats;
  if (instruction.kind == InstructionKind::Idle) {
    sum.idle += count;
    return;
  }
  sum.all += count;
  switch (instruction.kind) {
    case InstructionKind::MultiplyAdd:
      sum.multiply_adds += count;
      break;
    case InstructionKind::Texture:
      sum.textures += count;
      break;
    case InstructionKind::Memory:
      sum.memory += count;
      break;
    case InstructionKind::Integer:
      sum.integers += count;
      break;
    case InstructionKind::Scratch:
      sum.scratch += count;
      break;
    default:
      break;
  }
}

InstructionSum sum_of(const MachineCode& code, std::size_t begin, std::size_t end) {
  InstructionSum sum;
  for (std::size_t i = begin; i < end; ++i) add(sum, code.instructions[i], 1);
  return sum;
}

/// Returns the instructions of the innermost loop with the most multiply-adds; of all code without a loop.
InstructionSum hot_loop(const MachineCode& code) {
  InstructionSum best = sum_of(code, 0, code.instructions.size());
  bool has_any = false;
  for (std::size_t i = 0; i < code.loops.size(); ++i) {
    const bool is_innermost = i + 1 == code.loops.size() || code.loops[i + 1].begin >= code.loops[i].end;
    if (!is_innermost) continue;
    const InstructionSum sum = sum_of(code, code.loops[i].begin, code.loops[i].end);
    if (has_any && std::pair(sum.multiply_adds, sum.all) <= std::pair(best.multiply_adds, best.all)) continue;
    best = sum;
    has_any = true;
  }
  return best;
}

/// Ranks with ties in the middle of their ranks.
std::vector<double> ranks_of(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::vector<double> ranks(values.size());
  for (std::size_t i = 0; i < order.size();) {
    std::size_t end = i;
    while (end < order.size() && values[order[end]] == values[order[i]]) ++end;
    for (std::size_t at = i; at < end; ++at) ranks[order[at]] = static_cast<double>(i + end - 1) / 2;
    i = end;
  }
  return ranks;
}

/// Spearman's correlation; 0 if one side is constant or there are fewer than three pairs.
double correlation_of(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() < 3) return 0;
  const std::vector<double> x = ranks_of(a), y = ranks_of(b);
  const double middle = static_cast<double>(a.size() - 1) / 2;
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - middle) * (y[i] - middle);
    xx += (x[i] - middle) * (x[i] - middle);
    yy += (y[i] - middle) * (y[i] - middle);
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

}  // namespace

IsaRow row_of(const IsaKernel& kernel, const CompiledFile& file) {
  IsaRow row{kernel, {}, file.error, file.seconds, {}, {}, {}, {}};
  const auto code = std::ranges::find(file.kernels, kernel.entry, &MachineCode::kernel);
  if (code == file.kernels.end()) {
    if (row.error.empty()) row.error = "the compiler printed no code of " + kernel.entry + "\n";
    return row;
  }
  row.code = *code;
  row.text = sum_of(row.code, 0, row.code.instructions.size());
  row.hot = hot_loop(row.code);
  const std::vector<double> times = times_of_instructions(row.code, loops_of_text(kernel.text, kernel.entry));
  for (std::size_t i = 0; i < times.size(); ++i) {
    const Instruction& instruction = row.code.instructions[i];
    add(row.run, instruction, times[i]);
    const double cycles = times[i] * instruction.repeats * instruction.cycles;
    double& unit = instruction.unit == MachineUnit::Texture  ? row.cycles.texture
                   : instruction.unit == MachineUnit::Memory ? row.cycles.memory
                                                             : row.cycles.arithmetic;
    unit += cycles;
  }
  return row;
}

IsaTotals totals_of(const std::vector<IsaRow>& rows) {
  IsaTotals totals;
  std::vector<double> estimated, real, predicted, cycles;
  for (const IsaRow& row : rows) {
    ++totals.kernels;
    if (!row.error.empty()) {
      ++totals.refused;
      continue;
    }
    if (row.code.spills > 0) ++totals.spilling;
    if (row.has_private()) ++totals.with_private;
    totals.instructions += row.all_instructions();
    totals.cycles += row.all_cycles();
    totals.memory_cycles += row.all_memory_cycles();
    totals.seconds += row.seconds;
    if (row.kernel.registers && row.code.registers > 0) {
      estimated.push_back(*row.kernel.registers);
      real.push_back(row.code.registers);
    }
    if (row.kernel.predicted_us > 0 && row.all_cycles() > 0) {
      predicted.push_back(row.kernel.predicted_us);
      cycles.push_back(row.all_cycles());
    }
  }
  totals.register_correlation = correlation_of(estimated, real);
  totals.time_correlation = correlation_of(predicted, cycles);
  return totals;
}

}  // namespace tensordsl::bench
