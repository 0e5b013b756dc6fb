// Fourier transforms by the factors of their length: each is a product with a small constant matrix.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "ops/normalize/composition.h"
#include "ops/normalize/normalize_rules.h"

namespace tensordsl::ops::normalize {
namespace {

// ONNX's numbers of types.
constexpr std::int64_t kFloat = 1, kFloat16 = 10;

// Below it, the sum that DFT is by definition has no more terms than two factors have steps to store between.
constexpr std::int64_t kShortest = 32;
// Products of primes up to this are factors: larger ones mean more arithmetic, smaller ones more steps, each
// of which reads and writes all of the data.
constexpr std::int64_t kLargestFactor = 16;
// A prime is a factor up to this. Beyond, a convolution is less work: its two transforms are of twice the
// length and up to twice that, by at least three factors of up to 16.
constexpr std::int64_t kLargestPrime = 192;

/// The primes of n, the largest first.
std::vector<std::int64_t> primes_of(std::int64_t n) {
  std::vector<std::int64_t> primes;
  for (std::int64_t p = 2; p * p <= n; ++p) {
    for (; n % p == 0; n /= p) primes.push_back(p);
  }
  if (n > 1) primes.push_back(n);
  std::ranges::reverse(primes);
  return primes;
}

/// Splits n into as few factors as possible, similar in size; empty if one of its primes is too large.
std::vector<std::int64_t> factors_of(std::int64_t n) {
  const std::vector<std::int64_t> primes = primes_of(n);
  if (primes.front() > kLargestPrime) return {};
  for (std::size_t count = 1;; ++count) {
    std::vector<std::int64_t> factors(std::min(count, primes.size()), 1);
    const bool fits = std::ranges::all_of(primes, [&](std::int64_t prime) {
      std::int64_t& smallest = *std::ranges::min_element(factors);
      smallest *= prime;
      return smallest <= kLargestFactor || smallest == prime;
    });
    if (fits) return factors;
  }
}

struct RootOfUnity {
  double cosine, sine;
};

/// e^(2 pi i k / n), with equal numbers where angles mirror each other, so that terms cancel.
RootOfUnity root_of_unity(std::int64_t k, std::int64_t n) {
  const std::int64_t quarters = 4 * (k % n), quarter = quarters / n, rest = quarters % n;
  // Takes rest / n quarter turns, by an angle of at most half of one.
  const auto part = [&](std::int64_t numerator) {
    return std::numbers::pi / 2 * static_cast<double>(numerator) / static_cast<double>(n);
  };
  const bool is_near = 2 * rest <= n;
  const double cosine = is_near ? std::cos(part(rest)) : std::sin(part(n - rest)),
               sine = is_near ? std::sin(part(rest)) : std::cos(part(n - rest));
  const std::array<RootOfUnity, 4> turned{
      {{cosine, sine}, {-sine, cosine}, {-cosine, -sine}, {sine, -cosine}}};
  return turned[static_cast<std::size_t>(quarter)];
}

/// A transform of `length` along the second of three dimensions, [batch, length, parts].
struct Transform {
  Type type;
  Size batch;
  std::int64_t length = 0;
  std::int64_t frequencies = 0;  ///< the first ones, which are given
  std::int64_t parts = 2;        ///< 1 of real numbers
  std::int64_t given_parts = 2;  ///< 1: only the real part
  bool is_inverse = false;
  double scale = 1;  ///< of the result
};

/// Source: Cooley and Tukey, 1965, with decimation in frequency.
/// With n = f * rest, j = j1 * rest + j2 and k = k1 + f * k2:
///   X[k] = sum over j2 of w_rest^(j2 k2) * w_n^(j2 k1) * sum over j1 of w_f^(j1 k1) * x[j]
/// The inner sum is a product with a matrix, then come the factors w_n, and the outer sum is such a
/// transform of length `rest` for each k1.
class TransformSteps {
 public:
  TransformSteps(Composition& nodes, const Transform& transform) : nodes_(nodes), of_(transform) {}

