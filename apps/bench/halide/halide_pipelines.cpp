#include "apps/bench/halide/halide_pipelines.h"

#include <array>
#include <cmath>
#include <numbers>
#include <optional>

namespace tensordsl::bench {
namespace {

using Site = std::array<int, 2>;  // how far in x, and in y

/// Element i is (i*step % modulus + plus)/divisor - minus.
Buffer ramp(Type type, const std::vector<std::int64_t>& shape, std::int64_t step, std::int64_t modulus,
            double plus = 0, double divisor = 1, double minus = 0) {
  Buffer buffer(type, shape);
  for (std::int64_t i = 0; i < buffer.elements(); ++i)
    buffer.set(i, (static_cast<double>(i * step % modulus) + plus) / divisor - minus);
  return buffer;
}

Buffer numbers(const std::vector<std::int64_t>& shape, const std::vector<float>& values) {
  Buffer buffer(Float(32), shape);
  for (std::int64_t i = 0; i < buffer.elements(); ++i)
    buffer.set(i, static_cast<double>(values[static_cast<std::size_t>(i)]));
  return buffer;
}

/// A 3x3 mean of u16, in two passes.
HalidePipeline blur(int scale) {
  const int width = 6400 / scale, height = 4800 / scale;
  const Var y("y"), x("x");
  const Input image("image", UInt(16), {height + 2, width + 2});
  Func across("across"), out("blur");
  across(y, x) = (image(y, x) + image(y, x + 1) + image(y, x + 2)) / 3;
  out(y, x) = (across(y, x) + across(y + 1, x) + across(y + 2, x)) / 3;
  out.bound({height, width});
  return {"blur", out, {{"image", ramp(UInt(16), {height + 2, width + 2}, 7919, 65536)}}, {}};
}

/// Sharpens: adds back the brightness that a Gaussian blur of 1.5 pixels removes.
HalidePipeline unsharp(int scale) {
  const int width = 1536 / scale, height = 2560 / scale;
  const Var c("c"), y("y"), x("x"), i("i");
  const Input image("image", Float(32), {3, height, width});
  const Func near = BoundaryConditions::repeat_edge(image, {3, height, width});
  Func weight("weight"), gray("gray"), down("down"), across("across"), ratio("ratio"), out("unsharp");
  constexpr float kSigma = 1.5F;
  const float scaling = std::sqrt(2 * std::numbers::pi_v<float>) * kSigma;
  weight(i) = exp(-cast<float>(i * i) / (2 * kSigma * kSigma)) / scaling;
  gray(y, x) = 0.299F * near(0, y, x) + 0.587F * near(1, y, x) + 0.114F * near(2, y, x);
  const auto blurred = [&](const Func& f, int dy, int dx) {
    Expr sum = weight(0) * f(y, x);
    for (int k = 1; k <= 3; ++k)
      sum = sum + weight(k) * (f(y - k * dy, x - k * dx) + f(y + k * dy, x + k * dx));
    return sum;
  };
  down(y, x) = blurred(gray, 1, 0);
  across(y, x) = blurred(down, 0, 1);
  ratio(y, x) = (2.0F * gray(y, x) - across(y, x)) / gray(y, x);
  out(c, y, x) = ratio(y, x) * image(c, y, x);
  out.bound({3, height, width});
  return {"unsharp", out, {{"image", ramp(Float(32), {3, height, width}, 7919, 65521, 1, 65536)}}, {}};
}

/// Rounded up.
Expr average(const Expr& a, const Expr& b) {
  const Type type = a.type(), wide = type.bits == 8 ? UInt(16) : UInt(32);
  return cast(type, (cast(wide, a) + cast(wide, b) + 1) / 2);
}

/// The color of each pixel from sensors that see one each: green, red; blue, green.
class Demosaic {
 public:
  Demosaic(const Func& raw, const Var& y, const Var& x) : raw_(raw), y_(y), x_(x) {
    at_red_(y_, x_) =
        straighter({green_red({1, 0}), green_red({0, 0})}, {green_blue({0, -1}), green_blue({0, 0})});
    at_blue_(y_, x_) =
        straighter({green_blue({-1, 0}), green_blue({0, 0})}, {green_red({0, 1}), green_red({0, 0})});
  }

