#include "base/checksum.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace tensordsl;

TEST_CASE("checksum: XXH3's own values of 128 bits") {
  CHECK(to_hex(checksum("")) == "99aa06d3014798d86001c324468d497f");
  CHECK(to_hex(checksum("abc")) == "06b05ab6733a618578af5f94892f3950");
}

TEST_CASE("checksum: every flipped bit of a text gives another") {
  std::string text = "kernel void f(global float* a) { a[0] = 1; }";
  std::set<Checksum> seen{checksum(text)};
  for (std::size_t bit = 0; bit < text.size() * 8; ++bit) {
    std::string other = text;
    other[bit / 8] = static_cast<char>(other[bit / 8] ^ (1 << (bit % 8)));
    CHECK(seen.insert(checksum(other)).second);
  }
}
