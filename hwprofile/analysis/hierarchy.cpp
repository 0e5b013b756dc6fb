#include "hwprofile/analysis/hierarchy.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "tensordsl/error.h"

namespace tensordsl::hwprofile {
namespace {

constexpr std::size_t kMaxLevels = 5;      // with memory
constexpr double kModelError = 0.02;       // error of the laws themselves, which more samples do not reduce
constexpr double kLeastCost = 0.02;        // smallest plausible cost, relative to the median
constexpr double kLeastJump = 1.15;        // smallest ratio of the costs of neighboring levels
constexpr double kLeastRatio = 2.5;        // smallest ratio of their capacities
constexpr double kMaxWidth = 1.15 * 1.15;  // largest interval of a confident capacity
constexpr double kWithin95 = 1.96;
constexpr double kFine = 1.07;  // ratio of neighboring capacities that are tried

/// Growth of the cost of an access beyond a capacity: from 0 to 1.
struct Law {
  enum class Kind { Abrupt, Gradual, Scattered };
  double capacity;
  double next;  // for an abrupt law: the next larger footprint; the capacity is between
  Kind kind;
  int ways = 0;  // ways of a scattered law

  bool is_abrupt() const { return kind == Kind::Abrupt; }

  /// The capacities that it stands for: those up to halfway to the next law of its kind.
  std::array<double, 2> reach() const {
    const double half = std::sqrt(kFine);
    return is_abrupt() ? std::array{capacity, next} : std::array{capacity / half, capacity * half};
  }

  double at(double footprint) const {
    switch (kind) {
      case Kind::Abrupt:
        return footprint > capacity ? 1 : 0;
      case Kind::Gradual:
        return std::max(0.0, 1 - capacity / footprint);
      case Kind::Scattered:
        return share_in_full_sets(ways * footprint / capacity);
    }
    throw InternalError("unknown kind of law");
  }

  /// Returns the share of lines that fall into a set with at least as many others as it has ways: the tail of
  /// a Poisson distribution of that mean.
  double share_in_full_sets(double mean) const {
    double fewer = 0, term = std::exp(-mean);
    for (int k = 0; k < ways; ++k) {
      fewer += term;
      term *= mean / (k + 1);
    }
    return std::max(0.0, 1 - fewer);
  }
};

/// A base cost and the steps beyond some laws, by weighted least squares.
struct Fit {
  std::array<std::size_t, kMaxLevels - 1> laws{};  // ascending in their capacities
  std::size_t count = 0;                           // number of laws
  std::array<double, kMaxLevels> steps{};          // the base cost, then the cost that each law adds
  double misfit = 0;                               // sum of squares over the variances

  Fit with(std::size_t law) const {
    Fit more = *this;
    more.laws[more.count++] = law;
    return more;
  }
  Fit with_in_place_of(std::size_t k, std::size_t law) const {
    Fit other = *this;
    other.laws[k] = law;
    return other;
  }
};

class Fitter {
 public:
  explicit Fitter(const Sweep& sweep) : points_(sweep.points) {
    for (const Estimate& e : estimates(sweep)) costs_.push_back(e.median);
    // Noise of a median, whose variance is pi/2 times that of the mean.
    const double noise = relative_noise(sweep) * std::sqrt(1.5708 / static_cast<double>(sweep.rounds.size()));
    const double relative = std::hypot(noise, kModelError);
    // A cost far below the others is a mistake of the clock, and must not outweigh them all.
    const double least = kLeastCost * estimate(costs_).median;
    for (const double c : costs_) weights_.push_back(std::pow(relative * std::max(c, least), -2));
    add_laws();
    tabulate();
  }

  /// The simplest fit that one more level does not make much better.
  Fit best() const {
    Fit fit = *solve(Fit());
    // Price of two more parameters, one of them chosen among all footprints.
    const double price = 12 + 3 * std::log(static_cast<double>(points_.size()));
    while (fit.count + 1 < kMaxLevels) {
      const auto more = with_one_more(fit);
      if (!more || fit.misfit - more->misfit < price * excess(*more)) break;
      fit = *more;
    }
    return fit;
  }

  /// Returns the range of capacities that fit about as well as the capacity of law `k`.
  std::array<double, 2> capacities_like(const Fit& fit, std::size_t k) const {
    const Law& chosen = laws_[fit.laws[k]];
    std::array<double, 2> range = chosen.reach();
    for (std::size_t other = 0; other < laws_.size(); ++other) {
      const auto like = solve(fit.with_in_place_of(k, other));
      if (!like || like->misfit > fit.misfit + kWithin95 * kWithin95 * excess(fit)) continue;
      const auto reach = laws_[other].reach();
      range = {std::min(range[0], reach[0]), std::max(range[1], reach[1])};
    }
    return range;
  }

