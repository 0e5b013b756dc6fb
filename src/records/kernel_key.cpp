#include "records/kernel_key.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "records/sha256.h"

namespace tensordsl::records {
namespace {

std::string hash_of(std::string_view text) { return to_hex(Sha256().add_text(text).finish()); }

bool is_of_a_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '.';
}

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

}  // namespace

KernelKey kernel_key(std::string_view group_key) {
  KernelKey key;
  key.structure = hash_of(group_key);
  std::string family;
  for (std::size_t at = 0; at < group_key.size();) {
    // A word or a number: as long as there are characters of one.
    std::size_t end = at;
    while (end < group_key.size() && is_of_a_word(group_key[end])) ++end;
    const std::string_view word = group_key.substr(at, end - at);
    std::int64_t number = 0;
    const bool is_number = !word.empty() && std::ranges::all_of(word, is_digit) &&
                           std::from_chars(word.data(), word.data() + word.size(), number).ec == std::errc{};
    if (is_number) {
      key.sizes.push_back(number);
      family += '#';
    } else {
      family += word;
    }
    if (end < group_key.size()) family += group_key[end++];
    at = end;
  }
  key.family = hash_of(family);
  return key;
}

double distance(const KernelKey& a, const KernelKey& b) {
  if (a.family != b.family || a.sizes.size() != b.sizes.size())
    return std::numeric_limits<double>::infinity();
  double sum = 0;
  for (std::size_t i = 0; i < a.sizes.size(); ++i) {
    const double x = static_cast<double>(a.sizes[i]) + 1, y = static_cast<double>(b.sizes[i]) + 1;
    sum += std::abs(std::log2(x / y));
  }
  return sum;
}

}  // namespace tensordsl::records
