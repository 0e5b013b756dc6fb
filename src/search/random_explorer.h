// Any schedule of the space: what better explorers are compared with.
#pragma once

#include "search/explorer.h"

namespace tensordsl::search {

class RandomExplorer final : public Explorer {
 public:
  RandomExplorer(const SearchView& view, std::uint64_t seed) : view_(view), random_(seed) {}
  std::vector<ChosenSchedule> propose(std::size_t count) override;

 private:
  const SearchView& view_;
  RandomNumbers random_;
};

}  // namespace tensordsl::search
