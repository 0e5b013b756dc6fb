#include "generator/launcher_symbols.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "base/cpp_text.h"
#include "generator/host_expression.h"
#include "ir/nodes/size_conversion.h"

namespace tensordsl::generator {
namespace {

/// True for names that headers may define as macros: NULL, EOF, SIZE_MAX, CL_SUCCESS, ...
bool is_macro(const std::string& name) {
  const auto upper = std::ranges::count_if(name, [](char c) { return c >= 'A' && c <= 'Z'; });
  const auto lower = std::ranges::count_if(name, [](char c) { return c >= 'a' && c <= 'z'; });
  return name.starts_with("cl_") || name.ends_with("_t") || (upper > 2 && lower == 0);
}

/// Words of the header itself.
bool is_taken(const std::string& name) {
  static constexpr std::string_view kWords[] = {
      "Launcher", "Memory", "Params", "after",      "chain",    "context", "context_", "detail",
      "device",   "done",   "i",      "k",          "kernels_", "main",    "options",  "params",
      "params_",  "queue",  "run",    "set_params", "source",   "std",     "storage",  "stored",
      "times",    "values", "wide",   "floor_div",  "floor_mod"};
  return is_cpp_word(name) || is_macro(name) || std::ranges::find(kWords, name) != std::end(kWords);
}

bool is_taken_in_params(const std::string& name) { return is_cpp_word(name) || is_macro(name); }

}  // namespace

LauncherSymbols::LauncherSymbols(const Program& program) : tensors_(is_taken), params_(is_taken_in_params) {
  for (const Program::Param& p : program.params) params_.variable(p.name);
  for (const Program::Tensor& t : program.tensors) tensors_.buffer(t.name);
}

std::string LauncherSymbols::number(const SizeExpr& size) {
  return host_expression(ir::to_expr(size), [&](const std::string& name) {
    return fmt::format("detail::wide(params_.{})", of_param(name));
  });
}

std::string host_type(Type type) {
  if (type.is_bool()) return "std::uint8_t";
  if (type.is_float()) return type.bits == 16 ? "cl_half" : type.bits == 64 ? "double" : "float";
  return fmt::format("std::{}int{}_t", type.is_uint() ? "u" : "", type.bits);
}

std::string comment_text(std::string text) {
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < ' ' || c == '\\'; }, '?');
  return text;
}

}  // namespace tensordsl::generator
