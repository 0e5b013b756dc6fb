#include "tensordsl/half.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace tensordsl;

TEST_CASE("half: every half value survives the way to float and back") {
  for (int h = 0; h <= 0xffff; ++h) {
    const float f = half_to_float(static_cast<std::uint16_t>(h));
    if (std::isnan(f)) {
      CHECK(std::isnan(half_to_float(float_to_half(f))));
    } else {
      CHECK(float_to_half(f) == h);
    }
  }
}

TEST_CASE("half: conversion picks the nearer neighbor, and the even one half-way") {
  for (int h = 0; h < 0x7bff; ++h) {
    const float low = half_to_float(static_cast<std::uint16_t>(h));
    const float high = half_to_float(static_cast<std::uint16_t>(h + 1));
    const float middle = (low + high) / 2;
    CHECK(float_to_half(std::nextafter(middle, 0.0f)) == h);
    CHECK(float_to_half(std::nextafter(middle, 1e9f)) == h + 1);
    CHECK(float_to_half(middle) == (h % 2 == 0 ? h : h + 1));
  }
}

TEST_CASE("half: values past the largest half become infinity") {
  CHECK(float_to_half(65504.0f) == 0x7bff);
  CHECK(float_to_half(65519.996f) == 0x7bff);
  CHECK(float_to_half(65520.0f) == 0x7c00);
  CHECK(float_to_half(-std::numeric_limits<float>::infinity()) == 0xfc00);
}
