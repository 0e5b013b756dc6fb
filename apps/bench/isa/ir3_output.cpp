#include "apps/bench/isa/ir3_output.h"

#include <algorithm>
#include <map>
#include <regex>
#include <string>

namespace tensordsl::bench {
namespace {

InstructionKind kind_of_ir3(std::string_view name) {
  static constexpr std::string_view kTextures[] = {"sam", "isam", "ldib"};
  static constexpr std::string_view kScratch[] = {"ldp", "stp"};
  static constexpr std::string_view kMemory[] = {"ldg",  "stg",  "ldl",    "stl",     "stib",   "ldc",
                                                 "ldlw", "stlw", "atomic", "resinfo", "getinfo"};
  static constexpr std::string_view kControl[] = {"br",     "jump", "bar",    "fence", "end",
                                                  "chmask", "chsh", "getone", "shps",  "shpe",
                                                  "bkt",    "kill", "predt",  "predf"};
  static constexpr std::string_view kMoves[] = {"mov", "cov", "swz", "gat", "sct", "mova", "movmsk"};
  if (name == "nop") return InstructionKind::Idle;
  if (name.starts_with("mad.f") || name.starts_with("mul.f")) return InstructionKind::MultiplyAdd;
  if (starts_with_any(name, kTextures)) return InstructionKind::Texture;
  if (starts_with_any(name, kScratch)) return InstructionKind::Scratch;
  if (starts_with_any(name, kMemory)) return InstructionKind::Memory;
  if (starts_with_any(name, kControl)) return InstructionKind::Control;
  if (starts_with_any(name, kMoves)) return InstructionKind::Move;
  if (name.find(".f") != std::string_view::npos) return InstructionKind::Float;
  static constexpr std::string_view kSpecial[] = {"rcp", "rsq", "sqrt", "exp2", "log2", "sin", "cos"};
  return starts_with_any(name, kSpecial) ? InstructionKind::Float : InstructionKind::Integer;
}

/// Removes the flags in parentheses before an instruction; returns the count of (rptN) and adds one.
int take_flags(std::string_view& line) {
  int repeats = 1;
  while (line.starts_with('(')) {
    const std::size_t end = line.find(')');
    if (end == std::string_view::npos) break;
    const std::string_view flag = line.substr(1, end - 1);
    if (flag.starts_with("rpt") && flag.size() == 4) repeats = 1 + (flag[3] - '0');
    line.remove_prefix(end + 1);
  }
  return repeats;
}

bool is_mnemonic(std::string_view word) {
  return !word.empty() && word.front() >= 'a' && word.front() <= 'z' &&
         word.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789._") == std::string_view::npos;
}

/// Reads the lines of one kernel's assembly.
class Ir3Reader {
 public:
  void read(std::string_view line) {
    const int repeats = take_flags(line);
    const std::string_view word = line.substr(0, line.find(' '));
    if (word.ends_with(':') && word.starts_with('l')) {
      labels_[std::string(word.substr(0, word.size() - 1))] = code_.instructions.size();
      return;
    }
    if (!is_mnemonic(word)) return;
    code_.instructions.push_back({kind_of_ir3(word), repeats});
    const bool branches = word.starts_with("br") || word == "jump";
    const std::size_t target = line.rfind("#l");
    if (!branches || target == std::string_view::npos) return;
    const auto label = labels_.find(std::string(line.substr(target + 1)));
    if (label != labels_.end()) code_.loops.push_back({label->second, code_.instructions.size()});
  }

  MachineCode take() {
    normalize_loops(code_);
    return std::move(code_);
  }

 private:
  MachineCode code_;
  std::map<std::string, std::size_t> labels_;
};

int number_before(const std::string& line, const char* word) {
  std::smatch match;
  return std::regex_search(line, match, std::regex("([0-9]+) " + std::string(word))) ? std::stoi(match[1])
                                                                                     : 0;
}

}  // namespace

std::vector<MachineCode> read_ir3(const std::vector<std::string>& lines) {
  static const std::string kPrefix = "MESA: info: ";
  static const std::regex kName(R"(^impl (?:__wrapped_)?(\w+) )");
  std::vector<MachineCode> kernels;
  std::string name;
  Ir3Reader reader;
  bool is_assembly = false;
  for (const std::string& whole : lines) {
    const std::string line = whole.starts_with(kPrefix) ? whole.substr(kPrefix.size()) : whole;
    std::smatch match;
    if (std::regex_search(line, match, kName)) {
      name = match[1];
      reader = {};
      is_assembly = false;
    } else if (line == "}") {
      is_assembly = true;  // NIR's function ends, assembly follows
    } else if (line.starts_with("; CL: outputs")) {
      kernels.push_back(reader.take());
      kernels.back().kernel = name;
      reader = {};
      is_assembly = false;
    } else if (line.starts_with("; CL prog") && !kernels.empty() && line.find(" full") != std::string::npos) {
      // A register file of 96 registers of four numbers holds two waves of a kernel that needs all of them.
      constexpr int kRegisters = 96, kMostWaves = 16;
      const int full = std::max(1, number_before(line, "full") + number_before(line, "half") / 2);
      kernels.back().registers = 4 * full;
      kernels.back().waves = std::min(kMostWaves, kRegisters / full * 2);
    } else if (is_assembly) {
      reader.read(line);
    }
  }
  for (MachineCode& code : kernels) {
    code.spills =
        static_cast<int>(std::ranges::count(code.instructions, InstructionKind::Scratch, &Instruction::kind));
  }
  return kernels;
}

}  // namespace tensordsl::bench
