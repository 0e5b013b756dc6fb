#include "predict/warp_addresses.h"

#include <algorithm>
#include <map>
#include <set>

namespace tensordsl::predict {

double lines_of(const WarpAddresses& a, int access_bytes, int line_bytes) {
  std::int64_t lines = 0;
  int warps = 0;
  for (int first = 0; first < a.items; first += a.warp, ++warps) {
    std::set<std::int64_t> touched;
    for (int i = first; i < std::min(first + a.warp, a.items); ++i) {
      const std::int64_t begin = a.bytes[static_cast<std::size_t>(i)];
      for (std::int64_t line = begin / line_bytes; line <= (begin + access_bytes - 1) / line_bytes; ++line)
        touched.insert(line);
    }
    lines += static_cast<std::int64_t>(touched.size());
  }
  return static_cast<double>(lines) / warps;
}

double addresses_of(const WarpAddresses& a) {
  std::size_t addresses = 0;
  int warps = 0;
  for (int first = 0; first < a.items; first += a.warp, ++warps) {
    const int last = std::min(first + a.warp, a.items);
    addresses += std::set<std::int64_t>(a.bytes.begin() + first, a.bytes.begin() + last).size();
  }
  return static_cast<double>(addresses) / warps;
}

double bank_turns(const WarpAddresses& a, int access_bytes) {
  constexpr int kBanks = 32, kWord = 4;
  const int words = std::max(1, access_bytes / kWord);
  const int together = std::max(1, std::min(a.warp, kBanks / words));
  double turns = 0;
  int warps = 0;
  for (int warp = 0; warp < a.items; warp += a.warp, ++warps) {
    for (int first = warp; first < std::min(warp + a.warp, a.items); first += together) {
      std::map<std::int64_t, std::set<std::int64_t>> banks;
      for (int i = first; i < std::min(first + together, a.items); ++i) {
        for (int w = 0; w < words; ++w) {
          const std::int64_t word = a.bytes[static_cast<std::size_t>(i)] / kWord + w;
          banks[word % kBanks].insert(word);
        }
      }
      std::size_t most = 0;
      for (const auto& [bank, wanted] : banks) most = std::max(most, wanted.size());
      turns += static_cast<double>(most);
    }
  }
  return turns / warps;
}

}  // namespace tensordsl::predict
