#include "search/fastest_trials.h"

#include <algorithm>

namespace tensordsl::search {

std::vector<Trial> fastest_trials(const std::vector<Trial>& trials, std::size_t most) {
  std::vector<Trial> timed;
  std::ranges::copy_if(trials, std::back_inserter(timed),
                       [](const Trial& t) { return t.measured.us.has_value(); });
  std::ranges::stable_sort(timed, {}, [](const Trial& t) { return *t.measured.us; });
  if (timed.size() > most) timed.resize(most);
  return timed;
}

}  // namespace tensordsl::search
