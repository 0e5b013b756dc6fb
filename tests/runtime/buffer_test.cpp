#include "tensordsl/buffer.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "tensordsl/error.h"
#include "tensordsl/half.h"

using namespace tensordsl;

TEST_CASE("buffer: a new one is filled with zeros and knows its size") {
  const Buffer b(Float(16), {2, 3, 4});
  CHECK(b.elements() == 24);
  CHECK(b.size_bytes() == 48);
  for (std::int64_t i = 0; i < b.elements(); ++i) CHECK(b.get(i) == 0);
  CHECK(Buffer().elements() == 0);
  CHECK(Buffer(Int(32), {}).elements() == 1);
  CHECK(Buffer(Int(32), {5, 0}).elements() == 0);
  CHECK(Buffer(Int(32), {std::int64_t{1} << 60, 0}).elements() == 0);
}

TEST_CASE("buffer: shapes that cannot be are refused") {
  CHECK_THROWS_WITH_AS(Buffer(Float(32), {2, -1}), "Buffer: the shape [2, -1] has a negative extent",
                       ShapeError);
  CHECK_THROWS_WITH_AS(Buffer(Float(32), {1 << 20, 1 << 20}),
                       "Buffer: the shape [1048576, 1048576] of f32 takes more than 2^40 bytes", ShapeError);
  CHECK_THROWS_AS(Buffer(Int(8), {INT64_MAX, INT64_MAX}), ShapeError);
}

TEST_CASE("buffer: elements convert to the type they are stored in") {
  Buffer h(Float(16), {2});
  h.set(0, 1.0 / 3);
  CHECK(h.get(0) == half_to_float(float_to_half(1.0f / 3)));
  CHECK(h.as<std::uint16_t>()[0] == float_to_half(1.0f / 3));
  Buffer u(UInt(8), {2});
  u.set(0, 300.7);
  u.set_int(1, 257);
  CHECK(u.get_int(0) == 255);
  CHECK(u.get_int(1) == 1);
  Buffer i(Int(8), {2});
  i.set(0, -1.9);
  i.set(1, std::nan(""));
  CHECK(i.get(0) == -1);
  CHECK(i.get(1) == 0);
  Buffer l(Int(64), {3});
  l.set_int(0, INT64_MIN);
  l.set(1, 1e30);
  l.set(2, -1e30);
  CHECK(l.get_int(0) == INT64_MIN);
  CHECK(l.get_int(1) == INT64_MAX);
  CHECK(l.get_int(2) == INT64_MIN);
  Buffer b(Bool(), {1});
  b.set(0, 0.5);
  CHECK(b.get_int(0) == 1);
  Buffer f(Float(32), {1});
  f.set_int(0, -7);
  CHECK(f.get(0) == -7);
  CHECK(f.get_int(0) == -7);
}

TEST_CASE("buffer: every f16 becomes the f32 that it is, and that becomes it again") {
  constexpr int kHalves = 1 << 16;
  Buffer halves(Float(16), {kHalves});
  for (int i = 0; i < kHalves; ++i) {
    const auto bits = static_cast<std::uint16_t>(i);
    std::memcpy(halves.bytes().data() + std::size_t{2} * static_cast<std::size_t>(i), &bits, sizeof bits);
  }
  const Buffer floats = halves.converted(Float(32)), back = floats.converted(Float(16));
  int different = 0;
  for (int i = 0; i < kHalves; ++i) {
    const double half = halves.get(i), value = floats.get(i), again = back.get(i);
    const bool is_same = std::isnan(half)
                             ? std::isnan(value) && std::isnan(again)
                             : half == value && half == again && std::signbit(half) == std::signbit(again);
    if (!is_same) ++different;
  }
  CHECK(different == 0);
}

TEST_CASE("buffer: conversion goes by value, reshaping keeps the bytes") {
  Buffer f(Float(32), {2, 2});
  for (int i = 0; i < 4; ++i) f.set(i, i + 0.25);
  const Buffer h = f.converted(Float(16));
  CHECK(h.type() == Float(16));
  CHECK(h.shape() == f.shape());
  CHECK(h.get(3) == 3.25);
  CHECK(f.converted(Int(32)).get_int(2) == 2);
  CHECK(f.converted(Int(32)).converted(Int(64)).get_int(3) == 3);
  const Buffer flat = f.reshaped({4});
  CHECK(flat.shape() == std::vector<std::int64_t>{4});
  CHECK(flat.get(3) == 3.25);
  CHECK_THROWS_WITH_AS(f.reshaped({3}),
                       "Buffer: cannot reshape [2, 2] to [3], which has a different number of elements",
                       ShapeError);
}