  /// Returns the ratio of the points' distance from the laws to their noise, at least 1: a deviation that no
  /// law explains makes every result less certain.
  double excess(const Fit& fit) const {
    const double freedom = static_cast<double>(points_.size()) - 2 * static_cast<double>(fit.count) - 1;
    return std::max(1.0, fit.misfit / std::max(freedom, 1.0));
  }

  /// Standard errors of the steps: the diagonal of the inverse of the normal equations.
  std::array<double, kMaxLevels> errors(const Fit& fit) const {
    std::array<double, kMaxLevels> result{};
    const Factor factor = factored(fit);
    for (std::size_t i = 0; i <= fit.count; ++i) {
      std::array<double, kMaxLevels> unit{};
      unit[i] = 1;
      result[i] = std::sqrt(std::max(solved(factor, fit.count + 1, unit)[i], 0.0) * excess(fit));
    }
    return result;
  }

  double capacity(std::size_t law) const {
    return laws_[law].is_abrupt() ? std::sqrt(laws_[law].capacity * laws_[law].next) : laws_[law].capacity;
  }
  double largest() const { return points_.back(); }

 private:
  void add_laws() {
    for (std::size_t i = 0; i + 1 < points_.size(); ++i) {
      laws_.push_back({points_[i], points_[i + 1], Law::Kind::Abrupt});
      // A capacity with two points or more beyond it, to distinguish the law's slope from one outlier.
      for (double c = points_[i]; c < points_[i + 1] && i + 3 < points_.size(); c *= kFine) {
        laws_.push_back({c, c, Law::Kind::Gradual});
        for (const int ways : {8, 16, 32}) laws_.push_back({c, c, Law::Kind::Scattered, ways});
      }
    }
    std::stable_sort(laws_.begin(), laws_.end(),
                     [](const Law& a, const Law& b) { return a.capacity < b.capacity; });
  }

  /// Computes the values of a constant and of all laws at the points, and the parts of the normal equations
  /// that do not depend on a pair of laws.
  void tabulate() {
    const std::size_t n = laws_.size() + 1;
    values_.assign(n, std::vector<double>(points_.size(), 1.0));
    for (std::size_t l = 0; l + 1 < n; ++l) {
      for (std::size_t i = 0; i < points_.size(); ++i) values_[l + 1][i] = laws_[l].at(points_[i]);
    }
    rows_.resize(n);
    for (std::size_t a = 0; a < n; ++a) {
      squares_.push_back(product(values_[a], values_[a]));
      with_cost_.push_back(product(values_[a], costs_));
    }
    cost_squared_ = product(costs_, costs_);
    fill_row(0);
  }

  double product(const std::vector<double>& a, const std::vector<double>& b) const {
    double sum = 0;
    for (std::size_t i = 0; i < points_.size(); ++i) sum += weights_[i] * a[i] * b[i];
    return sum;
  }

  /// Computes the products of one column with all others, for a column that stays in a fit while all laws are
  /// tried with it.
  void fill_row(std::size_t column) const {
    if (!rows_[column].empty()) return;
    rows_[column].reserve(values_.size());
    for (const auto& other : values_) rows_[column].push_back(product(values_[column], other));
  }
  void fill_rows(const Fit& fit) const {
    for (std::size_t k = 0; k < fit.count; ++k) fill_row(fit.laws[k] + 1);
  }

  double product_of(std::size_t a, std::size_t b) const {
    if (a == b) return squares_[a];
    if (!rows_[a].empty()) return rows_[a][b];
    return rows_[b].empty() ? product(values_[a], values_[b]) : rows_[b][a];
  }

  /// Cholesky factor of the normal equations: lower triangular; a zero on its diagonal if two laws are equal
  /// at all points.
  using Factor = std::array<std::array<double, kMaxLevels>, kMaxLevels>;

  Factor factored(const Fit& fit) const {
    Factor l{};
    const auto column = [&](std::size_t i) { return i == 0 ? 0 : fit.laws[i - 1] + 1; };
    for (std::size_t i = 0; i <= fit.count; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = product_of(column(i), column(j));
        for (std::size_t k = 0; k < j; ++k) sum -= l[i][k] * l[j][k];
        if (i != j) {
          l[i][j] = sum / l[j][j];
        } else if (sum > 1e-9 * squares_[column(i)]) {
          l[i][i] = std::sqrt(sum);
        } else {
          return l;
        }
      }
    }
    return l;
  }

