#include "report/series_style.h"

#include <array>

namespace tensordsl::report {
namespace {

// Variables of page.css, which has light and dark values for them.
const std::array<const char*, 8> kColors{"var(--series-1)", "var(--series-2)", "var(--series-3)",
                                         "var(--series-4)", "var(--series-5)", "var(--series-6)",
                                         "var(--series-7)", "var(--series-8)"};
// Their number is coprime to that of the colors, so that pairs repeat late.
const std::array<std::vector<int>, 7> kDashes{
    {{}, {6, 3}, {2, 2}, {9, 3, 2, 3}, {12, 4}, {4, 2, 1, 2}, {9, 3, 2, 3, 2, 3}}};
const std::array<const char*, 5> kSymbols{"circle", "square", "triangle-up", "diamond", "triangle-down"};

}  // namespace

SeriesStyle series_style(std::size_t index) {
  return {kColors[index % kColors.size()], kDashes[index % kDashes.size()],
          kSymbols[index % kSymbols.size()]};
}

}  // namespace tensordsl::report
