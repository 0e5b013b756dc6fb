// Damages JSON, for fuzzers: the same seed, the same damage.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

namespace tensordsl::testing {

class JsonMutator {
 public:
  explicit JsonMutator(std::uint32_t seed) : random_(seed) {}

  /// Other numbers, texts and kinds of values, values exchanged, left out and repeated: of one to three
  /// values.
  void damage(nlohmann::ordered_json& json);
  /// Flips, replaces, cuts off, removes and repeats bytes.
  std::string damage(std::string bytes);
  std::size_t pick(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
  }

 private:
  void damage_place(nlohmann::ordered_json& root);
  nlohmann::ordered_json value(const nlohmann::ordered_json& old);

  std::mt19937 random_;
};

}  // namespace tensordsl::testing