  /// Red, green and blue, i16: corrected values may be below 0.
  std::array<Expr, 3> colors() {
    const auto red = [this](Site s) { return raw(1, s); };
    const auto blue = [this](Site s) { return raw(2, s); };
    const auto in_red = [this](Site s) { return at_red_(y_ + s[1], x_ + s[0]); };
    const auto in_blue = [this](Site s) { return at_blue_(y_ + s[1], x_ + s[0]); };
    const Expr red_at_green_red = corrected(red, in_red, green_red({0, 0}), {0, 0}, {-1, 0});
    const Expr blue_at_green_red = corrected(blue, in_blue, green_red({0, 0}), {0, 0}, {0, -1});
    const Expr red_at_green_blue = corrected(red, in_red, green_blue({0, 0}), {0, 0}, {0, 1});
    const Expr blue_at_green_blue = corrected(blue, in_blue, green_blue({0, 0}), {0, 0}, {1, 0});
    const Expr red_at_blue = diagonal(red, in_red, in_blue({0, 0}), {{{0, 0}, {-1, 1}}}, {{{-1, 0}, {0, 1}}});
    const Expr blue_at_red =
        diagonal(blue, in_blue, in_red({0, 0}), {{{0, 0}, {1, -1}}}, {{{1, 0}, {0, -1}}});
    return {interleaved("red", {red_at_green_red, red({0, 0}), red_at_blue, red_at_green_blue}),
            interleaved("green", {green_red({0, 0}), in_red({0, 0}), in_blue({0, 0}), green_blue({0, 0})}),
            interleaved("blue", {blue_at_green_red, blue_at_red, blue({0, 0}), blue_at_green_blue})};
  }

 private:
  using Pair = std::array<Site, 2>;

  Expr raw(int plane, Site s) const { return raw_(plane, y_ + s[1], x_ + s[0]); }
  Expr green_red(Site s) const { return raw(0, s); }
  Expr green_blue(Site s) const { return raw(3, s); }

  /// Returns the average of that pair whose values differ less.
  static Expr straighter(const std::array<Expr, 2>& a, const std::array<Expr, 2>& b) {
    return select(absd(a[0], a[1]) < absd(b[0], b[1]), average(a[0], a[1]), average(b[0], b[1]));
  }

  /// Returns a color between two sites, corrected by the error of the same average of green.
  static Expr corrected(const auto& color, const auto& green, const Expr& center, Site p, Site q) {
    return center - average(green(p), green(q)) + average(color(p), color(q));
  }

  static Expr diagonal(const auto& color, const auto& green, const Expr& center, Pair a, Pair b) {
    return select(absd(color(a[0]), color(a[1])) < absd(color(b[0]), color(b[1])),
                  corrected(color, green, center, a[0], a[1]), corrected(color, green, center, b[0], b[1]));
  }

  /// Interleaves the four sites of each 2x2 block into one picture.
  Expr interleaved(const std::string& name, const std::array<Expr, 4>& sites) const {
    std::array<Expr, 4> all;
    for (std::size_t i = 0; i < sites.size(); ++i) {
      Func site(name + std::to_string(i));
      site(y_, x_) = sites[i];
      all[i] = site(y_ / 2, x_ / 2);
    }
    const Expr even = x_ % 2 == 0;
    return cast<std::int16_t>(
        select(y_ % 2 == 0, select(even, all[0], all[1]), select(even, all[2], all[3])));
  }

