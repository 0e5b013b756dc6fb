// f16 on a device: every conversion that kernels print, against the host's.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <set>

#include "tensordsl/half.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl {
namespace {

const Var x("x"), y("y"), xo("xo"), xi("xi");
constexpr std::array kLanes{1, 2, 3, 4, 8, 16};

struct Fixture {
  std::shared_ptr<Device> device = Device::open();
};

/// All 65536, so that element i has the bits i.
Buffer every_half() {
  Buffer data(Float(16), {1 << 16});
  std::uint16_t bits = 0;
  for (std::uint16_t& half : data.as<std::uint16_t>()) half = bits++;
  return data;
}

/// Values for which rounding to f16 may go wrong: every half, the middles between neighbors, the floats next
/// to each of these, both signs, and random bits, NaNs among them. Their number is a multiple of every lane
/// count.
Buffer singles_to_round() {
  std::set<std::uint32_t> bits;
  for (std::uint32_t half = 0; half <= 0x7c00; ++half) {
    const float value = half == 0x7c00 ? 65536.0f : half_to_float(static_cast<std::uint16_t>(half));
    const float below = half == 0 ? 0.0f : half_to_float(static_cast<std::uint16_t>(half - 1));
    for (const float at : {value, below + (value - below) / 2}) {
      for (const std::uint32_t near : {std::bit_cast<std::uint32_t>(at) - 1, std::bit_cast<std::uint32_t>(at),
                                       std::bit_cast<std::uint32_t>(at) + 1}) {
        bits.insert({near & 0x7fffffffu, near | 0x80000000u});
      }
    }
  }
  std::mt19937 random(7);
  while (bits.size() % 16 != 0 || bits.size() < 500000) bits.insert(static_cast<std::uint32_t>(random()));
  Buffer data(Float(32), {static_cast<std::int64_t>(bits.size())});
  std::copy(bits.begin(), bits.end(), data.as<std::uint32_t>().begin());
  return data;
}

/// The elements that differ; NaNs are equal.
template <typename T, typename Expected>
int differences(const Buffer& found, std::int64_t elements, Expected expected) {
  int count = 0;
  for (std::int64_t i = 0; i < elements; ++i) {
    const T bits = found.as<T>()[static_cast<std::size_t>(i)], wanted = expected(i);
    const auto is_nan = [](T value) {
      return sizeof(T) == 2 ? std::isnan(half_to_float(static_cast<std::uint16_t>(value)))
                            : std::isnan(std::bit_cast<float>(static_cast<std::uint32_t>(value)));
    };
    count += bits != wanted && !(is_nan(bits) && is_nan(wanted));
  }
  return count;
}

void set_lanes(Func& f, std::int64_t elements, int lanes) {
  f.bound({static_cast<int>(elements)}).split(x, xo, xi, 1 << 10, Tail::Guard).gpu_blocks(xo);
  if (lanes > 1) f.vectorize(xi, lanes);
}

}  // namespace

TEST_CASE_FIXTURE(Fixture, "f16: kernels read every half exactly, in every number of lanes") {
  const Buffer data = every_half();
  for (const int lanes : kLanes) {
    CAPTURE(lanes);
    const Input in("in", Float(16), {1 << 16});
    Func out("out");
    out(x) = cast(Float(32), in(x));
    set_lanes(out, 1 << 16, lanes);
    const Buffer found = Pipeline(out).realize({{"in", data}}, *device);
    CHECK(differences<std::uint32_t>(found, 1 << 16, [](std::int64_t i) {
            return std::bit_cast<std::uint32_t>(half_to_float(static_cast<std::uint16_t>(i)));
          }) == 0);
  }
}

TEST_CASE_FIXTURE(Fixture,
                  "f16: kernels round every f32 to the nearest half, ties to even, where they store it") {
  const Buffer data = singles_to_round();
  for (const int lanes : kLanes) {
    CAPTURE(lanes);
    const Input in("in", Float(32), {static_cast<int>(data.elements())});
    Func out("out");
    out(x) = cast(Float(16), in(x));
    set_lanes(out, data.elements(), lanes);
    const Buffer found = Pipeline(out).realize({{"in", data}}, *device);
    CHECK(differences<std::uint16_t>(found, data.elements(), [&](std::int64_t i) {
            return float_to_half(data.as<float>()[static_cast<std::size_t>(i)]);
          }) == 0);
  }
}