  /// [batch, frequencies, given parts] of a tensor [batch, length, parts].
  std::string run(const std::string& x, const std::vector<std::int64_t>& factors) {
    std::string tensor = x;
    Size batch = of_.batch;
    std::int64_t rest = of_.length;
    for (std::size_t i = 0; i + 1 < factors.size(); ++i) {
      const std::int64_t f = factors[i];
      rest /= f;
      const Shape split = i == 0 ? Shape{batch, f, rest, of_.parts} : Shape{batch, 2, f, rest};
      tensor = nodes_.reshape("split", tensor, split);
      tensor = nodes_.add(
          "product", "Einsum", {matrix(f, f, i == 0 ? of_.parts : 2, 2, 1), tensor},
          attributes_of({{"equation", std::string(i == 0 ? "kpjq,bjrq->bkpr" : "kpjq,bqjr->bkpr")}}));
      tensor = turned(tensor, f, rest);
      batch *= f;
    }
    return last(tensor, factors, batch);
  }

 private:
  /// w^(j k) as a matrix [rows, parts, columns, parts].
  std::string matrix(std::int64_t columns, std::int64_t rows, std::int64_t column_parts,
                     std::int64_t row_parts, double scale) {
    Buffer values(of_.type, {rows, row_parts, columns, column_parts});
    std::int64_t at = 0;
    for (std::int64_t k = 0; k < rows; ++k) {
      for (std::int64_t p = 0; p < row_parts; ++p) {
        for (std::int64_t j = 0; j < columns; ++j) {
          for (std::int64_t q = 0; q < column_parts; ++q)
            values.set(at++, scale * part(k * j, columns, p, q));
        }
      }
    }
    return nodes_.constant("matrix", std::move(values));
  }

  /// Returns the factor with which part q of a number adds to part p of its product with w^k.
  double part(std::int64_t k, std::int64_t n, std::int64_t p, std::int64_t q) const {
    const RootOfUnity root = root_of_unity(k, n);
    const double sine = of_.is_inverse ? root.sine : -root.sine;
    return p == q ? root.cosine : p > q ? sine : -sine;
  }

  /// [batch, f, 2, rest] times w^(j2 k1).
  std::string turned(const std::string& x, std::int64_t f, std::int64_t rest) {
    std::string sum;
    for (std::int64_t q = 0; q < 2; ++q) {
      Buffer values(of_.type, {f, 2, rest});
      std::int64_t at = 0;
      for (std::int64_t k = 0; k < f; ++k) {
        for (std::int64_t p = 0; p < 2; ++p) {
          for (std::int64_t j = 0; j < rest; ++j) values.set(at++, part(k * j, f * rest, p, q));
        }
      }
      const std::string read = nodes_.part("part", x, 4, 2, q, 1 - q);
      const std::string term =
          nodes_.add("term", "Mul", {read, nodes_.constant("angles", std::move(values))});
      sum = q == 0 ? term : nodes_.add("turned", "Add", {sum, term});
    }
    return sum;
  }

  /// The last factor, whose frequencies have the largest distance, and all of them in their order.
  std::string last(const std::string& x, const std::vector<std::int64_t>& factors, const Size& batch) {
    const std::int64_t f = factors.back(), before = of_.length / f;
    const std::int64_t rows = (of_.frequencies + before - 1) / before;
    const bool is_only = factors.size() == 1;
    const std::int64_t parts = is_only ? of_.parts : 2;
    std::string tensor =
        nodes_.reshape("split", x, is_only ? Shape{batch, f, parts} : Shape{batch, parts, f});
    tensor =
        nodes_.add("product", "Einsum", {tensor, matrix(f, rows, parts, of_.given_parts, of_.scale)},
                   attributes_of({{"equation", std::string(is_only ? "bjq,kpjq->bkp" : "bqj,kpjq->bkp")}}));
    if (!is_only) {
      Shape digits{of_.batch};
      digits.insert(digits.end(), factors.begin(), factors.end() - 1);
      digits.emplace_back(rows);
      digits.emplace_back(of_.given_parts);
      Ints order{0};
      for (std::size_t i = factors.size(); i > 0; --i) order.push_back(static_cast<std::int64_t>(i));
      order.push_back(static_cast<std::int64_t>(factors.size() + 1));
      tensor = nodes_.transpose("ordered", nodes_.reshape("digits", tensor, digits), order);
      tensor = nodes_.reshape("spectrum", tensor, {of_.batch, before * rows, of_.given_parts});
    }
    return nodes_.part("frequencies", tensor, 3, 1, 0, (is_only ? rows : before * rows) - of_.frequencies);
  }

