#include "apps/bench/isa/amd_output.h"

#include <charconv>
#include <map>
#include <optional>
#include <string_view>

namespace tensordsl::bench {
namespace {

InstructionKind kind_of_amd(std::string_view name) {
  static constexpr std::string_view kProducts[] = {"v_fma",    "v_mac",      "v_mad_f",   "v_mul_f",
                                                   "v_pk_fma", "v_pk_mul_f", "v_dual_fma"};
  static constexpr std::string_view kTextures[] = {"image_load", "image_sample"};
  static constexpr std::string_view kScratch[] = {"scratch_", "buffer_"};
  static constexpr std::string_view kMemory[] = {"global_",     "flat_",  "ds_",
                                                 "image_store", "s_load", "s_buffer"};
  static constexpr std::string_view kControl[] = {"s_cbranch", "s_branch", "s_barrier", "s_endpgm"};
  static constexpr std::string_view kIdle[] = {"s_waitcnt", "s_nop", "s_clause", "s_inst_prefetch",
                                               "s_code_end"};
  static constexpr std::string_view kMoves[] = {"v_mov", "s_mov", "v_cvt", "v_accvgpr", "v_swap"};
  if (starts_with_any(name, kProducts)) return InstructionKind::MultiplyAdd;
  if (starts_with_any(name, kTextures)) return InstructionKind::Texture;
  if (starts_with_any(name, kScratch)) return InstructionKind::Scratch;
  if (starts_with_any(name, kMemory)) return InstructionKind::Memory;
  if (starts_with_any(name, kControl)) return InstructionKind::Control;
  if (starts_with_any(name, kIdle)) return InstructionKind::Idle;
  if (starts_with_any(name, kMoves)) return InstructionKind::Move;
  const bool is_float =
      name.find("_f32") != std::string_view::npos || name.find("_f16") != std::string_view::npos;
  return is_float ? InstructionKind::Float : InstructionKind::Integer;
}

std::optional<int> figure(std::string_view line, std::string_view name) {
  if (!line.starts_with(name)) return std::nullopt;
  int value = 0;
  line.remove_prefix(name.size());
  std::from_chars(line.data(), line.data() + line.size(), value);
  return value;
}

}  // namespace

std::vector<MachineCode> read_amd(const std::vector<std::string>& lines) {
  std::vector<MachineCode> kernels;
  std::map<std::string, std::size_t> labels;
  bool is_code = false;
  for (const std::string& line : lines) {
    const std::string_view text(line);
    if (text.find("; @") != std::string_view::npos && text.find(':') != std::string_view::npos) {
      kernels.emplace_back().kernel = text.substr(0, text.find(':'));
      labels.clear();
      is_code = true;
    }
    if (kernels.empty()) continue;
    MachineCode& code = kernels.back();
    if (const auto registers = figure(text, "; NumVgprs: ")) code.registers = *registers;
    if (const auto bytes = figure(text, "; ScratchSize: ")) code.private_bytes = *bytes;
    if (const auto waves = figure(text, "; Occupancy: ")) code.waves = *waves;
    if (text.starts_with(".Lfunc_end")) is_code = false;
    if (text.starts_with(".LBB"))
      labels[std::string(text.substr(0, text.find(':')))] = code.instructions.size();
    if (!is_code || !text.starts_with('\t') || text.size() < 2 || text[1] == '.' || text[1] == ';') continue;
    const std::string_view instruction = text.substr(1),
                           name = instruction.substr(0, instruction.find_first_of(" \t"));
    code.instructions.push_back({.kind = kind_of_amd(name)});
    if (code.instructions.back().kind == InstructionKind::Scratch) ++code.spills;
    const std::size_t target = instruction.find(".LBB");
    if (!name.starts_with("s_cbranch") && !name.starts_with("s_branch")) continue;
    if (target == std::string_view::npos) continue;
    const auto label = labels.find(
        std::string(instruction.substr(target, instruction.find_first_of(" \t", target) - target)));
    if (label != labels.end()) code.loops.push_back({label->second, code.instructions.size()});
  }
  for (MachineCode& code : kernels) normalize_loops(code);
  return kernels;
}

}  // namespace tensordsl::bench
