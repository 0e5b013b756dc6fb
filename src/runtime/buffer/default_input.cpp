#include "runtime/buffer/uniform.h"

#include <cstdint>
#include <string_view>

#include "runtime/values/evaluate.h"
#include "tensordsl/default_input.h"

namespace tensordsl {
namespace {

std::uint64_t fnv1a64(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return hash;
}

/// 24 bits of the `counter`-th number of the splitmix64 sequence that starts at `seed`.
std::uint64_t splitmix_bits(std::uint64_t seed, std::uint64_t counter) {
  std::uint64_t z = counter * 0x9E3779B97F4A7C15U + seed;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  z ^= z >> 31;
  return z >> 40;
}

}  // namespace

Buffer runtime::uniform(const std::string& name, const std::vector<std::int64_t>& shape) {
  Buffer buffer(Float(32), shape);
  const std::uint64_t seed = fnv1a64(name);
  std::uint64_t counter = 0;
  for (float& value : buffer.as<float>()) {
    value = static_cast<float>(splitmix_bits(seed, ++counter)) / 8388608.0F - 1.0F;
  }
  return buffer;
}

Buffer default_input(const Program::Value& input) {
  std::vector<std::int64_t> shape;
  for (const SizeExpr& extent : input.shape) shape.push_back(runtime::evaluate(extent, {}));
  const Buffer u = runtime::uniform("input:" + input.name, shape);
  if (input.type.is_float()) return u.converted(input.type);
  Buffer result(input.type, shape);
  const float range = input.type.bits == 8 ? 50.0F : 500.0F;
  const auto values = u.as<const float>();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::int64_t value =
        input.type.is_bool() ? values[i] >= 0.0F : static_cast<std::int64_t>((values[i] + 1.0F) * range);
    result.set_int(static_cast<std::int64_t>(i), value);
  }
  return result;
}

}  // namespace tensordsl
