#include "apps/bench/isa/machine_code.h"

#include <algorithm>
#include <map>

namespace tensordsl::bench {

void normalize_loops(MachineCode& code) {
  std::map<std::size_t, std::size_t> ends;
  for (const MachineLoop& loop : code.loops) ends[loop.begin] = std::max(ends[loop.begin], loop.end);
  code.loops.clear();
  for (const auto& [begin, end] : ends) code.loops.push_back({begin, end});
}

}  // namespace tensordsl::bench
