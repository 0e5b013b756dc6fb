// A model with two operators that ONNX does not have: definitions in the language, given when it is loaded.
// own_operators [own_operators.onnx]; own_operators.py writes the model.
#include <tensordsl/model.h>
#include <tensordsl/tensordsl.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace tensordsl;

namespace {

// [definitions]
/// x + sin(alpha x)^2 / alpha, with an alpha for each channel.
std::vector<OperatorTensor> snake(const OperatorNode& node) {
  const OperatorTensor &x = node.input(0), &alpha = node.input(1);
  const Var n("n"), c("c"), t("t");
  Func y("snake");
  const Expr wave = sin(alpha.func(c) * x.func(n, c, t));
  y(n, c, t) = x.func(n, c, t) + wave * wave / alpha.func(c);
  return {{y, x.shape}};
}

/// Every `stride`th sample of x blurred with 1/4, 1/2, 1/4; the ends are repeated.
std::vector<OperatorTensor> blur_pool(const OperatorNode& node) {
  const OperatorTensor& x = node.input(0);
  const auto stride = static_cast<int>(node.attribute<std::int64_t>("stride", 2));
  const Var n("n"), c("c"), t("t");
  const RDom k({{0, 3}}, "k");
  Func y("blurred");
  const Expr place = clamp(stride * t + k - 1, 0, x.shape[2] - 1);
  y(n, c, t) += x.func(n, c, place) * select(k == 1, 0.5f, 0.25f);
  return {{y, {x.shape[0], x.shape[1], (x.shape[2] + stride - 1) / stride}}};
}
// [end]

constexpr int kInputs = 2, kChannels = 4, kLength = 33, kPooled = 17;

/// The model's y[n, c, t] of x [batch, kInputs, kLength], in plain C++.
double expected(const Buffer& x, std::int64_t n, std::int64_t c, std::int64_t t) {
  const auto bent = [&](std::int64_t at) {
    double filtered = 0;
    for (int i = 0; i < kInputs; ++i) {
      for (int k = 0; k < 3; ++k) {
        const std::int64_t place = at + k - 1;
        if (place < 0 || place >= kLength) continue;
        filtered += x.get((n * kInputs + i) * kLength + place) * static_cast<double>(c + 2 * i - k) / 8;
      }
    }
    const double alpha = 1 + static_cast<double>(c) / 4;
    return filtered + std::pow(std::sin(alpha * filtered), 2) / alpha;
  };
  const auto clamped = [](std::int64_t at) { return std::clamp<std::int64_t>(at, 0, kLength - 1); };
  return bent(clamped(2 * t - 1)) / 4 + bent(2 * t) / 2 + bent(clamped(2 * t + 1)) / 4;
}

}  // namespace

int main(int count, char** arguments) try {
  // [load]
  ModelOptions options;
  options.operators.add("com.example", "Snake", snake).add("com.example", "BlurPool", blur_pool);
  const Model model = Model::load(count > 1 ? arguments[1] : "own_operators.onnx", options);
  // [end]

  const auto device = Device::open();
  constexpr int kBatch = 3;  // The model leaves it open.
  Runner runner = model.run(*device, Precision::Float32, {{"batch", kBatch}});
  Buffer x(Float(32), {kBatch, kInputs, kLength});
  for (std::int64_t i = 0; i < x.elements(); ++i) x.set(i, std::sin(static_cast<double>(i)));
  runner.write("x", x);
  runner.run();
  const Buffer y = runner.read("y");

  double worst = 0;
  for (std::int64_t i = 0; i < y.elements(); ++i) {
    const std::int64_t n = i / (kChannels * kPooled), c = i / kPooled % kChannels, t = i % kPooled;
    worst = std::max(worst, std::abs(y.get(i) - expected(x, n, c, t)));
  }
  std::printf("own_operators: %zu kernels, %lld elements, largest difference %g\n",
              runner.program().launches.size(), static_cast<long long>(y.elements()), worst);
  return worst <= 1e-5 ? 0 : 1;
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
