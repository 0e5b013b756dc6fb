// Children of two fast schedules, with a knob of each that is another one's.
#pragma once

#include "search/explorer.h"

namespace tensordsl::search {

/// Parents are the faster of a few that are drawn from the fastest; a child has each knob from one of the
/// two, and is changed in a knob with some probability.
class GeneticExplorer final : public Explorer {
 public:
  GeneticExplorer(const SearchView& view, std::uint64_t seed) : view_(view), random_(seed) {}
  std::vector<ChosenSchedule> propose(std::size_t count) override;

 private:
  const SearchView& view_;
  RandomNumbers random_;
};

}  // namespace tensordsl::search
