#include "onnx/file/random_weights.h"

#include <doctest/doctest.h>

#include <bit>

#include "runtime/buffer/uniform.h"
#include "tensordsl/default_input.h"

using namespace tensordsl;
using namespace tensordsl::onnx;
using namespace tensordsl::ops;

namespace {

std::uint64_t fnv1a64(std::span<const std::byte> bytes) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const std::byte byte : bytes) hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100000001B3U;
  return hash;
}

struct Case {
  std::string name;
  Ints shape;
  FirstUse use;
  std::uint32_t first;  // bits of element 0
  std::uint64_t hash;   // FNV-1a of all bytes
};

}  // namespace

TEST_CASE("random weights: every rule gives the bytes that fill_weights.py gives") {
  // Expected values are from values() of models/fill_weights.py with NumPy 2.4.6.
  const Case cases[] = {
      {"features.0.weight", {16, 3, 3, 3}, {"Conv", 1, false}, 0x3EABBB0AU, 0x030C632530A99059U},
      {"up.weight", {8, 4, 2, 2}, {"ConvTranspose", 1, false}, 0x3E99B032U, 0xBBE01F7234969F15U},
      {"bias", {64}, {"Conv", 2, false}, 0x397C1800U, 0x7B7EED4C9C04A0B7U},
      {"fc.weight", {10, 40}, {"Gemm", 1, true}, 0xBC09C979U, 0x1BD2D9666ED2B176U},
      {"fc.kernel", {40, 10}, {"Gemm", 1, false}, 0xBE385225U, 0xBB6CB69E4DF6E305U},
      {"proj", {2, 12, 20}, {"MatMul", 1, false}, 0x3EB88ADEU, 0x2B32939E30F5E571U},
      {"norm.scale", {100}, {"BatchNormalization", 1, false}, 0x3F8006DCU, 0x84D426E1ED822192U},
      {"norm.mean", {100}, {"BatchNormalization", 3, false}, 0x3CA94A5DU, 0x85252550A0B59867U},
      {"norm.var", {100}, {"BatchNormalization", 4, false}, 0x3F86D2DDU, 0xB1107E96A519C8B0U},
      {"ln.scale", {96}, {"LayerNormalization", 1, false}, 0x3F8196D3U, 0x450934AA6709C2B1U},
      {"layer_scale", {1, 96, 1}, {"Mul", 1, false}, 0x3F83D156U, 0x09FF8B593907E71BU},
      {"shared", {33}, {"Identity", 0, false}, 0x3C13FCD3U, 0x89AC3E826BCE6F37U},
      {"unused", {5, 5}, {"", 0, false}, 0x3B270E33U, 0xA47576675F47F35AU},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    const Buffer weight = random_weight(c.name, c.shape, c.use);
    CHECK(weight.shape() == c.shape);
    CHECK(std::bit_cast<std::uint32_t>(weight.as<float>()[0]) == c.first);
    CHECK(fnv1a64(weight.bytes()) == c.hash);
  }
}

TEST_CASE("default input: floats and integers are those of fill_weights.py") {
  const Buffer image = default_input({"input", Float(32), {1, 3, 2, 2}});
  CHECK(image.as<float>()[0] == -0x1.177d5p-2F);
  CHECK(image.as<float>()[1] == 0x1.ce15b8p-1F);
  CHECK(fnv1a64(image.bytes()) == 0xBD94BB790AAD5DE7U);

  const Buffer ids = default_input({"ids", Int(64), {6}});
  const std::int64_t expected[] = {428, 56, 593, 882, 495, 52};
  for (int i = 0; i < 6; ++i) CHECK(ids.get_int(i) == expected[i]);
}

TEST_CASE("default input: other types are derived from the same numbers") {
  CHECK(default_input({"input", Float(16), {4}}).type() == Float(16));
  CHECK(default_input({"ids", Int(32), {6}}).get_int(3) == 882);
  CHECK(default_input({"ids", UInt(8), {6}}).get_int(3) == 88);
  CHECK(default_input({"ids", Bool(), {6}}).get_int(0) == 0);
  CHECK(default_input({"ids", Bool(), {6}}).get_int(2) == 1);
}