  Composition& nodes_;
  const Transform& of_;
};

using ComplexNumbers = std::vector<std::complex<double>>;

/// The transform of x, whose length is a power of 2.
ComplexNumbers transform_of(const ComplexNumbers& x) {
  const std::size_t n = x.size(), half = n / 2;
  if (n == 1) return x;
  ComplexNumbers even(half), odd(half), y(n);
  for (std::size_t i = 0; i < half; ++i) even[i] = x[2 * i], odd[i] = x[2 * i + 1];
  even = transform_of(even);
  odd = transform_of(odd);
  for (std::size_t k = 0; k < half; ++k) {
    const RootOfUnity root = root_of_unity(static_cast<std::int64_t>(k), static_cast<std::int64_t>(n));
    const std::complex<double> turned = odd[k] * std::complex(root.cosine, -root.sine);
    y[k] = even[k] + turned;
    y[k + half] = even[k] - turned;
  }
  return y;
}

/// Source: Bluestein, 1970. As j k = (j^2 + k^2 - (k - j)^2) / 2, with c[j] = w^(j^2 / 2):
///   X[k] = c[k] * sum over j of x[j] * c[j] / c[k - j]
/// The sum is a convolution, which is a product of transforms of any length that holds it: of a power of 2.
class Convolution {
 public:
  Convolution(Composition& nodes, const Transform& transform) : nodes_(nodes), of_(transform) {
    while (whole_ < 2 * of_.length - 1) whole_ *= 2;
  }

  std::string run(const std::string& x) {
    ComplexNumbers inverse_chirp(static_cast<std::size_t>(whole_));
    for (std::int64_t j = 0; j < of_.length; ++j) {
      const std::complex<double> value = std::conj(chirp(j));
      inverse_chirp[static_cast<std::size_t>(j)] = value;
      inverse_chirp[static_cast<std::size_t>(j == 0 ? 0 : whole_ - j)] = value;
    }
    std::string tensor = times(x, of_.parts, 2, chirps(of_.length, 1));
    tensor = nodes_.part("padded", tensor, 3, 1, 0, of_.length - whole_);
    tensor = transformed(tensor, whole_, false);
    // Divided by the length here, not at the end of the transform back: f16 does not hold the products else.
    ComplexNumbers spectrum = transform_of(inverse_chirp);
    for (std::complex<double>& value : spectrum) value /= static_cast<double>(whole_);
    tensor = times(tensor, 2, 2, spectrum);
    tensor = transformed(tensor, of_.frequencies, true);
    return times(tensor, 2, of_.given_parts, chirps(of_.frequencies, of_.scale));
  }

 private:
  std::complex<double> chirp(std::int64_t j) const {
    const RootOfUnity root = root_of_unity(j * j % (2 * of_.length), 2 * of_.length);
    return {root.cosine, of_.is_inverse ? root.sine : -root.sine};
  }

  ComplexNumbers chirps(std::int64_t count, double scale) const {
    ComplexNumbers values;
    for (std::int64_t j = 0; j < count; ++j) values.push_back(scale * chirp(j));
    return values;
  }

  std::string transformed(const std::string& x, std::int64_t frequencies, bool is_inverse) {
    const Transform whole{.type = of_.type,
                          .batch = of_.batch,
                          .length = whole_,
                          .frequencies = frequencies,
                          .is_inverse = is_inverse};
    return TransformSteps(nodes_, whole).run(x, factors_of(whole_));
  }