  static std::array<double, kMaxLevels> solved(const Factor& l, std::size_t n,
                                               std::array<double, kMaxLevels> right) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < i; ++k) right[i] -= l[i][k] * right[k];
      right[i] /= l[i][i];
    }
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t k = i + 1; k < n; ++k) right[i] -= l[k][i] * right[k];
      right[i] /= l[i][i];
    }
    return right;
  }

  /// The steps for the laws of `fit`. Nothing if one would not go up, capacities are too near each other, or
  /// two laws are the same at all points.
  std::optional<Fit> solve(Fit fit) const {
    for (std::size_t i = 1; i < fit.count; ++i) {
      for (std::size_t k = i; k > 0 && fit.laws[k] < fit.laws[k - 1]; --k)
        std::swap(fit.laws[k], fit.laws[k - 1]);
    }
    for (std::size_t k = 0; k + 1 < fit.count; ++k) {
      if (laws_[fit.laws[k + 1]].capacity < kLeastRatio * laws_[fit.laws[k]].capacity) return std::nullopt;
    }
    const Factor factor = factored(fit);
    if (factor[fit.count][fit.count] == 0) return std::nullopt;
    std::array<double, kMaxLevels> right{};
    for (std::size_t i = 0; i <= fit.count; ++i) right[i] = with_cost_[i == 0 ? 0 : fit.laws[i - 1] + 1];
    fit.steps = solved(factor, fit.count + 1, right);
    fit.misfit = cost_squared_;
    double cost = 0;
    for (std::size_t i = 0; i <= fit.count; ++i) {
      const double step = fit.steps[i];
      if (step <= 0 || (i > 0 && cost + step < kLeastJump * cost)) return std::nullopt;
      cost += step;
      fit.misfit -= step * right[i];
    }
    return fit;
  }

  /// The best law is added, then each is moved to where it fits best, until none moves.
  std::optional<Fit> with_one_more(const Fit& fit) const {
    std::optional<Fit> best;
    const auto keep_better = [&](const Fit& laws) {
      const auto tried = solve(laws);
      if (!tried || (best && tried->misfit >= best->misfit - 1e-9)) return false;
      best = tried;
      return true;
    };
    fill_rows(fit);
    for (std::size_t law = 0; law < laws_.size(); ++law) keep_better(fit.with(law));
    for (bool moved = best.has_value(); moved;) {
      moved = false;
      for (std::size_t k = 0; k < best->count; ++k) {
        fill_rows(*best);
        for (std::size_t law = 0; law < laws_.size(); ++law)
          moved = keep_better(best->with_in_place_of(k, law)) || moved;
      }
    }
    return best;
  }

  std::vector<double> points_, costs_, weights_;
  std::vector<Law> laws_;  // ascending in their capacities
  // A constant and then the laws: their values at all points, and their products with themselves, with the
  // costs, and with each other.
  std::vector<std::vector<double>> values_;
  std::vector<double> squares_, with_cost_;
  mutable std::vector<std::vector<double>> rows_;  // rows that were computed; others are empty
  double cost_squared_ = 0;
};

}  // namespace

std::vector<HierarchyLevel> find_levels(const Sweep& sweep) {
  check_sweep("find_levels", sweep, 4);
  if (sweep.points.front() <= 0) throw Error("find_levels: a footprint must be positive");
  const Fitter fitter(sweep);
  const Fit fit = fitter.best();
  const auto errors = fitter.errors(fit);
  std::vector<HierarchyLevel> levels;
  double cost = 0, variance = 0;
  for (std::size_t k = 0; k <= fit.count; ++k) {
    cost += fit.steps[k];
    variance += errors[k] * errors[k];
    const double reach = kWithin95 * std::sqrt(variance);
    HierarchyLevel level;
    level.cost = {cost, std::max(cost - reach, 0.0), cost + reach, reach < 0.1 * cost};
    level.has_end = k < fit.count;
    if (level.has_end) {
      const auto [low, high] = fitter.capacities_like(fit, k);
      const double value = fitter.capacity(fit.laws[k]);
      const bool is_clear = fit.steps[k + 1] > 6 * errors[k + 1];
      level.capacity = {value, low, high, is_clear && high <= kMaxWidth * low};
    } else {
      level.capacity = {fitter.largest(), fitter.largest(), fitter.largest(), false};
    }
    levels.push_back(level);
  }
  return levels;
}

std::vector<double> footprints_around(const std::vector<HierarchyLevel>& seen, double first, double last) {
  constexpr double kCoarse = 1.4142135623730951, kClose = 1.0905077326652577;  // 2 and 8 of them double
  constexpr double kReach = 1.5;
  std::vector<double> points;
  for (double p = first; p <= last * 1.001; p *= kCoarse) points.push_back(p);
  for (const HierarchyLevel& level : seen) {
    if (!level.has_end) continue;
    for (double p = level.capacity.value / kReach; p <= std::min(level.capacity.value * kReach, last);
         p *= kClose) {
      if (p >= first) points.push_back(p);
    }
  }
  std::sort(points.begin(), points.end());
  return points;
}

}  // namespace tensordsl::hwprofile
