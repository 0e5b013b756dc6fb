// Spectra, windows and mel matrices: shapes, and values against sums of complex numbers.
#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <map>
#include <numbers>

#include "ops/define_operator.h"
#include "ops/run_shape_rule.h"
#include "runtime/host/interpreter.h"
#include "schedule/func_schedule.h"

using namespace tensordsl;
using namespace tensordsl::ops;
using namespace tensordsl::testing;

namespace {

using Complex = std::complex<double>;
using Values = std::map<std::string, Attributes::Value>;

Buffer evaluate(const std::string& op, const std::vector<Buffer>& inputs, const Values& values) {
  Attributes attributes;
  for (const auto& [name, value] : values) attributes.set(name, value);
  auto [inferred, outputs] = define_operator(op, infos_of(inputs), attributes);
  return runtime::interpret(outputs.at(0).shared(), func_shape(inferred.shape()), {by_name(inputs), {}});
}

Buffer signal(Type type, const Ints& shape) {
  Buffer x(type, shape);
  for (std::int64_t i = 0; i < x.elements(); ++i) x.set(i, static_cast<double>((i * 37) % 23) / 8 - 1);
  return x;
}

/// Element `n` of a row of `parts` numbers.
Complex element(const Buffer& x, std::int64_t n, std::int64_t parts) {
  return {x.get(n * parts), parts == 2 ? x.get(n * parts + 1) : 0};
}

Complex turned(std::int64_t k, std::int64_t n, std::int64_t length) {
  return std::polar(1.0,
                    2 * std::numbers::pi * static_cast<double>(k * n % length) / static_cast<double>(length));
}

Sizes size(std::int64_t value) { return Sizes{value}; }

/// Returns only the last frequency.
Buffer evaluate_last(const Buffer& x) {
  Attributes attributes;
  attributes.set("axis", std::int64_t{0});
  auto [inferred, outputs] = define_operator("DFT", infos_of({x}), attributes);
  const Var k("k"), part("part");
  Func last("last");
  last(k, part) = outputs.at(0)(k + static_cast<int>(x.shape()[0] - 1), part);
  return runtime::interpret(last.shared(), {1, 2}, {by_name({x}), {}});
}

}  // namespace

TEST_CASE("DFT: of a signal that is cut off or padded, real and complex, both ways") {
  for (const std::int64_t parts : {1, 2}) {
    for (const std::int64_t length : {3, 7, 8, 12}) {
      for (const std::int64_t inverse : {0, 1}) {
        CAPTURE(parts);
        CAPTURE(length);
        CAPTURE(inverse);
        const Buffer x = signal(Float(32), {7, parts});
        const Buffer y = evaluate(
            "DFT", {x}, {{"axis", std::int64_t{0}}, {"dft_length", size(length)}, {"inverse", inverse}});
        REQUIRE(y.shape() == Ints{length, 2});
        for (std::int64_t k = 0; k < length; ++k) {
          Complex expected;
          for (std::int64_t n = 0; n < std::min<std::int64_t>(7, length); ++n) {
            const Complex by = turned(k, n, length);
            expected +=
                element(x, n, parts) * (inverse != 0 ? by / static_cast<double>(length) : std::conj(by));
          }
          CHECK(std::abs(element(y, k, 2) - expected) < 2e-6);
        }
      }
    }
  }
}

TEST_CASE("DFT: onesided gives half of a real signal's spectrum, and its inverse the signal") {
  for (const std::int64_t length : {1, 6, 9}) {
    CAPTURE(length);
    const Buffer x = signal(Float(64), {2, length, 1});
    const Values forward{{"axis", std::int64_t{-2}}, {"onesided", std::int64_t{1}}};
    const Buffer half = evaluate("DFT", {x}, forward);
    REQUIRE(half.shape() == Ints{2, length / 2 + 1, 2});
    Values backward = forward;
    backward["inverse"] = std::int64_t{1};
    backward["dft_length"] = size(length);
    const Buffer again = evaluate("DFT", {half}, backward);
    REQUIRE(again.shape() == Ints{2, length, 1});
    for (std::int64_t i = 0; i < x.elements(); ++i)
      CHECK(again.get(i) == doctest::Approx(x.get(i)).epsilon(1e-12));
  }
}

