#include "hwprofile/analysis/hierarchy.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "tensordsl/error.h"

namespace tensordsl::hwprofile {
namespace {

constexpr std::size_t kMostLevels = 5;          // with memory
constexpr double kModelError = 0.02;            // of the laws themselves, against which no number of samples helps
constexpr double kLeastJump = 1.15;             // of the cost, from level to level
constexpr double kMostWidth = 1.15 * 1.15;      // of the interval of a confident capacity
constexpr double kWithin95 = 1.96;

/// How the cost of an access grows beyond a capacity: from 0 to 1.
struct Law {
  double capacity;
  double next;  // of an abrupt one, the next larger footprint: the capacity is between the two
  bool is_abrupt;

  double at(double footprint) const {
    if (is_abrupt) return footprint > capacity ? 1 : 0;
    return std::max(0.0, 1 - capacity / footprint);
  }
};

/// A base cost and the steps beyond some laws, by weighted least squares.
struct Fit {
  std::vector<std::size_t> laws;  // ascending in their capacities
  std::vector<double> steps;      // the base cost, then what each law adds
  std::vector<double> errors;     // standard, of the steps
  double misfit = 0;              // sum of squares over the variances
};

class Fitter {
 public:
  explicit Fitter(const Sweep& sweep) : points_(sweep.points) {
    for (const Estimate& e : estimates(sweep)) costs_.push_back(e.median);
    // Of a median, whose variance is pi/2 times that of the mean.
    const double noise = relative_noise(sweep) * std::sqrt(1.5708 / static_cast<double>(sweep.rounds.size()));
    const double relative = std::hypot(noise, kModelError);
    for (const double c : costs_) weights_.push_back(1 / (relative * c * relative * c));
    add_laws();
    tabulate();
  }

  /// The simplest fit that one more level does not make much better.
  Fit best() const {
    Fit fit = *solve({});
    // Of two more parameters, one of them chosen among all footprints.
    const double price = 12 + 3 * std::log(static_cast<double>(points_.size()));
    while (fit.laws.size() + 1 < kMostLevels) {
      const auto more = with_one_more(fit);
      if (!more || fit.misfit - more->misfit < price) break;
      fit = *more;
    }
    return fit;
  }

  /// The capacities that fit about as well in place of law `k`.
  std::array<double, 2> capacities_like(const Fit& fit, std::size_t k) const {
    const Law& chosen = laws_[fit.laws[k]];
    std::array<double, 2> range{chosen.capacity, chosen.is_abrupt ? chosen.next : chosen.capacity};
    for (std::size_t other = 0; other < laws_.size(); ++other) {
      std::vector<std::size_t> replaced = fit.laws;
      replaced[k] = other;
      const auto like = solve(replaced);
      if (!like || like->misfit > fit.misfit + kWithin95 * kWithin95) continue;
      range[0] = std::min(range[0], laws_[other].capacity);
      range[1] = std::max(range[1], laws_[other].is_abrupt ? laws_[other].next : laws_[other].capacity);
    }
    return range;
  }

  double capacity(std::size_t law) const { return laws_[law].is_abrupt ? std::sqrt(laws_[law].capacity * laws_[law].next) : laws_[law].capacity; }
  double largest() const { return points_.back(); }

 private:
  void add_laws() {
    constexpr double kFine = 1.07;
    for (std::size_t i = 0; i + 1 < points_.size(); ++i) {
      laws_.push_back({points_[i], points_[i + 1], true});
      // A capacity beyond which there are two points at least, to tell the law's slope from one outlier.
      for (double c = points_[i]; c < points_[i + 1] && i + 3 < points_.size(); c *= kFine) laws_.push_back({c, c, false});
    }
    std::stable_sort(laws_.begin(), laws_.end(), [](const Law& a, const Law& b) { return a.capacity < b.capacity; });
  }

  void tabulate() {
    const std::size_t n = laws_.size() + 1;
    std::vector<std::vector<double>> values(n, std::vector<double>(points_.size(), 1.0));
    for (std::size_t l = 0; l + 1 < n; ++l) {
      for (std::size_t i = 0; i < points_.size(); ++i) values[l + 1][i] = laws_[l].at(points_[i]);
    }
    products_.assign(n, std::vector<double>(n, 0.0));
    with_cost_.assign(n, 0.0);
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t i = 0; i < points_.size(); ++i) with_cost_[a] += weights_[i] * values[a][i] * costs_[i];
      for (std::size_t b = a; b < n; ++b) {
        for (std::size_t i = 0; i < points_.size(); ++i) products_[a][b] += weights_[i] * values[a][i] * values[b][i];
        products_[b][a] = products_[a][b];
      }
    }
    for (std::size_t i = 0; i < points_.size(); ++i) cost_squared_ += weights_[i] * costs_[i] * costs_[i];
  }