  /// [batch, n, given_parts] of x [batch, n, parts] times n numbers.
  std::string times(const std::string& x, std::int64_t parts, std::int64_t given_parts,
                    const ComplexNumbers& numbers) {
    std::string sum;
    for (std::int64_t q = 0; q < parts; ++q) {
      Buffer values(of_.type, {static_cast<std::int64_t>(numbers.size()), given_parts});
      std::int64_t at = 0;
      for (const std::complex<double>& number : numbers) {
        for (std::int64_t p = 0; p < given_parts; ++p)
          values.set(at++, p == q ? number.real() : p > q ? number.imag() : -number.imag());
      }
      const std::string read = nodes_.part("part", x, 3, 2, q, parts - 1 - q);
      const std::string term = nodes_.add("term", "Mul", {read, nodes_.constant("chirp", std::move(values))});
      sum = q == 0 ? term : nodes_.add("turned", "Add", {sum, term});
    }
    return sum;
  }

  Composition& nodes_;
  const Transform& of_;
  std::int64_t whole_ = 1;
};

/// [batch, frequencies, given parts] of a tensor [batch, length, parts].
std::string transformed(Composition& nodes, const Transform& transform, const std::string& x) {
  const std::vector<std::int64_t> factors = factors_of(transform.length);
  return factors.empty() ? Convolution(nodes, transform).run(x)
                         : TransformSteps(nodes, transform).run(x, factors);
}

/// True if a transform is computed by such steps, not by its definition.
bool has_steps(const Size& length) {
  constexpr std::int64_t kLongest = 1 << 20;  // its factors w_n are 20 MiB, the factors of a convolution 80
  return length.is_known() && length.value() >= kShortest && length.value() <= kLongest;
}

bool is_flag(const Attributes& attributes, const char* name) {
  const std::int64_t value = attributes.get<std::int64_t>(name, 0);
  return value == 0 || value == 1;
}

/// The type that is computed in: f32 for f16.
Type type_of_steps(Composition& nodes, std::string& x, Type type) {
  if (type != Float(16)) return type;
  x = nodes.add("wide", "Cast", {x}, attributes_of({{"to", kFloat}}));
  return Float(32);
}

void give_as(Composition& nodes, const std::string& y, Type type) {
  nodes.give(0, type == Float(16) ? nodes.add("narrow", "Cast", {y}, attributes_of({{"to", kFloat16}})) : y);
}

}  // namespace

std::vector<Node> dft_by_factors(NodeContext& context, Node node) {
  const TensorInfo& info = data_info(context, node);
  const Attributes& attributes = node.attributes;
  const std::size_t rank = info.shape.size();
  const std::int64_t given = attributes.get<std::int64_t>("axis");
  const auto axis = static_cast<std::size_t>(given < 0 ? given + static_cast<std::int64_t>(rank) : given);
  // The shape rule refuses all that does not fit.
  if (!info.type.is_float() || rank < 2 || axis + 1 >= rank) return {std::move(node)};
  if (!is_flag(attributes, "inverse") || !is_flag(attributes, "onesided")) return {std::move(node)};
  const bool is_inverse = attributes.get<std::int64_t>("inverse", 0) != 0,
             is_onesided = attributes.get<std::int64_t>("onesided", 0) != 0,
             gives_real = is_inverse && is_onesided;
  const Size parts = info.shape.back();
  if (parts != Size(2) && (parts != Size(1) || gives_real)) return {std::move(node)};
  if (is_onesided && !is_inverse && parts != Size(1)) return {std::move(node)};
  const Size here = info.shape[axis];
  Size length = here;
  if (attributes.has("dft_length")) {
    length = attributes.sizes("dft_length").at(0);
  } else if (gives_real) {
    length = 2 * (here - 1);
  }
  if (!has_steps(length) || !here.is_known() || here.value() < 1) return {std::move(node)};
  const std::int64_t n = length.value();

  Composition nodes(context, node);
  std::string x = node.inputs[0];
  Transform transform{.type = type_of_steps(nodes, x, info.type),
                      .batch = 1,
                      .length = n,
                      .frequencies = is_onesided && !is_inverse ? n / 2 + 1 : n,
                      .parts = parts.value(),
                      .given_parts = gives_real ? 1 : 2,
                      .is_inverse = is_inverse,
                      .scale = is_inverse ? 1 / static_cast<double>(n) : 1};
  Shape moved = info.shape;
  Ints order, back;
  for (std::size_t d = 0; d < rank; ++d) {
    if (d != axis && d + 1 < rank) order.push_back(static_cast<std::int64_t>(d));
  }
  order.push_back(static_cast<std::int64_t>(axis));
  order.push_back(static_cast<std::int64_t>(rank - 1));
  for (std::size_t d = 0; d < rank; ++d) {
    moved[d] = info.shape[static_cast<std::size_t>(order[d])];
    back.push_back(std::ranges::find(order, static_cast<std::int64_t>(d)) - order.begin());
  }
  const bool is_moved = axis + 2 != rank;
  if (is_moved) x = nodes.transpose("along", x, order);
  transform.batch = element_count(Shape(moved.begin(), moved.end() - 2));
  x = nodes.reshape("signals", x, {transform.batch, here, parts});
  // Elements beyond the length are left out, and those that are missing are zero.
  const std::int64_t terms = std::min(here.value(), gives_real ? n / 2 + 1 : n);
  x = nodes.part("terms", x, 3, 1, 0, here.value() - terms);
  if (gives_real) {
    // The other half of the spectrum is the conjugate of this one.
    Buffer times(transform.type, {terms, 1});
    for (std::int64_t k = 0; k < terms; ++k) times.set(k, k == 0 || 2 * k == n ? 1 : 2);
    x = nodes.add("of_both_halves", "Mul", {x, nodes.constant("times", std::move(times))});
  }
  x = nodes.part("padded", x, 3, 1, 0, terms - n);
  std::string y = transformed(nodes, transform, x);
  moved[rank - 2] = transform.frequencies;
  moved[rank - 1] = transform.given_parts;
  y = nodes.reshape("spectra", y, moved);
  if (is_moved) y = nodes.transpose("back", y, back);
  give_as(nodes, y, info.type);
  return nodes.take();
}

std::vector<Node> stft_by_factors(NodeContext& context, Node node, const TensorInfo& info) {
  const Attributes& attributes = node.attributes;
  const Shape& x = info.shape;
  if (!info.type.is_float() || x.size() != 3 || (x[2] != Size(1) && x[2] != Size(2)))
    return {std::move(node)};
  const std::int64_t onesided = attributes.get<std::int64_t>("onesided", 1);
  if ((onesided != 0 && onesided != 1) || (onesided == 1 && x[2] != Size(1))) return {std::move(node)};
  const std::string window = node.input(1);
  Size length = x[1];
  if (attributes.has("frame_length")) {
    length = attributes.sizes("frame_length").at(0);
  } else if (!window.empty() && context.info(window).shape.size() == 1) {
    length = context.info(window).shape[0];
  }
  const Size step = attributes.has("frame_step") ? attributes.sizes("frame_step").at(0) : Size(0);
  if (!has_steps(length) || is_less(0, step) != true || is_less(x[1], length) == true)
    return {std::move(node)};
  // If both are open, the positions of frames in all signals have no known bounds.
  const Size count = quotient(x[1] - length, step) + 1;
  if (!count.is_known() && x[0] != Size(1)) return {std::move(node)};

  Composition nodes(context, node);
  std::string frames =
      nodes.add("frames", "Frames", node.inputs,
                attributes_of({{"frame_length", Sizes{length}}, {"frame_step", Sizes{step}}}));
  const std::int64_t n = length.value();
  const Transform transform{.type = type_of_steps(nodes, frames, info.type),
                            .batch = x[0] * count,
                            .length = n,
                            .frequencies = onesided != 0 ? n / 2 + 1 : n,
                            .parts = x[2].value()};
  frames = nodes.reshape("signals", frames, {transform.batch, n, x[2]});
  const std::string y = transformed(nodes, transform, frames);
  give_as(nodes, nodes.reshape("spectra", y, {x[0], count, transform.frequencies, 2}), info.type);
  return nodes.take();
}

}  // namespace tensordsl::ops::normalize
