#include "ops/normalize/sorted_keys.h"

namespace tensordsl::ops::normalize {
namespace {

// Runs of up to that many keys are sorted by ranks, which compare each key with its whole run; longer ones by
// merging.
constexpr std::int64_t kRun = 128;

/// Ranks compare each key with all of its run. A merge is a binary search, whose accesses depend on one
/// another, and takes about as long as kRun comparisons, which run in vectors.
std::int64_t first_run(std::int64_t length) {
  std::int64_t merges = 0;
  for (std::int64_t run = kRun; run < length; run *= 2) ++merges;
  return length <= (merges + 1) * kRun ? length : kRun;
}

// ONNX's INT32.
constexpr std::int64_t kRankType = 6;

}  // namespace

SortedKeys sorted_keys(Composition& nodes, SortedKeys unsorted, std::int64_t length) {
  auto [keys, places] = std::move(unsorted);
  const Attributes along = attributes_of({{"axis", std::int64_t{1}}});
  const std::int64_t first = first_run(length);
  const std::string ranks = nodes.add("ranks", "KeyRanks", {keys}, attributes_of({{"piece", Sizes{first}}}));
  const auto in_order = [&](const char* step, const std::string& tensor) {
    return nodes.add(step, "ScatterElements", {tensor, ranks, tensor},
                     attributes_of({{"axis", std::int64_t{1}}, {"reduction", std::string("none")}}));
  };
  places = in_order("places", places);
  keys = in_order("keys", keys);
  for (std::int64_t run = first; run < length; run *= 2) {
    const std::string merged = nodes.add("merged", "MergePlaces", {keys}, attributes_of({{"run", run}}));
    places = nodes.add("places", "GatherElements", {places, merged}, along);
    keys = nodes.add("keys", "GatherElements", {keys, merged}, along);
  }
  return {keys, places};
}

std::string places_of_row(Composition& nodes, std::int64_t length) {
  const Attributes attributes = attributes_of(
      {{"start", Sizes{0}}, {"delta", Sizes{1}}, {"count", Sizes{length}}, {"dtype", kRankType}});
  return nodes.reshape("places", nodes.add("every", "Range", {}, attributes), {1, length});
}

std::string ranks_by_keys(Composition& nodes, const std::string& x, std::int64_t length) {
  const std::string unsorted = nodes.add("keys", "SortKeys", {nodes.reshape("row", x, {1, length})},
                                         attributes_of({{"largest", std::int64_t{0}}}));
  const auto [keys, places] = sorted_keys(nodes, {unsorted, places_of_row(nodes, length)}, length);
  const std::string numbers = nodes.add(
      "numbers", "CumSum", {nodes.add("changes", "KeyChanges", {keys})},
      attributes_of(
          {{"axis", std::int64_t{1}}, {"exclusive", std::int64_t{0}}, {"reverse", std::int64_t{0}}}));
  return nodes.reshape(
      "rank",
      nodes.add("numbered", "ScatterElements", {places, places, numbers},
                attributes_of({{"axis", std::int64_t{1}}, {"reduction", std::string("none")}})),
      {length});
}

}  // namespace tensordsl::ops::normalize