TEST_CASE("DFT: terms that cancel leave nothing") {
  Buffer ones(Float(32), {64, 1});
  for (std::int64_t i = 0; i < 64; ++i) ones.set(i, 1);
  const Buffer y = evaluate("DFT", {ones}, {{"axis", std::int64_t{0}}});
  CHECK(y.get(0) == 64);
  for (std::int64_t i = 1; i < 128; ++i) CHECK(std::abs(y.get(i)) < 3e-6);
  CHECK(y.get(64) == 0);  // of half the rate
  CHECK(y.get(65) == 0);
}

TEST_CASE("DFT: places and frequencies whose product is no i32") {
  constexpr std::int64_t kLength = 1 << 20;
  Buffer x(Float(32), {kLength, 1});
  x.set(kLength - 1, 1);
  const Buffer y = evaluate_last(x);
  // (length - 1)^2 turns of 1 / length are one such turn.
  CHECK(y.get(0) == doctest::Approx(std::cos(2 * std::numbers::pi / kLength)));
  CHECK(y.get(1) == doctest::Approx(-std::sin(2 * std::numbers::pi / kLength)));
}

TEST_CASE("DFT: shapes, defaults, and what does not fit") {
  const Values axis{{"axis", std::int64_t{1}}};
  CHECK(run("DFT", {f32({2, 10, 1})}, axis) ==
        "f32[2,10,2] {axis=1, dft_length=[10], inverse=0, onesided=0}");
  Values onesided = axis;
  onesided["onesided"] = std::int64_t{1};
  CHECK(run("DFT", {f32({2, 10, 1})}, onesided) ==
        "f32[2,6,2] {axis=1, dft_length=[10], inverse=0, onesided=1}");
  CHECK(run("DFT", {f32({2, 10, 2})}, onesided) ==
        "onesided = 1 with inverse = 0 needs a real input; it is complex");
  onesided["inverse"] = std::int64_t{1};
  CHECK(run("DFT", {f32({2, 6, 2})}, onesided) ==
        "f32[2,10,1] {axis=1, dft_length=[10], inverse=1, onesided=1}");
  CHECK(run("DFT", {f32({2, 6, 1})}, onesided) ==
        "onesided = 1 with inverse = 1 needs a complex input; it is real");
  CHECK(run("DFT", {f32({2, 10, 3})}, axis) ==
        "the input has the shape [2,10,3]; its last dimension must be 1 (real) or 2 (complex), with a signal "
        "before "
        "it");
  CHECK(run("DFT", {f32({2, 10, 2})}, {{"axis", std::int64_t{-1}}}) ==
        "axis -1 holds the real and imaginary parts; pass another axis");
  Values none = axis;
  none["dft_length"] = size(0);
  CHECK(run("DFT", {f32({2, 10, 1})}, none) == "dft_length is 0; it must be 1 to 268435456");
  CHECK(run("DFT", {i64({2, 10, 1})}, axis) == "input 0 is i64[2,10,1]; supported: f64, f32, f16");
}

TEST_CASE("STFT: the spectrum of each frame, times the window") {
  const Buffer x = signal(Float(32), {2, 11, 2}), window = signal(Float(32), {4});
  const Buffer y = evaluate("STFT", {x, window}, {{"frame_step", size(3)}, {"onesided", std::int64_t{0}}});
  REQUIRE(y.shape() == Ints{2, 3, 4, 2});
  for (std::int64_t i = 0; i < 2 * 3 * 4; ++i) {
    const std::int64_t batch = i / 12, frame = i / 4 % 3, k = i % 4;
    Complex expected;
    for (std::int64_t n = 0; n < 4; ++n)
      expected += element(x, batch * 11 + frame * 3 + n, 2) * window.get(n) * std::conj(turned(k, n, 4));
    CHECK(std::abs(element(y, i, 2) - expected) < 1e-5);
  }
}