  /// Nothing if a step would not go up, or two laws are the same at all points.
  std::optional<Fit> solve(std::vector<std::size_t> laws) const {
    std::sort(laws.begin(), laws.end());
    const std::size_t n = laws.size() + 1;
    std::array<std::size_t, kMostLevels + 1> column{};
    for (std::size_t k = 0; k < laws.size(); ++k) column[k + 1] = laws[k] + 1;
    // The normal equations beside the unit matrix, by Gauss and Jordan.
    std::array<std::array<double, 2 * kMostLevels>, kMostLevels> rows{};
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) rows[i][j] = products_[column[i]][column[j]];
      rows[i][n + i] = 1;
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (rows[i][i] <= 1e-9 * products_[column[i]][column[i]]) return std::nullopt;
      const double pivot = rows[i][i];
      for (std::size_t j = 0; j < 2 * n; ++j) rows[i][j] /= pivot;
      for (std::size_t other = 0; other < n; ++other) {
        const double factor = rows[other][i];
        for (std::size_t j = 0; other != i && j < 2 * n; ++j) rows[other][j] -= factor * rows[i][j];
      }
    }
    Fit fit;
    fit.laws = std::move(laws);
    fit.misfit = cost_squared_;
    double cost = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double step = 0;
      for (std::size_t j = 0; j < n; ++j) step += rows[i][n + j] * with_cost_[column[j]];
      if (step <= 0 || (i > 0 && cost + step < kLeastJump * cost)) return std::nullopt;
      cost += step;
      fit.steps.push_back(step);
      fit.errors.push_back(std::sqrt(std::max(rows[i][n + i], 0.0)));
      fit.misfit -= step * with_cost_[column[i]];
    }
    return fit;
  }

  /// The best law is added, then each is moved to where it fits best, until none moves.
  std::optional<Fit> with_one_more(const Fit& fit) const {
    std::optional<Fit> best;
    const auto keep_better = [&](std::vector<std::size_t> laws) {
      auto tried = solve(std::move(laws));
      if (!tried || (best && tried->misfit >= best->misfit - 1e-9)) return false;
      best = std::move(tried);
      return true;
    };
    for (std::size_t law = 0; law < laws_.size(); ++law) {
      std::vector<std::size_t> laws = fit.laws;
      laws.push_back(law);
      keep_better(std::move(laws));
    }
    for (bool moved = best.has_value(); moved;) {
      moved = false;
      for (std::size_t k = 0; k < best->laws.size(); ++k) {
        for (std::size_t law = 0; law < laws_.size(); ++law) {
          std::vector<std::size_t> laws = best->laws;
          laws[k] = law;
          moved = keep_better(std::move(laws)) || moved;
        }
      }
    }
    return best;
  }

  std::vector<double> points_, costs_, weights_;
  std::vector<Law> laws_;                       // ascending in their capacities
  std::vector<std::vector<double>> products_;  // of the laws, the constant first, over all points
  std::vector<double> with_cost_;
  double cost_squared_ = 0;
};

/// Every other round, from the first or from the second on.
Sweep half_of(const Sweep& sweep, std::size_t first) {
  Sweep half{sweep.points, {}};
  for (std::size_t r = first; r < sweep.rounds.size(); r += 2) half.rounds.push_back(sweep.rounds[r]);
  return half;
}

/// The capacities that half of the rounds show by themselves.
std::vector<double> capacities_in(const Sweep& sweep) {
  const Fitter fitter(sweep);
  std::vector<double> capacities;
  for (const std::size_t law : fitter.best().laws) capacities.push_back(fitter.capacity(law));
  return capacities;
}

/// Noise that lasts over many points, such as a neighbour's use of the same cache, is not what the variance of samples tells: both halves
/// of the rounds have to show the capacity.
bool is_in_both(double capacity, const std::vector<std::vector<double>>& halves) {
  return std::all_of(halves.begin(), halves.end(), [&](const std::vector<double>& found) {
    return std::any_of(found.begin(), found.end(), [&](double c) { return std::max(c, capacity) <= 1.15 * std::min(c, capacity); });
  });
}

}  // namespace

std::vector<HierarchyLevel> find_levels(const Sweep& sweep) {
  if (sweep.points.size() < 4 || sweep.rounds.empty()) {
    throw Error("find_levels: a hierarchy needs four footprints and one round at least");
  }
  std::vector<std::vector<double>> halves;
  for (const std::size_t first : {0, 1}) {
    if (sweep.rounds.size() > first) halves.push_back(capacities_in(half_of(sweep, first)));
  }
  const Fitter fitter(sweep);
  const Fit fit = fitter.best();
  std::vector<HierarchyLevel> levels;
  double cost = 0, variance = 0;
  for (std::size_t k = 0; k < fit.steps.size(); ++k) {
    cost += fit.steps[k];
    variance += fit.errors[k] * fit.errors[k];
    const double reach = kWithin95 * std::sqrt(variance);
    HierarchyLevel level;
    level.cost = {cost, std::max(cost - reach, 0.0), cost + reach, reach < 0.1 * cost};
    level.has_end = k < fit.laws.size();
    if (level.has_end) {
      const auto [low, high] = fitter.capacities_like(fit, k);
      const double value = fitter.capacity(fit.laws[k]);
      const bool is_clear = fit.steps[k + 1] > 6 * fit.errors[k + 1];
      level.capacity = {value, low, high, is_clear && high <= kMostWidth * low && is_in_both(value, halves)};
    } else {
      level.capacity = {fitter.largest(), fitter.largest(), fitter.largest(), false};
    }
    levels.push_back(level);
  }
  return levels;
}

}  // namespace tensordsl::hwprofile
