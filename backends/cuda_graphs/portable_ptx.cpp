#include "backends/cuda_graphs/portable_ptx.h"

#include <algorithm>
#include <cctype>

namespace tensordsl::cuda {
namespace {

constexpr std::string_view kRegister = "%envreg", kMode = ", texmode_independent", kTarget = ".target";

std::string portable_line(std::string_view line) {
  std::string result(line);
  if (result.find(kTarget) != std::string::npos) {
    if (const auto at = result.find(kMode); at != std::string::npos) result.erase(at, kMode.size());
  }
  for (auto at = result.find(kRegister); at != std::string::npos; at = result.find(kRegister, at)) {
    auto end = at + kRegister.size();
    while (end < result.size() && std::isdigit(static_cast<unsigned char>(result[end])) != 0) ++end;
    result.replace(at, end - at, "0");
  }
  return result;
}

/// Returns the number in the line ".target sm_90, ..."; 0 if there is none.
int target_of(std::string_view ptx) {
  constexpr std::string_view kFirst = ".target sm_";
  const auto at = ptx.find(kFirst);
  int target = 0;
  for (auto i = at == std::string_view::npos ? ptx.size() : at + kFirst.size();
       i < ptx.size() && std::isdigit(static_cast<unsigned char>(ptx[i])) != 0; ++i)
    target = 10 * target + (ptx[i] - '0');
  return target;
}

/// Calls visit(line, has_end) for each.
template <typename F>
void for_each_line(std::string_view text, F visit) {
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    visit(text.substr(0, end), end < text.size());
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// True for an instruction: not a declaration, a directive, a bracket, a comment or an empty line.
bool is_instruction(std::string_view line) {
  const auto at = line.find_first_not_of(" \t");
  if (at == std::string_view::npos) return false;
  const char first = line[at];
  return std::isalpha(static_cast<unsigned char>(first)) != 0 || first == '@' || first == '$' || first == '%';
}

}  // namespace

std::string with_early_start(std::string_view ptx) {
  constexpr int kFirstTarget = 90;
  if (target_of(ptx) < kFirstTarget) return std::string(ptx);
  std::string result;
  bool is_at_beginning = false;  // true at the beginning of a kernel
  for_each_line(ptx, [&](std::string_view line, bool has_end) {
    if (line.find(".entry ") != std::string_view::npos) {
      is_at_beginning = true;
    } else if (is_at_beginning && is_instruction(line)) {
      result += "\tgriddepcontrol.wait;\n";
      is_at_beginning = false;
    }
    result += line;
    if (has_end) result += '\n';
  });
  return result;
}

bool has_constant_arguments(std::string_view ptx) {
  return ptx.find(".ptr .const") != std::string_view::npos;
}

std::string portable_ptx(std::string_view ptx) {
  std::string result;
  for_each_line(ptx, [&](std::string_view line, bool has_end) {
    result += portable_line(line);
    if (has_end) result += '\n';
  });
  // The driver hands it over with its final zero.
  while (!result.empty() && result.back() == '\0') result.pop_back();
  return result;
}

}  // namespace tensordsl::cuda
