// Passes tested text in, text out.
#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/text/parse.h"
#include "ir/text/print.h"
#include "lower/place/inline_functions.h"
#include "lower/stages.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl::lower {

inline std::string text_of(const ir::Stmt& stmt) {
  return stmt.defined() ? "\n" + ir::print(stmt) : "nothing";
}

/// Spaces and line breaks in `text` are free.
inline std::string normalized(std::string_view text) { return text_of(ir::parse_stmt(text)); }

/// `pass` turns `before` into `after`.
template <typename Pass>
void check_pass(Pass pass, std::string_view before, std::string_view after) {
  CHECK(text_of(pass(ir::parse_stmt(before))) == normalized(after));
}

/// Checks that `pass` does not change `stmt`.
template <typename Pass>
void check_unchanged(Pass pass, std::string_view stmt) {
  check_pass(pass, stmt, stmt);
}

/// Returns the text of the E that `f` throws.
template <typename E, typename F>
std::string error_of(F f) {
  try {
    f();
  } catch (const E& error) {
    return error.what();
  }
  return "no error";
}

/// "[0, 8) x [y - 1, y + 2)"
inline std::string text_of(const std::optional<Box>& box) {
  if (!box) return "nothing";
  std::vector<std::string> ranges;
  for (const Range& r : *box) {
    ranges.push_back(fmt::format("[{}, +{})", ir::print(r.min), ir::print(r.extent)));
  }
  return fmt::format("{}", fmt::join(ranges, " x "));
}

/// The Producer of a Func.
inline Producer producer_of(const Func& f) {
  return inline_functions(ir::reachable(f.shared()), {f.shared()}).back();
}

}  // namespace tensordsl::lower
