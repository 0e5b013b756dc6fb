#include "apps/bench/isa/mali_output.h"

#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>

namespace tensordsl::bench {
namespace {

constexpr double kBifrostTuples = 24, kBifrostTextures = 2, kValhallArithmetic = 64, kValhallTextures = 4;

bool is_message(InstructionKind kind) {
  return kind == InstructionKind::Texture || kind == InstructionKind::Memory ||
         kind == InstructionKind::Scratch;
}

/// Private memory is addressed in the segment "tl", for thread local.
bool is_thread_local(std::string_view line) {
  return line.find(".tl") != std::string_view::npos || line.find("thread_local") != std::string_view::npos;
}

InstructionKind kind_of_mali(std::string_view name, std::string_view line) {
  static constexpr std::string_view kProducts[] = {"FMA", "FMUL"};
  static constexpr std::string_view kTextures[] = {"TEX", "LD_TEX", "VAR_TEX"};
  static constexpr std::string_view kMemory[] = {"LOAD",     "STORE",   "LD_",     "ST_",
                                                 "LEA_ATTR", "LEA_TEX", "LEA_BUF", "ATOM",
                                                 "ACMPXCHG", "AXCHG",   "LEA_PKA"};
  static constexpr std::string_view kControl[] = {"BRANCH", "JUMP", "BARRIER", "DISCARD", "WMASK"};
  static constexpr std::string_view kMoves[] = {
      "MOV",    "MKVEC",  "SWZ",    "DTSEL", "COLLECT", "SPLIT",    "F32_TO",   "F16_TO",   "S32_TO",
      "U32_TO", "U16_TO", "S16_TO", "U8_TO", "S8_TO",   "V2F16_TO", "V2F32_TO", "V2S16_TO", "V2U16_TO"};
  static constexpr std::string_view kFloats[] = {"FADD", "FMAX",  "FMIN",   "FROUND", "FRCP",
                                                 "FRSQ", "FEXP",  "FLOG",   "FCMP",   "FSIN",
                                                 "FCOS", "FREXP", "FCLAMP", "LDEXP"};
  if (name.starts_with("NOP")) return InstructionKind::Idle;
  if (starts_with_any(name, kProducts)) return InstructionKind::MultiplyAdd;
  if (starts_with_any(name, kTextures)) return InstructionKind::Texture;
  if (starts_with_any(name, kMemory))
    return is_thread_local(line) ? InstructionKind::Scratch : InstructionKind::Memory;
  if (starts_with_any(name, kControl)) return InstructionKind::Control;
  if (starts_with_any(name, kMoves)) return InstructionKind::Move;
  return starts_with_any(name, kFloats) ? InstructionKind::Float : InstructionKind::Integer;
}

Instruction instruction_of(InstructionKind kind, double arithmetic, double textures) {
  Instruction result{.kind = kind};
  if (kind == InstructionKind::Texture) {
    result.unit = MachineUnit::Texture;
    result.cycles = 1 / textures;
  } else if (is_message(kind)) {
    result.unit = MachineUnit::Memory;
    result.cycles = 1;
  } else {
    result.cycles = 1 / arithmetic;
  }
  return result;
}

/// Reads the lines of one kernel; the last code before the figures counts.
class MaliReader {
 public:
  void read(std::string_view line) {
    if (line.starts_with("clause_")) {
      const std::string label(line.substr(0, line.find(':')));
      if (label == "clause_0") restart();
      is_bifrost_ = true;
      labels_[label] = code_.instructions.size();
      return;
    }
    if (is_bifrost_) {
      read_bifrost(line);
      return;
    }
    if (line.starts_with('}') || line.starts_with("block")) restart();
    if (line.starts_with("   ") && line.size() > 3 && line[3] >= 'A' && line[3] <= 'Z')
      read_valhall(line.substr(3));
  }

  MachineCode take() {
    code_.registers = static_cast<int>(registers_.size());
    normalize_loops(code_);
    return std::move(code_);
  }

 private:
  void restart() {
    code_ = {};
    labels_.clear();
    registers_.clear();
    multiplier_ = std::nullopt;
    is_bifrost_ = false;
  }

  /// A tuple is one instruction of arithmetic, unless all that it does is to send a message.
  void read_bifrost(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin == std::string_view::npos || (line[begin] != '*' && line[begin] != '+')) return;
    const bool is_first = line[begin] == '*';
    const std::string_view text = line.substr(begin + 1), name = text.substr(0, text.find(' '));
    note_registers(text);
    const InstructionKind kind = kind_of_mali(name, text);
    Instruction instruction = instruction_of(kind, kBifrostTuples, kBifrostTextures);
    if (is_first) {
      multiplier_ = kind;
      if (kind == InstructionKind::Idle) instruction.cycles = 0;
    } else if (!is_message(kind) && multiplier_ != InstructionKind::Idle) {
      instruction.cycles = 0;  // counted with the first of the tuple
    }
    code_.instructions.push_back(instruction);
    if (kind != InstructionKind::Control) return;
    const std::size_t target = text.rfind("clause_");
    if (target == std::string_view::npos) return;
    const auto label = labels_.find(std::string(text.substr(target)));
    if (label != labels_.end()) code_.loops.push_back({label->second, code_.instructions.size()});
  }

  void read_valhall(std::string_view text) {
    const std::string_view name = text.substr(0, text.find_first_of(" ."));
    note_registers(text);
    const InstructionKind kind = kind_of_mali(name, text);
    code_.instructions.push_back(instruction_of(kind, kValhallArithmetic, kValhallTextures));
    const std::size_t offset = text.find("offset:-");
    if (kind != InstructionKind::Control || offset == std::string_view::npos) return;
    const auto back = static_cast<std::size_t>(std::stoul(std::string(text.substr(offset + 8))));
    const std::size_t end = code_.instructions.size();
    if (back <= end) code_.loops.push_back({end - back, end});
  }

  void note_registers(std::string_view text) {
    for (std::size_t at = text.find('r'); at != std::string_view::npos; at = text.find('r', at + 1)) {
      const bool begins = at == 0 || std::string_view(" @^:").find(text[at - 1]) != std::string_view::npos;
      if (!begins || at + 1 >= text.size() || text[at + 1] < '0' || text[at + 1] > '9') continue;
      registers_.insert(std::stoi(std::string(text.substr(at + 1, 3))));
    }
  }

  MachineCode code_;
  std::map<std::string, std::size_t> labels_;
  std::set<int> registers_;
  std::optional<InstructionKind> multiplier_;
  bool is_bifrost_ = false;
};

}  // namespace

std::vector<MachineCode> read_mali(const std::vector<std::string>& lines,
                                   const std::vector<std::string>& names) {
  static const std::regex kThreads("([0-9]+) threads"), kSpills("([0-9]+):([0-9]+) spills:fills");
  std::vector<MachineCode> kernels;
  MaliReader reader;
  for (const std::string& line : lines) {
    if (!line.starts_with("SHADER-DB: MESA_SHADER_KERNEL")) {
      reader.read(line);
      continue;
    }
    kernels.push_back(reader.take());
    reader = {};
    MachineCode& code = kernels.back();
    if (kernels.size() <= names.size()) code.kernel = names[kernels.size() - 1];
    std::smatch match;
    if (std::regex_search(line, match, kThreads)) code.waves = std::stoi(match[1]);
    if (std::regex_search(line, match, kSpills)) code.spills = std::stoi(match[1]) + std::stoi(match[2]);
  }
  return kernels;
}

}  // namespace tensordsl::bench
