// Tries what a model that learns from the trials takes for the fastest.
// Source: Chen et al., Learning to Optimize Tensor Programs (NeurIPS 2018), section 3.
#pragma once

#include <memory>

#include "search/cost_model.h"
#include "search/explorer.h"

namespace tensordsl::search {

/// Looks at many more schedules than it proposes: neighbors and children of the fastest by trial and by the
/// model, for some generations; and a few at random, so that the model learns of what it would not choose.
class ModelExplorer final : public Explorer {
 public:
  /// `others`: of other kernels, to begin with.
  ModelExplorer(const SearchView& view, std::uint64_t seed, std::unique_ptr<CostModel> model,
                std::vector<Trial> others);
  std::vector<ChosenSchedule> propose(std::size_t count) override;

 private:
  struct Scored {
    ChosenSchedule schedule;
    double us = 0;
  };

  void learn();
  std::vector<Scored> scored(const std::vector<ChosenSchedule>& schedules) const;
  std::vector<Scored> beginners();
  std::vector<ChosenSchedule> next_generation(const std::vector<Scored>& parents);

  const SearchView& view_;
  RandomNumbers random_;
  std::unique_ptr<CostModel> model_;
  std::vector<Trial> others_;
};

}  // namespace tensordsl::search
