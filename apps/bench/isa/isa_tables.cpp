#include <fmt/format.h>

#include <algorithm>

#include "apps/bench/isa/isa_report.h"

namespace tensordsl::bench {
namespace {

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

std::string text_of(const IsaTotals& totals) {
  std::string text = fmt::format(
      "{} kernels: {} refused, {} spill, {} with private memory; {:.1f} M instructions", totals.kernels,
      totals.refused, totals.spilling, totals.with_private, totals.instructions * 1e-6);
  if (totals.cycles > 0)
    text += fmt::format(", {:.2f} M cycles, {:.2f} M of textures or memory", totals.cycles * 1e-6,
                        totals.memory_cycles * 1e-6);
  text += fmt::format("; {:.1f} s of compilers; Spearman of estimated and real registers {:.2f}",
                      totals.seconds, totals.register_correlation);
  if (totals.time_correlation != 0)
    text += fmt::format(", of predicted times and cycles {:.2f}", totals.time_correlation);
  return text;
}

std::string table_of(const std::vector<IsaRow>& rows) {
  std::string text = fmt::format("{:<30} {:>9} {:>5} {:>6} {:>5} {:>11} {:>6} {:>5} {:>7} {:>6} {:>6} {:>9}",
                                 "kernel", "registers", "waves", "instr", "mad %", "reads (mad)", "memory",
                                 "int", "private", "spills", "CPU s", "M instr");
  const IsaTotals totals = totals_of(rows);
  const bool has_cycles = totals.cycles > 0;
  text += has_cycles ? fmt::format(" {:>9} {:>9} {:>9}\n", "M cycles", "M reads", "us") : "\n";
  for (const IsaRow& row : rows) {
    const std::string name = short_of(row.kernel.name, 30);
    if (!row.error.empty()) {
      text += fmt::format("{:<30} refused: {}\n", name, row.error.substr(0, row.error.find('\n')));
      continue;
    }
    text += fmt::format(
        "{:<30} {:>9} {:>5} {:>6.0f} {:>5.0f} {:>11} {:>6.0f} {:>5.0f} {:>7} {:>6} {:>6.2f} {:>9.3f}", name,
        fmt::format("{}/{}", estimate_of(row.kernel), row.code.registers), row.code.waves, row.text.all,
        100 * row.hot.share(), textures_of(row.hot), row.hot.memory, row.hot.integers, row.code.private_bytes,
        row.code.spills, row.seconds, row.all_instructions() * 1e-6);
    text += has_cycles ? fmt::format(" {:>9.3f} {:>9.3f} {:>9.1f}\n", row.all_cycles() * 1e-6,
                                     row.all_memory_cycles() * 1e-6, row.kernel.predicted_us)
                       : "\n";
  }
  text += text_of(totals) + "\n";
  text +=
      "registers: estimated/real; mad %, reads, memory, int: of the hottest loop; M instr: of all "
      "work-items\n";
  if (has_cycles)
    text += "M cycles: of the busiest unit; M reads: of the busier of textures and memory; us: predicted\n";
  return text;
}

std::string comparison_of(const std::vector<IsaRow>& before, const std::vector<IsaRow>& after) {
  std::string text = fmt::format("{:<30} {:>11} {:>11} {:>9} {:>11} {:>7}\n", "kernel", "registers", "instr",
                                 "mad %", "M instr", "after/before");
  for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
    const IsaRow &a = before[i], &b = after[i];
    const double first = a.all_instructions(), second = b.all_instructions();
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

nlohmann::ordered_json json_of(const IsaTotals& totals) {
  return {{"count", totals.kernels},
          {"refused", totals.refused},
          {"spilling", totals.spilling},
          {"with_private_memory", totals.with_private},
          {"instructions", totals.instructions},
          {"cycles", totals.cycles},
          {"memory_cycles", totals.memory_cycles},
          {"compile_seconds", totals.seconds},
          {"register_correlation", totals.register_correlation},
          {"time_correlation", totals.time_correlation}};
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
                  {"asked_private_bytes", row.kernel.private_bytes},
                  {"compile_seconds", row.seconds},
                  {"predicted_us", row.kernel.predicted_us},
                  {"work_items", row.kernel.work_items},
                  {"instructions_run", row.run.all},
                  {"cycles_arithmetic", row.cycles.arithmetic},
                  {"cycles_texture", row.cycles.texture},
                  {"cycles_memory", row.cycles.memory}});
    list.push_back(std::move(entry));
  }
  nlohmann::ordered_json report{{"kernels", std::move(list)}};
  report.update(json_of(totals_of(rows)));
  return report;
}

}  // namespace tensordsl::bench
