#include "apps/bench/isa/amd_output.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace tensordsl::bench {
namespace {

InstructionKind kind_of_amd(std::string_view name) {
  static constexpr std::string_view kProducts[] = {"v_fma",    "v_mac",      "v_mad_f",   "v_mul_f",
                                                   "v_pk_fma", "v_pk_mul_f", "v_dual_fma"};
  static constexpr std::string_view kTextures[] = {"image_load", "image_sample"};
  static constexpr std::string_view kScratch[] = {"scratch_", "buffer_load", "buffer_store"};
  static constexpr std::string_view kMemory[] = {"global_",     "flat_",  "ds_",
                                                 "image_store", "s_load", "s_buffer"};
  static constexpr std::string_view kControl[] = {"s_cbranch", "s_branch",   "s_barrier",
                                                  "s_endpgm",  "buffer_gl0", "buffer_gl1"};
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

/// Returns the number after `name`; none if the line, without blanks before it, begins with another word.
std::optional<int> figure(std::string_view line, std::string_view name) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  if (!line.starts_with(name)) return std::nullopt;
  int value = 0;
  line.remove_prefix(name.size());
  std::from_chars(line.data(), line.data() + line.size(), value);
  return value;
}

/// Returns the word after `name` in the line; empty if the line has no such name.
std::string_view word_after(std::string_view line, std::string_view name) {
  const std::size_t at = line.find(name);
  if (at == std::string_view::npos) return {};
  line.remove_prefix(at + name.size());
  return line.substr(0, line.find_first_of(" :"));
}

/// Gathers the blocks of a kernel, and makes loops of them. A loop is from its first block to its last.
/// Blocks may precede that of its header, which tells the loop around it.
class LoopBlocks {
 public:
  /// Reads a label, or the comments after one on lines of their own.
  void read(std::string_view line, std::size_t position) {
    const bool is_label = line.starts_with(".LBB"), is_block = is_label || line.starts_with("; %bb.");
    if (is_block) {
      close(position);
      label_ = is_label ? line.substr(2, line.find(':') - 2) : std::string_view();
      loop_.clear();
      parent_.clear();
    }
    if (const std::string_view header = word_after(line, "in Loop: Header="); !header.empty()) loop_ = header;
    if (const std::string_view outer = word_after(line, "Parent Loop "); !outer.empty()) parent_ = outer;
    if (line.find("Loop Header: Depth=") != std::string_view::npos) {
      loop_ = label_;
      outer_[loop_] = parent_;
    }
  }

  /// Returns the loops, an outer one before those in it.
  std::vector<MachineLoop> take(std::size_t position) {
    close(position);
    std::map<std::string, MachineLoop> ranges;
    for (const auto& [loop, block] : blocks_) {
      for (std::string name = loop; !name.empty(); name = outer_[name]) {
        const auto [known, is_new] = ranges.try_emplace(name, block);
        known->second = {std::min(known->second.begin, block.begin), std::max(known->second.end, block.end)};
      }
    }
    std::vector<MachineLoop> loops;
    for (const auto& [name, range] : ranges) loops.push_back(range);
    std::ranges::sort(loops, [](const MachineLoop& a, const MachineLoop& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
    return loops;
  }

 private:
  /// Ends the block that began at `begin_`.
  void close(std::size_t position) {
    if (!loop_.empty()) blocks_.push_back({loop_, {begin_, position}});
    begin_ = position;
  }

  std::size_t begin_ = 0;
  std::string label_, loop_, parent_;  ///< of the block that is read
  std::map<std::string, std::string> outer_;
  std::vector<std::pair<std::string, MachineLoop>> blocks_;
};

}  // namespace

std::vector<MachineCode> read_amd(const std::vector<std::string>& lines) {
  std::vector<MachineCode> kernels;
  LoopBlocks blocks;
  bool is_code = false;
  std::string_view described;
  for (const std::string& line : lines) {
    const std::string_view text(line);
    if (text.find("; @") != std::string_view::npos && text.find(':') != std::string_view::npos) {
      kernels.emplace_back().kernel = text.substr(0, text.find(':'));
      blocks = {};
      is_code = true;
    }
    if (kernels.empty()) continue;
    MachineCode& code = kernels.back();
    if (const auto registers = figure(text, "; NumVgprs: ")) code.registers = *registers;
    if (const auto bytes = figure(text, "; ScratchSize: ")) code.private_bytes = *bytes;
    if (const auto waves = figure(text, "; Occupancy: ")) code.waves = *waves;
    if (text.starts_with("    .symbol:")) described = text.substr(text.find_last_of(' ') + 1);
    if (const auto spills = figure(text, ".vgpr_spill_count: ")) {
      for (MachineCode& kernel : kernels) {
        if (described == kernel.kernel + ".kd") kernel.spills = *spills;
      }
    }
    if (text.starts_with(".Lfunc_end") && is_code) {
      code.loops = blocks.take(code.instructions.size());
      is_code = false;
    }
    if (!is_code || text.empty()) continue;
    if (text[0] != '\t') {
      blocks.read(text, code.instructions.size());
    } else if (text.size() > 1 && text[1] != '.' && text[1] != ';') {
      code.instructions.push_back({.kind = kind_of_amd(text.substr(1, text.find_first_of(" \t", 1) - 1))});
    }
  }
  return kernels;
}

std::optional<double> process_seconds(const std::string& line) {
  const std::size_t total = line.find(", total="), user = line.find(" ms, user=");
  if (total == std::string::npos || user == std::string::npos) return std::nullopt;
  return std::stod(line.substr(user + 10)) * 1e-3;
}

}  // namespace tensordsl::bench
