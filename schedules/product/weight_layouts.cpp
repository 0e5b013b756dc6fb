#include "schedules/product/weight_layouts.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "schedule/func_schedule.h"
#include "schedules/product/factor_reads.h"

namespace tensordsl::schedules {

using classify::Classification;

namespace {

/// An index of the weights: the channels of a tile, a batch, which has weights of its own, a step of a
/// window, a step of another axis, or always 0.
enum class WeightIndex { Channel, Batch, Tap, Step, Other };

WeightIndex weight_index(const classify::IndexMap& index, const Classification& anchor,
                         const std::string& channel) {
  if (index.is_axis(channel)) return WeightIndex::Channel;
  if (std::ranges::any_of(anchor.roles->batch, [&](const auto& dim) { return index.is_axis(dim); }))
    return WeightIndex::Batch;
  const bool is_tap =
      std::ranges::any_of(anchor.windows, [&](const classify::Window& w) { return index.is_axis(w.axis); });
  if (is_tap) return WeightIndex::Tap;
  const bool is_step = index.form.is_constant() ||
                       std::ranges::any_of(anchor.roles->k, [&](const auto& k) { return index.is_axis(k); });
  return is_step ? WeightIndex::Step : WeightIndex::Other;
}

std::optional<Layout> layout_for(const std::vector<classify::IndexMap>& indices, const Classification& anchor,
                                 const std::string& channel, int tile, int together) {
  std::vector<int> batches, taps, steps;
  std::optional<int> channels;
  for (std::size_t d = 0; d < indices.size(); ++d) {
    const int dim = static_cast<int>(d);
    switch (weight_index(indices[d], anchor, channel)) {
      case WeightIndex::Channel:
        if (channels) return std::nullopt;
        channels = dim;
        break;
      case WeightIndex::Batch:
        batches.push_back(dim);
        break;
      case WeightIndex::Tap:
        taps.push_back(dim);
        break;
      case WeightIndex::Step:
        steps.push_back(dim);
        break;
      case WeightIndex::Other:
        return std::nullopt;
    }
  }
  if (!channels) return std::nullopt;
  using Part = Layout::Term::Part;
  const bool packs = tile > 1 && !anchor.roles->k.empty();
  std::vector<Layout::Term> terms;
  for (const int d : batches) terms.push_back({.dim = d});
  if (packs) terms.push_back({*channels, Part::Quotient, tile});
  for (const int d : taps) terms.push_back({.dim = d});
  std::optional<int> cut;
  for (const int d : steps) {
    if (together > 1 && !indices[static_cast<std::size_t>(d)].form.is_constant()) cut = d;
  }
  for (const int d : steps)
    terms.push_back(d == cut ? Layout::Term{d, Part::Quotient, together} : Layout::Term{.dim = d});
  terms.push_back(packs ? Layout::Term{*channels, Part::Remainder, tile} : Layout::Term{.dim = *channels});
  if (cut) terms.push_back({*cut, Part::Remainder, together});
  return Layout::of(terms);
}

}  // namespace

std::optional<Layout> weight_layout(const definitions::StoredGroup& group, const Classification& sum,
                                    const Func& operand, const std::string& channel, int tile, int together) {
  if (!sum.roles) return std::nullopt;
  std::optional<Layout> found;
  for (const classify::Access* factor : {&sum.roles->a, &sum.roles->b}) {
    const auto indices = indices_in(group, *factor, operand);
    const auto layout = indices ? layout_for(*indices, sum, channel, tile, together) : std::nullopt;
    if (layout) found = layout;
  }
  return found;
}

void add_weight_layouts(const definitions::StoredGroup& group, const Classification& sum,
                        const std::string& channel, int tile, WantedStorage& wanted, int together) {
  for (std::size_t i = 0; i < group.operands.size(); ++i) {
    if (!group.operands[i].is_constant) continue;
    const auto layout = weight_layout(group, sum, group.operands[i].input, channel, tile, together);
    if (layout) wanted.insert_or_assign(i, ConstantStorage{*layout});
  }
}

}  // namespace tensordsl::schedules
