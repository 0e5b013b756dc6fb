#include "attention_causal_any.h"
#include "attention_causal_pocl_cpu_avx512.h"
#include "attention_small_any.h"
#include "attention_small_pocl_cpu_avx512.h"
#include "attention_symbolic.h"
#include "generator/standalone/host.h"

template <typename Launcher>
bool run(const char* name, const Host& host, const Launcher& launcher, int heads, int queries, int keys,
         int depth, bool causal) {
  const std::vector<float> q = data<float>(std::int64_t{heads} * queries * depth, 1),
                           k = data<float>(std::int64_t{heads} * keys * depth, 2),
                           v = data<float>(std::int64_t{heads} * keys * depth, 3);
  std::vector<float> result(q.size());
  const auto query = launcher.create_query(), key = launcher.create_key(), value = launcher.create_value(),
             out = launcher.create_out();
  launcher.write_query(host.queue, query, q.data());
  launcher.write_key(host.queue, key, k.data());
  launcher.write_value(host.queue, value, v.data());
  launcher.run(host.queue, query, key, value, out);
  launcher.read_out(host.queue, out, result.data());
  return check(name, result, 1e-4, [&](std::int64_t i) {
    const int d = static_cast<int>(i) % depth, row = static_cast<int>(i) / depth % queries,
              head = static_cast<int>(i) / depth / queries;
    double total = 0, weighted = 0;
    for (int j = 0; j < keys; ++j) {
      if (causal && j > row + keys - queries) continue;
      double score = 0;
      for (int e = 0; e < depth; ++e) {
        score += static_cast<double>(q[static_cast<std::size_t>((head * queries + row) * depth + e)]) *
                 k[static_cast<std::size_t>((head * keys + j) * depth + e)];
      }
      const double weight = std::exp(score / std::sqrt(depth));
      total += weight;
      weighted += weight * v[static_cast<std::size_t>((head * keys + j) * depth + d)];
    }
    return weighted / total;
  });
}

int main() {
  const Host host;
  bool ok = run("any", host, kernels::attention_small_any::Launcher(host.context, host.device), 2, 5, 70, 40,
                false);
  ok &= run("cpu", host, kernels::attention_small_pocl_cpu_avx512::Launcher(host.context, host.device), 2, 5,
            70, 40, false);
  ok &= run("causal, any", host, kernels::attention_causal_any::Launcher(host.context, host.device), 1, 33,
            33, 80, true);
  ok &=
      run("causal, cpu", host, kernels::attention_causal_pocl_cpu_avx512::Launcher(host.context, host.device),
          1, 33, 33, 80, true);
  ok &= run("symbolic", host, kernels::attention_symbolic::Launcher(host.context, host.device, {3, 17, 2}), 3,
            2, 17, 16, true);
  return ok ? 0 : 1;
}
