#include "ir/analyze/linear_system.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "base/arithmetic.h"

namespace tensordsl::ir {
namespace {

constexpr std::int64_t kLargestNumber = std::int64_t{1} << 31;
constexpr std::size_t kMaxRows = 64;

/// form + wanted*(the sum in question) >= 0
struct Row {
  LinearForm form;
  std::int64_t wanted = 0;
};

/// Returns an equivalent row with the smallest numbers, none of whose values lies between two integers.
Row reduced_row(Row row) {
  const std::int64_t divisor = std::gcd(row.form.common_divisor(), row.wanted);
  if (divisor <= 1) return row;
  row.form.constant = floor_div(row.form.constant, divisor) * divisor;
  return {exact_quotient(row.form, divisor), row.wanted / divisor};
}

bool is_small(const Row& row) {
  return std::abs(row.wanted) < kLargestNumber && std::abs(row.form.constant) < kLargestNumber &&
         std::ranges::all_of(row.form.terms(),
                             [](const Term& t) { return std::abs(t.coefficient) < kLargestNumber; });
}

bool has_same_terms(const Row& a, const Row& b) {
  return a.wanted == b.wanted &&
         std::ranges::equal(a.form.terms(), b.form.terms(), [](const Term& s, const Term& t) {
           return s.coefficient == t.coefficient && same(s.atom, t.atom);
         });
}

class System {
 public:
  void add(Row row) {
    if (!is_small(row)) return;
    row = reduced_row(std::move(row));
    if (row.form.is_constant() && row.wanted == 0) return;
    for (Row& other : rows_) {
      if (!has_same_terms(other, row)) continue;
      other.form.constant = std::min(other.form.constant, row.form.constant);
      return;
    }
    if (rows_.size() < kMaxRows) rows_.push_back(std::move(row));
  }

  void eliminate(std::vector<Expr> atoms) {
    while (!atoms.empty()) {
      const auto cheapest = std::ranges::min_element(atoms, {}, [&](const Expr& a) { return pairs(a); });
      eliminate(*cheapest);
      atoms.erase(cheapest);
    }
  }

  const std::vector<Row>& rows() const { return rows_; }

 private:
  /// Returns the number of rows that the elimination of an atom makes.
  std::size_t pairs(const Expr& atom) const {
    const auto count = [&](bool is_positive) {
      return static_cast<std::size_t>(std::ranges::count_if(rows_, [&](const Row& row) {
        const std::int64_t k = row.form.coefficient_of(atom);
        return is_positive ? k > 0 : k < 0;
      }));
    };
    return count(true) * count(false);
  }

  /// Each row that bounds the atom from below, with each that bounds it from above.
  void eliminate(const Expr& atom) {
    std::vector<Row> below, above, others;
    for (Row& row : rows_) {
      const std::int64_t k = row.form.coefficient_of(atom);
      (k == 0 ? others : k > 0 ? below : above).push_back(std::move(row));
    }
    rows_ = std::move(others);
    for (const Row& low : below) {
      for (const Row& high : above) {
        const std::int64_t a = low.form.coefficient_of(atom), b = -high.form.coefficient_of(atom);
        const std::int64_t divisor = std::gcd(a, b);
        const std::int64_t of_low = b / divisor, of_high = a / divisor;
        add({low.form * of_low + high.form * of_high, low.wanted * of_low + high.wanted * of_high});
      }
    }
  }

  std::vector<Row> rows_;
};

}  // namespace

LinearBounds bounds_of(const LinearForm& sum, const std::vector<LinearForm>& not_negative,
                       std::vector<Expr> eliminated) {
  System system;
  system.add({sum, -1});
  system.add({sum * -1, 1});
  for (const LinearForm& form : not_negative) system.add({form, 0});
  system.eliminate(std::move(eliminated));
  LinearBounds result;
  for (const Row& row : system.rows()) {
    if (row.wanted > 0) result.low.push_back({row.form * -1, row.wanted});
    if (row.wanted < 0) result.high.push_back({row.form, -row.wanted});
  }
  return result;
}

}  // namespace tensordsl::ir
