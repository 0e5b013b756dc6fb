#include "apps/bench/isa/isa_report.h"

#include <fmt/format.h>

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

std::string short_of(const std::string& text, std::size_t length) {
  return text.size() <= length ? text : text.substr(0, length - 2) + "..";
}

std::string estimate_of(const IsaKernel& kernel) {
  return kernel.registers ? std::to_string(*kernel.registers) : "-";
}

std::string textures_of(const InstructionSum& sum) {
  return sum.textures > 0 ? fmt::format("{:.0f} ({:.1f})", sum.textures, sum.multiply_adds / sum.textures)
                          : "-";
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
  std::vector<double> estimated, real;
  for (const IsaRow& row : rows) {
    ++totals.kernels;
    if (!row.error.empty()) {
      ++totals.refused;
      continue;
    }
    if (row.code.spills > 0) ++totals.spilling;
    if (row.code.private_bytes > 0) ++totals.with_private;
    totals.instructions += row.run.all * row.kernel.work_items;
    totals.cycles += row.cycles.bound() * row.kernel.work_items;
    totals.memory_cycles += row.cycles.memory_bound() * row.kernel.work_items;
    if (!row.kernel.registers || row.code.registers == 0) continue;
    estimated.push_back(*row.kernel.registers);
    real.push_back(row.code.registers);
  }
  totals.register_correlation = correlation_of(estimated, real);
  return totals;
}

std::string table_of(const std::vector<IsaRow>& rows) {
  std::string text = fmt::format(
      "{:<30} {:>9} {:>5} {:>6} {:>5} {:>11} {:>6} {:>5} {:>7} {:>6} {:>6} {:>9}\n", "kernel", "registers",
      "waves", "instr", "mad %", "reads (mad)", "memory", "int", "private", "spills", "CPU s", "M instr");
  for (const IsaRow& row : rows) {
    const std::string name = short_of(row.kernel.name, 30);
    if (!row.error.empty()) {
      text += fmt::format("{:<30} refused: {}\n", name, row.error.substr(0, row.error.find('\n')));
      continue;
    }
    text += fmt::format(
        "{:<30} {:>9} {:>5} {:>6.0f} {:>5.0f} {:>11} {:>6.0f} {:>5.0f} {:>7} {:>6} {:>6.2f} {:>9.3f}\n", name,
        fmt::format("{}/{}", estimate_of(row.kernel), row.code.registers), row.code.waves, row.text.all,
        100 * row.hot.share(), textures_of(row.hot), row.hot.memory, row.hot.integers, row.code.private_bytes,
        row.code.spills, row.seconds, row.run.all * row.kernel.work_items * 1e-6);
  }
  const IsaTotals totals = totals_of(rows);
  text += fmt::format("{} kernels: {} refused, {} spill, {} with private memory; {:.1f} M instructions",
                      totals.kernels, totals.refused, totals.spilling, totals.with_private,
                      totals.instructions * 1e-6);
  if (totals.cycles > 0)
    text += fmt::format(", {:.2f} M cycles, {:.2f} M of textures or memory", totals.cycles * 1e-6,
                        totals.memory_cycles * 1e-6);
  text += fmt::format("; estimated and real registers: Spearman {:.2f}\n", totals.register_correlation);
  text +=
      "registers: estimated/real; mad %, reads, memory, int: of the hottest loop; M instr: of all "
      "work-items\n";
  return text;
}

std::string comparison_of(const std::vector<IsaRow>& before, const std::vector<IsaRow>& after) {
  std::string text = fmt::format("{:<30} {:>11} {:>11} {:>9} {:>11} {:>7}\n", "kernel", "registers", "instr",
                                 "mad %", "M instr", "after/before");
  for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
    const IsaRow &a = before[i], &b = after[i];
    const double first = a.run.all * a.kernel.work_items, second = b.run.all * b.kernel.work_items;
    text += fmt::format("{:<30} {:>11} {:>11} {:>9} {:>11} {:>7.2f}\n", short_of(b.kernel.name, 30),
                        fmt::format("{} {}", a.code.registers, b.code.registers),
                        fmt::format("{:.0f} {:.0f}", a.text.all, b.text.all),
                        fmt::format("{:.0f} {:.0f}", 100 * a.hot.share(), 100 * b.hot.share()),
                        fmt::format("{:.2f} {:.2f}", first * 1e-6, second * 1e-6),
                        first > 0 ? second / first : 0);
  }
  const IsaTotals a = totals_of(before), b = totals_of(after);
  const auto ratio = [](double x, double y) { return x > 0 ? y / x : 0; };
  text +=
      fmt::format("after/before: instructions {:.3f}, cycles {:.3f}, cycles of textures or memory {:.3f}\n",
                  ratio(a.instructions, b.instructions), ratio(a.cycles, b.cycles),
                  ratio(a.memory_cycles, b.memory_cycles));
  return text;
}

nlohmann::ordered_json json_of(const std::vector<IsaRow>& rows) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const IsaRow& row : rows) {
    nlohmann::ordered_json entry{{"kernel", row.kernel.name}, {"label", row.kernel.label}};
    if (!row.error.empty()) {
      entry["error"] = row.error;
      list.push_back(std::move(entry));
      continue;
    }
    if (row.kernel.registers) entry["estimated_registers"] = *row.kernel.registers;
    entry.update({{"registers", row.code.registers},
                  {"waves", row.code.waves},
                  {"instructions", row.text.all},
                  {"hot_instructions", row.hot.all},
                  {"hot_multiply_adds", row.hot.multiply_adds},
                  {"hot_textures", row.hot.textures},
                  {"hot_memory", row.hot.memory},
                  {"hot_integers", row.hot.integers},
                  {"private_bytes", row.code.private_bytes},
                  {"spills", row.code.spills},
                  {"compile_seconds", row.seconds},
                  {"work_items", row.kernel.work_items},
                  {"instructions_run", row.run.all},
                  {"cycles_arithmetic", row.cycles.arithmetic},
                  {"cycles_texture", row.cycles.texture},
                  {"cycles_memory", row.cycles.memory}});
    list.push_back(std::move(entry));
  }
  const IsaTotals totals = totals_of(rows);
  return {{"kernels", std::move(list)},
          {"refused", totals.refused},
          {"spilling", totals.spilling},
          {"with_private_memory", totals.with_private},
          {"instructions", totals.instructions},
          {"cycles", totals.cycles},
          {"memory_cycles", totals.memory_cycles},
          {"register_correlation", totals.register_correlation}};
}

}  // namespace tensordsl::bench