TEST_CASE("STFT: shapes, defaults, and what does not fit") {
  const Values step{{"frame_step", size(8)}};
  CHECK(run("STFT", {f32({1, 128, 1}), f32({16})}, step) ==
        "f32[1,15,9,2] {frame_length=[16], frame_step=[8], onesided=1}");
  CHECK(run("STFT", {f32({1, 128, 1})}, step) ==
        "f32[1,1,65,2] {frame_length=[128], frame_step=[8], onesided=1}");
  CHECK(run("STFT", {f32({1, 128, 2})}, step) == "onesided = 1 needs a real signal; it is complex");
  CHECK(run("STFT", {f32({128, 1})}, step) ==
        "the signal has the shape [128,1]; it must be [batch, length, 1 or 2]");
  CHECK(run("STFT", {f32({1, 8, 1}), f32({16})}, step) ==
        "the signal has 8 samples; a frame has 16, and must not be longer");
  Values both = step;
  both["frame_length"] = size(12);
  CHECK(run("STFT", {f32({1, 128, 1}), f32({16})}, both) ==
        "the window has the shape [16]; it must be [12], as frame_length says");
  CHECK(run("STFT", {f32({1, 128, 1}), f32({16})}, {{"frame_step", size(0)}}) ==
        "frame_step is 0; it must be 1 to 268435456");
}

TEST_CASE("window functions: periodic ones go on, others end as they begin") {
  const auto window = [](const std::string& op, std::int64_t count, std::int64_t periodic) {
    return evaluate(op, {},
                    {{"size", size(count)}, {"periodic", periodic}, {"output_datatype", std::int64_t{11}}});
  };
  const Buffer hann = window("HannWindow", 5, 0), hamming = window("HammingWindow", 4, 1),
               blackman = window("BlackmanWindow", 5, 0);
  for (std::int64_t i = 0; i < 5; ++i) {
    const double t = static_cast<double>(i) * std::numbers::pi / 2;
    CHECK(hann.get(i) == doctest::Approx(0.5 - 0.5 * std::cos(t)));
    CHECK(blackman.get(i) == doctest::Approx(0.42 - 0.5 * std::cos(t) + 0.08 * std::cos(2 * t)));
    if (i < 4) CHECK(hamming.get(i) == doctest::Approx((25 - 21 * std::cos(t)) / 46));
  }
  CHECK(window("HannWindow", 1, 0).get(0) == 0);
  CHECK(window("HannWindow", 0, 0).elements() == 0);
  CHECK(run("HannWindow", {}, {{"size", size(4)}}) == "f32[4] {periodic=1, size=[4]}");
  CHECK(run("HannWindow", {}, {{"size", size(-1)}}) == "size is -1; it must not be negative");
}

TEST_CASE("MelWeightMatrix: triangles between the bins, also where two bins are one") {
  Buffer bins(Int(32), {5});
  for (std::int64_t i = 0; const std::int64_t bin : {0, 2, 3, 3, 6}) bins.set_int(i++, bin);
  const Buffer y = evaluate("MelWeightMatrix", {bins}, {{"spectrogram_bins", size(6)}});
  REQUIRE(y.shape() == Ints{6, 3});
  const double t = 1.0 / 3;
  const double expected[6][3] = {{0, 0, 0}, {0.5, 0, 0}, {1, 0, 0}, {0, 1, 1}, {0, 0, 2 * t}, {0, 0, t}};
  for (std::int64_t i = 0; i < 18; ++i) CHECK(y.get(i) == doctest::Approx(expected[i / 3][i % 3]));
}