  Func raw_, at_red_{"at_red"}, at_blue_{"at_blue"};
  Var y_, x_;
};

HalidePipeline camera_pipe(int scale) {
  const int width = 2560 / scale, height = 1920 / scale;
  const Var c("c"), y("y"), x("x"), i("i");
  const Input sensor("sensor", UInt(16), {height + 48, width + 32});
  const Input warm("warm", Float(32), {3, 4}), cold("cold", Float(32), {3, 4});
  const Param temperature("temperature", Float(32)), gamma("gamma", Float(32)),
      contrast("contrast", Float(32)), strength("strength", Float(32)), black("black"), white("white");
  Func shifted("shifted"), denoised("denoised"), raw("raw"), demosaiced("demosaiced");
  shifted(y, x) = sensor(y + 12, x + 16);
  denoised(y, x) =
      clamp(shifted(y, x), cast<std::uint16_t>(Expr(0)),
            max(max(shifted(y, x - 2), shifted(y, x + 2)), max(shifted(y - 2, x), shifted(y + 2, x))));
  const auto plane = [&](int dy, int dx) { return denoised(2 * y + dy, 2 * x + dx); };
  raw(c, y, x) =
      select(c == 0, plane(0, 0), select(c == 1, plane(0, 1), select(c == 2, plane(1, 0), plane(1, 1))));
  const std::array<Expr, 3> colors = Demosaic(raw, y, x).colors();
  demosaiced(c, y, x) = select(c == 0, colors[0], select(c == 1, colors[1], colors[2]));

  Func matrix("matrix"), corrected("corrected"), curve("curve"), curved("curved");
  constexpr float kWarm = 1 / 3200.0F, kCold = 1 / 7000.0F;
  const Expr mix = (1.0F / Expr(temperature) - kWarm) / (kCold - kWarm);
  matrix(c, i) = cast<std::int16_t>((warm(c, i) * mix + cold(c, i) * (1.0F - mix)) * 256.0F);
  Expr sum = cast<int>(matrix(c, 3));
  for (int k = 0; k < 3; ++k) sum = sum + cast<int>(matrix(c, k)) * cast<int>(demosaiced(k, y, x));
  corrected(c, y, x) = cast<std::int16_t>(sum / 256);

  const Expr b = 2.0F - pow(Expr(2.0F), Expr(contrast) / 100.0F), a = 2.0F - 2.0F * b;
  const Expr linear = clamp(cast<float>(i - black) * (1.0F / cast<float>(Expr(white) - black)), 0.0F, 1.0F);
  const Expr g = pow(linear, 1.0F / Expr(gamma)), far = 1.0F - g;
  const Expr z = select(g > 0.5F, 1.0F - (a * far * far + b * far), a * g * g + b * g);
  const auto u8 = [](int value) { return cast<std::uint8_t>(Expr(value)); };
  curve(i) = select(i <= black, u8(0),
                    select(i > white, u8(255), cast<std::uint8_t>(clamp(z * 255.0F + 0.5F, 0.0F, 255.0F))));
  curved(c, y, x) = curve(clamp(cast<int>(corrected(c, y, x)), 0, 1023));

  Func strength_32("strength_32"), soft_y("soft_y"), soft("soft"), out("camera_pipe");
  strength_32() = saturating_cast<std::uint8_t>(Expr(strength) * 32.0F);
  soft_y(c, y, x) = average(average(curved(c, y - 1, x), curved(c, y + 1, x)), curved(c, y, x));
  soft(c, y, x) = average(average(soft_y(c, y, x - 1), soft_y(c, y, x + 1)), soft_y(c, y, x));
  const Expr mask = cast<std::int16_t>(curved(c, y, x)) - cast<std::int16_t>(soft(c, y, x));
  out(c, y, x) = saturating_cast<std::uint8_t>(cast<std::int16_t>(curved(c, y, x)) +
                                               mask * cast<std::int16_t>(strength_32()) / 32);
  out.bound({3, height, width});
  return {"camera_pipe",
          out,
          {{"sensor", ramp(UInt(16), {height + 48, width + 32}, 7919, 1024)},
           {"warm", numbers({3, 4}, {1.6697F, -0.2693F, -0.4004F, -42.4346F, -0.3576F, 1.0615F, 1.5949F,
                                     -37.1158F, -0.2175F, -1.8751F, 6.9640F, -26.6970F})},
           {"cold", numbers({3, 4}, {2.2997F, -0.4478F, 0.1706F, -39.0923F, -0.3826F, 1.5906F, -0.2080F,
                                     -25.4311F, -0.0888F, -0.7344F, 2.2832F, -20.0826F})}},
          {{"temperature", 3700.0F},
           {"gamma", 2.0F},
           {"contrast", 50.0F},
           {"strength", 1.0F},
           {"black", 25},
           {"white", 1023}}};
}

/// A Func of pictures: with a number of the picture before y and x, or without.
class Pictures {
 public:
  Pictures(Var y, Var x, std::optional<Var> number)
      : y_(std::move(y)), x_(std::move(x)), number_(std::move(number)) {}

  FuncRef at(const Func& f, const Expr& y, const Expr& x) const {
    return number_ ? f(*number_, y, x) : f(y, x);
  }
  FuncRef at(const Func& f) const { return at(f, y_, x_); }

  /// Half as large. Weights 1 3 3 1 along both axes.
  Func halved(const Func& f, const std::string& name) const {
    Func across(name + "_x"), out(name);
    const auto weighted = [](const auto& element) {
      return (element(-1) + 3.0F * (element(0) + element(1)) + element(2)) / 8.0F;
    };
    at(across) = weighted([&](int i) { return at(f, y_, 2 * x_ + i); });
    at(out) = weighted([&](int i) { return at(across, 2 * y_ + i, x_); });
    return out;
  }

  /// Twice as large, bilinear.
  Func doubled(const Func& f, const std::string& name) const {
    Func across(name + "_x"), out(name);
    const auto between = [](const Expr& place, const auto& element) {
      const Expr weight = cast<float>(place % 2 * 2 + 1) / 4.0F;
      return element((place + 1) / 2) * (1.0F - weight) + element((place - 1) / 2) * weight;
    };
    at(across) = between(x_, [&](const Expr& x) { return at(f, y_, x); });
    at(out) = between(y_, [&](const Expr& y) { return at(across, y, x_); });
    return out;
  }

