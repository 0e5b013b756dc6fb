#include "backends/cuda_graphs/portable_ptx.h"

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

}  // namespace

bool has_constant_arguments(std::string_view ptx) {
  return ptx.find(".ptr .const") != std::string_view::npos;
}

std::string portable_ptx(std::string_view ptx) {
  std::string result;
  while (!ptx.empty()) {
    const auto end = std::min(ptx.find('\n'), ptx.size());
    result += portable_line(ptx.substr(0, end));
    if (end < ptx.size()) result += '\n';
    ptx.remove_prefix(std::min(end + 1, ptx.size()));
  }
  // The driver hands it over with its final zero.
  while (!result.empty() && result.back() == '\0') result.pop_back();
  return result;
}

}  // namespace tensordsl::cuda