TEST_CASE_FIXTURE(Fixture, "f16: kernels round every f32 so, where the half is not stored") {
  const Buffer data = singles_to_round();
  for (const int lanes : kLanes) {
    CAPTURE(lanes);
    const Input in("in", Float(32), {static_cast<int>(data.elements())});
    Func half("half"), out("out");
    half(x) = cast(Float(16), in(x));
    out(x) = cast(Float(32), half(x));
    set_lanes(out, data.elements(), lanes);
    const Buffer found = Pipeline(out).realize({{"in", data}}, *device);
    CHECK(differences<std::uint32_t>(found, data.elements(), [&](std::int64_t i) {
            const float value = data.as<float>()[static_cast<std::size_t>(i)];
            return std::bit_cast<std::uint32_t>(half_to_float(float_to_half(value)));
          }) == 0);
  }
}

TEST_CASE_FIXTURE(Fixture, "f16: a Func of that type has the same bits wherever it is computed") {
  const Buffer data = singles_to_round();
  constexpr int kElements = 4096;
  const Buffer part = [&] {
    Buffer some(Float(32), {kElements});
    const auto stride = static_cast<std::size_t>(data.elements() / kElements);
    for (std::size_t i = 0; i < kElements; ++i) some.as<float>()[i] = data.as<float>()[i * stride];
    return some;
  }();
  const auto run = [&](const auto& schedule) {
    const Input in("in", Float(32), {kElements});
    Func half("half"), out("out");
    half(x) = cast(Float(16), in(x));
    out(x) = cast(Float(32), half(x)) - 1.0f;
    out.bound({kElements}).split(x, xo, xi, 32, Tail::Exact).gpu_blocks(xo);
    schedule(half, out);
    const Buffer found = Pipeline(out).realize({{"in", part}}, *device);
    CHECK(differences<std::uint32_t>(found, kElements, [&](std::int64_t i) {
            const float value = part.as<float>()[static_cast<std::size_t>(i)];
            return std::bit_cast<std::uint32_t>(half_to_float(float_to_half(value)) - 1.0f);
          }) == 0);
  };
  run([](Func&, Func&) {});
  run([](Func& half, Func&) { half.compute_root(); });
  run([](Func& half, Func& out) { half.compute_at(out, xo).store_in(Private); });
  run([](Func& half, Func& out) {
    out.vectorize(xi, 8);
    half.compute_at(out, xo).vectorize(x, 8);
  });
  run([](Func& half, Func& out) {
    out.gpu_threads(xi);
    half.compute_at(out, xo).store_in(Local).gpu_threads(x);
  });
  const Var t("t"), ti("ti");
  run([&](Func& half, Func& out) {
    out.split(xi, t, ti, 8, Tail::Exact).gpu_threads(t).vectorize(ti);
    half.compute_at(out, xo).store_in(Local).split(x, t, ti, 8, Tail::Exact).gpu_threads(t).vectorize(ti);
  });
}

TEST_CASE_FIXTURE(Fixture, "f16: vectors are loaded and stored at any element") {
  // Rows of 17, so that hardly any starts where a vector would; and one value for several of them, which a
  // compiler keeps in a register.
  for (const int lanes : {2, 3, 4, 8, 16}) {
    CAPTURE(lanes);
    const Input in("in", Float(16), {7, 17});
    Func shifted("shifted"), rows("rows");
    shifted(y, x) = in(y, x + 1);
    shifted.bound({7, 16}).vectorize(x, lanes).gpu_blocks(y);
    rows(y, x) = cast(Float(16), in(0, x) * 2.0f);
    rows.bound({7, 17}).vectorize(x, lanes).unroll(y);
    Buffer data(Float(16), {7, 17});
    for (std::int64_t i = 0; i < data.elements(); ++i) data.set(i, static_cast<double>(i) * 0.25);
    const Buffer moved = Pipeline(shifted).realize({{"in", data}}, *device);
    const Buffer repeated = Pipeline(rows).realize({{"in", data}}, *device);
    for (std::int64_t r = 0; r < 7; ++r) {
      for (std::int64_t c = 0; c < 16; ++c) CHECK(moved.get(r * 16 + c) == data.get(r * 17 + c + 1));
      for (std::int64_t c = 0; c < 17; ++c) CHECK(repeated.get(r * 17 + c) == data.get(c) * 2);
    }
  }
}

}  // namespace tensordsl
