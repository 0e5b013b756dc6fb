#include "runtime/values/check_requirements.h"

#include <fmt/format.h>
#include <algorithm>

#include <array>

#include "base/index_limit.h"
#include "runtime/values/evaluate.h"
#include "tensordsl/error.h"

namespace tensordsl::runtime {

namespace {

void check(const FactorRequirement& f, const ParamValues& values) {
  if (evaluate(f.when, values) == 0) return;
  const std::int64_t value = evaluate(SizeExpr::param(f.param), values);
  if (value >= f.least) return;
  throw ShapeError(fmt::format(
      "realize: {} reads {} at an index that is {} the Param \"{}\", which is {}; pass {} or more", f.reader,
      f.tensor, f.least == 0 ? "a multiple of" : "taken modulo", f.param, value, f.least));
}

void check(const ReadRequirement& r, const ParamValues& values) {
  if (evaluate(r.when, values) == 0) return;
  const std::int64_t begin = evaluate(r.begin, values), end = evaluate(r.end, values);
  if (r.dimension < 0) {
    if (begin == end) return;
    throw ShapeError(fmt::format(
        "run: {} is {} with these inputs, but the model was compiled for {}; compile it for these inputs",
        r.tensor, begin, end));
  }
  const std::int64_t extent = evaluate(r.extent, values);
  if (end <= begin || (begin >= 0 && end <= extent)) return;
  if (r.axis.empty()) {
    throw ShapeError(fmt::format(
        "realize: {} needs {} in dimension {} of {}, which has {}; pass a larger one", r.reader,
        begin == 0 ? fmt::format("{} elements", end) : fmt::format("the elements [{}, {})", begin, end),
        r.dimension, r.tensor, extent));
  }
  const std::string_view remedy =
      r.is_input ? "pass a larger one, compute less, clamp the index, or use a BoundaryCondition"
                 : "enlarge its bound() or the requested shape, or drop them";
  throw ShapeError(
      fmt::format("realize: {} reads {} at [{}, {}) of dimension {} ({}), but its extent is {}; {}", r.reader,
                  r.tensor, begin, end, r.dimension, r.axis, extent, remedy));
}

}  // namespace

void check_requirements(const Program& program, const RunValues& values, std::vector<bool>& checked) {
  const std::size_t factors = program.factors.size();
  checked.resize(factors + program.requirements.size());
  for (std::size_t i = 0; i < checked.size(); ++i) {
    if (checked[i]) continue;
    if (i < factors) {
      const FactorRequirement& f = program.factors[i];
      if (!values.is_known(f.when) || !values.is_known(SizeExpr::param(f.param))) continue;
      check(f, values.known());
    } else {
      const ReadRequirement& r = program.requirements[i - factors];
      if (!values.is_known(std::array{r.when, r.begin, r.end, r.extent})) continue;
      check(r, values.known());
    }
    checked[i] = true;
  }
}

void check_requirements(const Program& program, const ParamValues& values) {
  std::vector<bool> checked;
  check_requirements(program, RunValues(program, values), checked);
}

std::vector<std::size_t> requirements_over(const Program& program, const std::string& param) {
  std::vector<std::size_t> places;
  const auto note = [&](std::size_t place, std::initializer_list<SizeExpr> sizes) {
    bool has_param = false;
    for (const SizeExpr& size : sizes) has_param = has_param || std::ranges::count(names_in(size), param) > 0;
    if (has_param) places.push_back(place);
  };
  for (std::size_t i = 0; i < program.factors.size(); ++i)
    note(i, {program.factors[i].when, SizeExpr::param(program.factors[i].param)});
  for (std::size_t i = 0; i < program.requirements.size(); ++i) {
    const ReadRequirement& r = program.requirements[i];
    note(program.factors.size() + i, {r.when, r.begin, r.end, r.extent});
  }
  return places;
}

void require_extent(const std::string& tensor, int dimension, std::int64_t extent, const std::string& as) {
  if (extent >= 0 && extent <= kMaxElements) return;
  throw ShapeError(fmt::format("realize: the extent of {} in dimension {}{} is {}; it must be from 0 to {}",
                               tensor, dimension, as.empty() ? "" : ", " + as + ",", extent, kMaxElements));
}

}  // namespace tensordsl::runtime
