#include "apps/support/fma_peak.h"

#include <algorithm>
#include <cstring>

#include "runtime/values/evaluate.h"
#include "tensordsl/error.h"
#include "tensordsl/pipeline.h"

namespace tensordsl::apps {

FmaPeak::FmaPeak(Device& device) : device_(device), target_(Target::of(device.info())) {
  const int lanes = target_.vector_width;
  const int chains = std::min(target_.accumulators, target_.group_items == 1 ? 24 : 8);
  const int items = target_.group_items * target_.compute_units * (target_.group_items == 1 ? 8 : 64);
  elements_ = static_cast<std::int64_t>(items) * lanes * chains;

  const Var item("item"), i("i");
  const Param steps("steps");
  Input factors("factors", Float(32), {2});
  const RDom r({{0, steps}}, "r");
  Func chain("chain"), out("fma_peak");
  chain(item, i) = cast(Float(32), i) * 0.001f;
  // 0*r ties the update to the domain: one multiply-add of the accumulator for each step.
  chain(item, i) = chain(item, i) * factors(0 * r) + factors(0 * r + 1);
  out(item, i) = Expr(chain(item, i));
  out.bound({items, lanes * chains}).vectorize(i, lanes).unroll(i).gpu_tile(item, target_.group_items);
  chain.compute_at(out, item).vectorize(i, lanes).unroll(i);
  chain.update().reorder({r[0], item, i}).vectorize(i, lanes).unroll(i);
  kernel_ = device_.build(Pipeline(out).compile(device.info()).kernels)[0];
}

double FmaPeak::measure() {
  const auto factors = device_.allocate(2 * sizeof(float));
  const float values[2] = {0.5f, 0.25f};
  device_.write(*factors, std::as_bytes(std::span(values)));
  const auto out = device_.allocate(static_cast<std::size_t>(elements_) * sizeof(float));
  const KernelSource& source = kernel_->source();
  const auto seconds = [&](std::int32_t steps) {
    Launch launch;
    launch.kernel = kernel_;
    for (const KernelArgument& a : source.arguments) {
      if (a.kind == KernelArgument::Kind::Scalar) {
        launch.arguments.emplace_back(steps);
      } else {
        launch.arguments.emplace_back(a.name == "factors" ? factors : out);
      }
    }
    for (std::size_t d = 0; d < 3; ++d) launch.groups[d] = runtime::evaluate(source.launch.groups[d], {});
    return static_cast<double>(device_.record({launch})->replay_timed()[0]) * 1e-9;
  };
  std::int32_t steps = 1024;
  double time = seconds(steps);
  while (time < 0.03 && steps < (1 << 28)) {
    steps = static_cast<std::int32_t>(
        std::min<double>(1 << 28, steps * std::clamp(0.035 / std::max(time, 1e-6), 1.5, 16.0)));
    time = seconds(steps);
  }
  for (int run = 0; run < 4; ++run) time = std::min(time, seconds(steps));
  return 2.0 * static_cast<double>(elements_) * steps / time * 1e-9;
}

}  // namespace tensordsl::apps
