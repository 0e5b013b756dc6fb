#include "report/series_style.h"

#include <array>

namespace tensordsl::report {
namespace {

const std::array<const char*, 8> kColors{"#1f5fa8", "#c2410c", "#15803d", "#7e3fb0",
                                         "#a16207", "#0e7490", "#be185d", "#374151"};
// Their number is coprime to the number of colors, so that pairs repeat late.
const std::array<std::vector<int>, 7> kDashes{
    {{}, {6, 3}, {2, 2}, {9, 3, 2, 3}, {12, 4}, {4, 2, 1, 2}, {9, 3, 2, 3, 2, 3}}};
const std::array<const char*, 5> kSymbols{"circle", "square", "triangle-up", "diamond", "triangle-down"};

}  // namespace

SeriesStyle series_style(std::size_t index) {
  return {kColors[index % kColors.size()], kDashes[index % kDashes.size()],
          kSymbols[index % kSymbols.size()]};
}

}  // namespace tensordsl::report