 private:
  Var y_, x_;
  std::optional<Var> number_;
};

/// Source: Paris, Hasinoff and Kautz, Local Laplacian Filters (SIGGRAPH 2011); 8 levels of brightness, and 8
/// of the pyramid.
HalidePipeline local_laplacian(int scale) {
  const int width = 1536 / scale, height = 2560 / scale;
  constexpr int kLevels = 8, kDepth = 8;
  const Var c("c"), k("k"), y("y"), x("x"), i("i");
  const Input image("image", UInt(16), {3, height, width});
  const Param levels("levels"), alpha("alpha", Float(32)), beta("beta", Float(32));
  const Func near = BoundaryConditions::repeat_edge(image, {3, height, width});
  Func remap("remap"), floating("floating"), gray("gray");
  const Expr fx = cast<float>(i) / 256.0F;
  remap(i) = Expr(alpha) * fx * exp(-fx * fx / 2.0F);
  floating(c, y, x) = cast<float>(near(c, y, x)) / 65535.0F;
  gray(y, x) = 0.299F * floating(0, y, x) + 0.587F * floating(1, y, x) + 0.114F * floating(2, y, x);

  const Pictures one(y, x, std::nullopt), each(y, x, k);
  const Expr last = Expr(levels) - 1;
  std::vector<Func> processed{Func("processed_0")}, source{gray};
  const Expr level = cast<float>(k) * (1.0F / cast<float>(last));
  const Expr index = clamp(cast<int>(gray(y, x) * cast<float>(last) * 256.0F), 0, last * 256);
  // Halide bounds the table by its Params, which are known here.
  const Expr place = clamp(index - 256 * k, -256 * (kLevels - 1), 256 * (kLevels - 1));
  processed[0](k, y, x) = Expr(beta) * (gray(y, x) - level) + level + remap(place);
  for (int j = 1; j < kDepth; ++j) {
    processed.push_back(each.halved(processed.back(), "processed_" + std::to_string(j)));
    source.push_back(one.halved(source.back(), "source_" + std::to_string(j)));
  }

  std::vector<Func> result(kDepth);
  for (int j = kDepth - 1; j >= 0; --j) {
    const auto at = static_cast<std::size_t>(j);
    const std::string number = std::to_string(j);
    Func detail("detail_" + number), out("out_" + number);
    Expr value = processed[at](k, y, x);
    if (j + 1 < kDepth) value = value - each.doubled(processed[at + 1], "doubled_" + number)(k, y, x);
    detail(k, y, x) = value;
    const Expr position = source[at](y, x) * cast<float>(last);
    const Expr low = clamp(cast<int>(position), 0, kLevels - 2), part = position - cast<float>(low);
    Expr mixed = (1.0F - part) * detail(low, y, x) + part * detail(low + 1, y, x);
    if (j + 1 < kDepth) mixed = one.doubled(result[at + 1], "out_doubled_" + number)(y, x) + mixed;
    out(y, x) = mixed;
    result[at] = out;
  }
  Func out("local_laplacian");
  const Expr color = result[0](y, x) * (floating(c, y, x) + 0.01F) / (gray(y, x) + 0.01F);
  out(c, y, x) = cast<std::uint16_t>(clamp(color, 0.0F, 1.0F) * 65535.0F);
  out.bound({3, height, width});
  return {"local_laplacian",
          out,
          {{"image", ramp(UInt(16), {3, height, width}, 7919, 65521)}},
          {{"levels", kLevels}, {"alpha", 1.0F / (kLevels - 1)}, {"beta", 1.0F}}};
}

HalidePipeline halide_matmul(int scale) {
  const int size = 1024 / scale;
  const Var y("y"), x("x");
  const RDom r({{0, size}}, "r");
  const Input a("a", Float(32), {size, size}), b("b", Float(32), {size, size});
  Func product("product"), out("matmul");
  product(y, x) += a(y, r[0]) * b(r[0], x);
  out(y, x) = product(y, x);
  out.bound({size, size});
  return {"matmul",
          out,
          {{"a", ramp(Float(32), {size, size}, 7919, 65536, 0, 65536)},
           {"b", ramp(Float(32), {size, size}, 104729, 65536, 0, 65536, 0.5)}},
          {}};
}

}  // namespace

std::vector<HalidePipeline> halide_pipelines(int scale) {
  return {blur(scale), unsharp(scale), camera_pipe(scale), local_laplacian(scale), halide_matmul(scale)};
}

}  // namespace tensordsl::bench
