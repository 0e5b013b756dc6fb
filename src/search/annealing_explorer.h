// Walks from schedule to neighboring schedule, uphill as well as long as it is hot.
// Source: Kirkpatrick, Gelatt and Vecchi, Optimization by Simulated Annealing (Science 220, 1983).
#pragma once

#include "search/explorer.h"

namespace tensordsl::search {

/// Several walks side by side, as many as are proposed at once. Each goes on from its last step that was
/// accepted: a faster one always, a slower one with the probability exp(-log(its time / the other's) / T).
class AnnealingExplorer final : public Explorer {
 public:
  AnnealingExplorer(const SearchView& view, std::uint64_t seed) : view_(view), random_(seed) {}
  std::vector<ChosenSchedule> propose(std::size_t count) override;

 private:
  struct Walk {
    Trial at;
    std::optional<ChosenSchedule> step;  // that was proposed, and is not accepted yet
  };

  void take_steps();
  void begin(std::size_t count);

  const SearchView& view_;
  RandomNumbers random_;
  std::vector<Walk> walks_;
  double temperature_ = 0.3;
};

}  // namespace tensordsl::search
