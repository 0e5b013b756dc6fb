#include "ops/normalize/sorted_keys.h"

namespace tensordsl::normalize {
namespace {

// Runs of so many keys are made by ranks, which compare each with all of its run; longer ones by merging.
constexpr std::int64_t kRun = 128;

// ONNX's INT32.
constexpr std::int64_t kRankType = 6;

}  // namespace

std::string ranks_by_keys(Composition& nodes, const std::string& x, std::int64_t length) {
  const Attributes along = attributes_of({{"axis", std::int64_t{1}}});
  const Attributes along_as_is =
      attributes_of({{"axis", std::int64_t{1}}, {"reduction", std::string("none")}});
  const Shape row{1, length};
  std::string keys = nodes.add("keys", "SortKeys", {nodes.reshape("row", x, row)},
                               attributes_of({{"largest", std::int64_t{0}}}));
  std::string places = nodes.reshape(
      "places",
      nodes.add(
          "every", "Range", {},
          attributes_of(
              {{"start", Sizes{0}}, {"delta", Sizes{1}}, {"count", Sizes{length}}, {"dtype", kRankType}})),
      row);
  const std::string ranks = nodes.add("ranks", "KeyRanks", {keys}, attributes_of({{"piece", Sizes{kRun}}}));
  places = nodes.add("places", "ScatterElements", {places, ranks, places}, along_as_is);
  keys = nodes.add("keys", "GatherElements", {keys, places}, along);
  for (std::int64_t run = kRun; run < length; run *= 2) {
    const std::string merged = nodes.add("merged", "MergePlaces", {keys}, attributes_of({{"run", run}}));
    places = nodes.add("places", "GatherElements", {places, merged}, along);
    keys = nodes.add("keys", "GatherElements", {keys, merged}, along);
  }
  const std::string numbers = nodes.add(
      "numbers", "CumSum", {nodes.add("changes", "KeyChanges", {keys})},
      attributes_of(
          {{"axis", std::int64_t{1}}, {"exclusive", std::int64_t{0}}, {"reverse", std::int64_t{0}}}));
  return nodes.reshape(
      "rank", nodes.add("numbered", "ScatterElements", {places, places, numbers}, along_as_is), {length});
}

}  // namespace tensordsl::normalize
