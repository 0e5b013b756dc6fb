#include "classify/padding.h"

#include <algorithm>
#include <limits>

#include "ir/nodes/expr_node.h"
#include "ir/nodes/linear_form.h"
#include "ir/simplify/simplify.h"

namespace tensordsl::classify {

using namespace ir;

namespace {

constexpr std::int64_t kOpen = std::numeric_limits<std::int64_t>::max();

/// Returns the ranges of the dimensions. An extent of 1 gets a range of two, so that its variable stays in
/// the indices.
Bounds bounds_within(const Function& function, const std::vector<Expr>& extents) {
  Bounds bounds;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    const std::int64_t* extent = as_int(extents[d]);
    bounds.insert_or_assign(function.dims[d],
                            Interval{0, extent ? std::max<std::int64_t>(*extent - 1, 1) : kOpen});
  }
  return bounds;
}

/// Returns the constant value of a form; nullopt if it is not constant.
std::optional<std::int64_t> number(const LinearForm& form) {
  return form.is_constant() ? std::optional(form.constant) : std::nullopt;
}

LinearForm form_of(const Expr& extent) { return LinearForm(simplify(unmarked(extent))); }

class Reader {
 public:
  Reader(const Function& function, const std::vector<Expr>& source, const std::vector<Expr>& extents)
      : function_(function), source_(source), extents_(extents) {}

  std::optional<Padding> run() {
    if (function_.definitions.size() != 1 || function_.is_tuple()) return std::nullopt;
    const Expr value =
        simplify(unmarked(function_.definitions[0].value()), bounds_within(function_, extents_));
    if (value->kind != ExprKind::Select || !is_const((*value)[2])) return std::nullopt;
    const Expr& read = (*value)[1];
    if (read->kind != ExprKind::Call || !read->function || read->component != kWhole) return std::nullopt;
    if (read->operands.size() != function_.dims.size() || source_.size() != function_.dims.size())
      return std::nullopt;
    Padding result{read->function, {}, {}, (*value)[2]};
    for (std::size_t d = 0; d < read->operands.size(); ++d) {
      const Expr place = without_limits(read->operands[d], source_[d]);
      is_limited_.push_back(!same(place, read->operands[d]));
      const auto offset = number(LinearForm(place) - LinearForm(dim(d)));
      if (!offset) return std::nullopt;
      result.offsets.push_back(*offset);
    }
    offsets_ = &result.offsets;
    tests_low_.assign(source_.size(), false);
    tests_high_.assign(source_.size(), false);
    if (!read_tests((*value)[0])) return std::nullopt;
    for (std::size_t d = 0; d < source_.size(); ++d) {
      result.has_border.push_back(tests_low_[d] || tests_high_[d]);
      if (result.has_border[d] ? !is_whole_border(d) : is_limited_[d]) return std::nullopt;
    }
    return result;
  }

 private:
  Expr dim(std::size_t d) const { return make_var(function_.dims[d]); }

  /// Rewrites min(max(place, 0), extent - 1) to place, which the tests keep inside; for an open extent the
  /// simplifier cannot do so.
  static Expr without_limits(const Expr& index, const Expr& extent) {
    if (index->kind != ExprKind::Min && index->kind != ExprKind::Max) return index;
    for (std::size_t side = 0; side < 2; ++side) {
      LinearForm limit = LinearForm((*index)[side]);
      if (index->kind == ExprKind::Min) limit = limit - form_of(extent) + LinearForm(1);
      if (number(limit) == 0) return without_limits((*index)[1 - side], extent);
    }
    return index;
  }

  /// Reads 0 <= place && place < extent && ..; each test is of a dimension's index in the source. False if
  /// the condition has other tests.
  bool read_tests(const Expr& test) {
    if (test->kind == ExprKind::And) return read_tests((*test)[0]) && read_tests((*test)[1]);
    if (test->kind != ExprKind::Le && test->kind != ExprKind::Lt) return false;
    LinearForm room = LinearForm((*test)[1]) - LinearForm((*test)[0]);  // that must not be below 0
    if (test->kind == ExprKind::Lt) room.constant -= 1;
    for (std::size_t d = 0; d < source_.size(); ++d) {
      const LinearForm place = LinearForm(dim(d)) + LinearForm((*offsets_)[d]);
      if (number(room - place) == 0) return tests_low_[d] = true;
      if (number(room + place - form_of(source_[d])) == -1) return tests_high_[d] = true;
    }
    return false;
  }

  /// True if a test that is absent would always hold.
  bool is_whole_border(std::size_t d) const {
    if (tests_low_[d] && tests_high_[d]) return true;
    if (extents_.empty()) return false;
    if (tests_high_[d]) return (*offsets_)[d] >= 0;
    const auto rest = number(form_of(source_[d]) - form_of(extents_[d]));
    return rest && *rest >= (*offsets_)[d];
  }

  const Function& function_;
  const std::vector<Expr>&source_, &extents_;
  const std::vector<std::int64_t>* offsets_ = nullptr;
  std::vector<bool> tests_low_, tests_high_, is_limited_;
};

}  // namespace

std::optional<Padding> padding_of(const Function& function, const std::vector<Expr>& source_extents,
                                  const std::vector<Expr>& extents) {
  return Reader(function, source_extents, extents).run();
}

std::optional<Padding> composed(const Padding& outer, const Padding& inner, const std::vector<Expr>& extents,
                                const std::vector<Expr>& source_extents) {
  if (!same(outer.value, inner.value)) return std::nullopt;
  Padding result = inner;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    // Every index outside the intermediate tensor must be outside the source too.
    const auto behind = number(form_of(extents[d]) - form_of(source_extents[d]));
    const bool leaves_out = inner.offsets[d] > 0 || !behind || *behind + inner.offsets[d] < 0;
    if (outer.has_border[d] && leaves_out) return std::nullopt;
    result.offsets[d] += outer.offsets[d];
    result.has_border[d] = outer.has_border[d] || inner.has_border[d];
  }
  return result;
}

}  // namespace tensordsl::classify
