#include "package/json_mutator.h"

#include <array>
#include <limits>

namespace tensordsl::testing {

using nlohmann::ordered_json;

void JsonMutator::damage(ordered_json& json) {
  for (std::size_t n = 1 + pick(3); n > 0; --n) damage_place(json);
}

std::string JsonMutator::damage(std::string bytes) {
  for (std::size_t n = 1 + pick(3); n > 0 && !bytes.empty(); --n) {
    const std::size_t place = pick(bytes.size());
    switch (pick(5)) {
      case 0:
        bytes[place] = static_cast<char>(bytes[place] ^ (1 << pick(8)));
        break;
      case 1:
        bytes[place] = static_cast<char>(pick(256));
        break;
      case 2:
        bytes.resize(place);
        break;
      case 3:
        bytes.erase(place, 1 + pick(8));
        break;
      default:
        bytes.insert(place, bytes.substr(pick(bytes.size()), pick(64)));
    }
  }
  return bytes;
}

/// Goes down at random, and changes the value that it finds.
void JsonMutator::damage_place(ordered_json& root) {
  ordered_json* place = &root;
  ordered_json* parent = nullptr;
  while (place->is_structured() && !place->empty() && (parent == nullptr || pick(12) != 0)) {
    parent = place;
    place = &*std::next(place->begin(), static_cast<std::ptrdiff_t>(pick(place->size())));
  }
  if (parent == nullptr) return;
  switch (pick(10)) {
    case 0: {
      const auto at = static_cast<std::ptrdiff_t>(pick(parent->size()));
      parent->erase(std::next(parent->begin(), at));
      break;
    }
    case 1:
      if (parent->is_array()) {
        ordered_json copy = *place;
        parent->push_back(std::move(copy));
      }
      break;
    case 2: {
      ordered_json& other = *std::next(parent->begin(), static_cast<std::ptrdiff_t>(pick(parent->size())));
      std::swap(*place, other);
      break;
    }
    case 3:
      if (place->is_string()) *place = damage(place->get<std::string>());
      break;
    default:
      *place = value(*place);
  }
}

/// Mostly of the same kind.
ordered_json JsonMutator::value(const ordered_json& old) {
  constexpr std::array<std::int64_t, 18> kNumbers = {
      0,    1,    -1,      2,         3,         4,         7,         63,        65,
      1000, 4096, 1 << 20, INT32_MAX, INT32_MIN, 1LL << 32, 1LL << 40, INT64_MAX, INT64_MIN};
  static const std::array<const char*, 26> kTexts = {"",
                                                     "n",
                                                     "0",
                                                     "-1",
                                                     "2147483647",
                                                     "4611686018427387904",
                                                     "n*1000000000000",
                                                     "n/0",
                                                     "m",
                                                     "n + 100",
                                                     "1000000",
                                                     "f32",
                                                     "f16",
                                                     "i64",
                                                     "u8",
                                                     "read_only",
                                                     "constant",
                                                     "state",
                                                     "d0",
                                                     "d1 d0",
                                                     "d0/4 | d1 | d0%4",
                                                     "image2d",
                                                     "buffer",
                                                     "..",
                                                     "../a",
                                                     "9999999999999999999999"};
  if (pick(8) != 0) {
    if (old.is_number()) {
      return pick(3) == 0 ? ordered_json(static_cast<std::int64_t>(old.get<std::uint64_t>() + pick(5) - 2))
                          : ordered_json(kNumbers[pick(kNumbers.size())]);
    }
    if (old.is_string()) return kTexts[pick(kTexts.size())];
    if (old.is_boolean()) return !old.get<bool>();
  }
  switch (pick(7)) {
    case 0:
      return nullptr;
    case 1:
      return kNumbers[pick(kNumbers.size())];
    case 2:
      return kTexts[pick(kTexts.size())];
    case 3:
      return ordered_json::array();
    case 4:
      return ordered_json::object();
    case 5:
      return std::numeric_limits<std::uint64_t>::max();
    default:
      return 1e300;
  }
}

}  // namespace tensordsl::testing
