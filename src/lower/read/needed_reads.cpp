#include "lower/read/needed_reads.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "ir/analyze/guarded_reads.h"
#include "ir/nodes/substitute.h"
#include "ir/simplify/simplify.h"
#include "lower/analyze/own_reads.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// Follows each read from the output to the Inputs, under the conditions on the way.
class NeededReads {
 public:
  NeededReads(const std::vector<Producer>& producers, const std::vector<FunctionPtr>& functions)
      : producers_(producers), functions_(functions) {}

  bool run() {
    for (const Producer& p : producers_) {
      if (!p.is_output) continue;
      const std::vector<Expr> extents = output_extents(*p.function);
      IndexRanges ranges(Factors::Any);
      std::vector<Expr> element;
      for (std::size_t d = 0; d < extents.size(); ++d) {
        element.push_back(fresh(p.function->dims[d]));
        ranges = ranges.with(element.back()->name, {Expr(0), simplify(extents[d] - 1)});
      }
      follow(p, element, ranges);
    }
    return is_inside_;
  }

 private:
  /// Returns a variable with a fresh name.
  Expr fresh(const std::string& name) { return make_var(fmt::format("{}.{}", name, ++variables_)); }

  /// Follows the reads that an element depends on.
  void follow(const Producer& producer, const std::vector<Expr>& element, const IndexRanges& ranges) {
    // A chain of stencils reads its first Func along many paths.
    constexpr int kMaxElements = 500;
    is_inside_ = is_inside_ && ++elements_ <= kMaxElements;
    for (const Definition& definition : producer.definitions) {
      if (!is_inside_) return;
      is_inside_ = reads_own_element_only(definition, producer.function->name);
      follow(producer, definition, element, ranges);
    }
  }

  void follow(const Producer& producer, const Definition& definition, const std::vector<Expr>& element,
              const IndexRanges& ranges) {
    const std::vector<std::string>& dims = producer.function->dims;
    Substitution values = producer.params;
    for (std::size_t d = 0; d < dims.size(); ++d) values[dims[d]] = element[d];
    IndexRanges there = ranges;
    for (const ReductionAxis& axis : definition.domain) {
      const Expr variable = values[axis.name] = fresh(axis.name);
      there = there.with(variable->name, {axis.min, simplify(axis.min + axis.extent - 1)});
    }
    const auto assume = [&](const Expr& condition) {
      const auto narrowed = there.assuming(condition, true);
      if (narrowed) there = *narrowed;
      return narrowed.has_value();
    };
    if (definition.predicate.defined()) {
      const Expr predicate = substitute(definition.predicate, values);
      find_reads(producer, predicate, there);
      if (!assume(predicate)) return;
    }
    std::vector<Expr> written;
    for (const Expr& arg : definition.args) {
      written.push_back(substitute(arg, values));
      find_reads(producer, written.back(), there);
    }
    for (std::size_t d = 0; d < dims.size(); ++d) {
      const bool may_be_it = same(written[d], element[d]) || assume(written[d] == element[d]);
      if (!may_be_it) return;
    }
    for (const Expr& value : definition.values) find_reads(producer, substitute(value, values), there);
  }

  void find_reads(const Producer& reader, const Expr& expr, const IndexRanges& ranges) {
    GuardedReads<IndexRanges> reads(
        [&](const Expr& e) { return e->kind == ExprKind::Load && e->name != reader.function->name; },
        [&](const Expr& read, const IndexRanges& there) { follow_read(read, there); });
    reads.find(expr, ranges);
  }

  void follow_read(const Expr& read, const IndexRanges& there) {
    if (!is_inside_) return;
    const auto producer =
        std::ranges::find_if(producers_, [&](const Producer& p) { return p.function->name == read->name; });
    if (producer == producers_.end()) return check_input(read, there);
    std::vector<Expr> element;
    for (const Expr& index : read->operands) element.push_back(simplify(index));
    follow(*producer, element, there);
  }

  void check_input(const Expr& read, const IndexRanges& there) {
    const auto input =
        std::ranges::find_if(functions_, [&](const FunctionPtr& f) { return f->name == read->name; });
    for (std::size_t d = 0; d < read->operands.size(); ++d) {
      const auto [low, high] = there.interval((*read)[d]);
      const Expr& extent = (*input)->shape[d];
      const bool is_empty = low.defined() && high.defined() && can_prove(high < low);
      if (is_empty) return;  // the conditions on the way never hold together
      is_inside_ = is_inside_ && low.defined() && high.defined() && can_prove(Expr(0) <= low) &&
                   can_prove(high < extent);
    }
  }

  const std::vector<Producer>& producers_;
  const std::vector<FunctionPtr>& functions_;
  bool is_inside_ = true;
  int elements_ = 0, variables_ = 0;
};

}  // namespace

bool needs_inside_only(const std::vector<Producer>& producers, const std::vector<FunctionPtr>& functions) {
  return NeededReads(producers, functions).run();
}

}  // namespace tensordsl::lower
