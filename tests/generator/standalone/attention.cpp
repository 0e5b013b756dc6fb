#include <array>
#include <string>

#include "attention_causal_any.h"
#include "attention_causal_pocl_cpu_avx512.h"
#include "attention_few.h"
#include "attention_halves_any.h"
#include "attention_halves_pocl_cpu_avx512.h"
#include "attention_small_any.h"
#include "attention_small_pocl_cpu_avx512.h"
#include "attention_symbolic_any.h"
#include "attention_symbolic_pocl_cpu_avx512.h"
#include "generator/standalone/host.h"

template <typename T, typename Launcher>
bool run(const char* name, const Host& host, const Launcher& launcher, int heads, int queries, int keys,
         int depth, bool causal) {
  const std::vector<T> q = data<T>(std::int64_t{heads} * queries * depth, 1),
                       k = data<T>(std::int64_t{heads} * keys * depth, 2),
                       v = data<T>(std::int64_t{heads} * keys * depth, 3);
  std::vector<T> result(q.size());
  const auto query = launcher.create_query(), key = launcher.create_key(), value = launcher.create_value(),
             out = launcher.create_out();
  launcher.write_query(host.queue, query, q.data());
  launcher.write_key(host.queue, key, k.data());
  launcher.write_value(host.queue, value, v.data());
  launcher.run(host.queue, query, key, value, out);
  launcher.read_out(host.queue, out, result.data());
  return check(name, result, sizeof(T) == 2 ? 1e-3 : 1e-4, [&](std::int64_t i) {
    const int d = static_cast<int>(i) % depth, row = static_cast<int>(i) / depth % queries,
              head = static_cast<int>(i) / depth / queries;
    double total = 0, weighted = 0;
    for (int j = 0; j < keys; ++j) {
      if (causal && j > row + keys - queries) continue;
      double score = 0;
      for (int e = 0; e < depth; ++e) {
        score += value_of(q[static_cast<std::size_t>((head * queries + row) * depth + e)]) *
                 value_of(k[static_cast<std::size_t>((head * keys + j) * depth + e)]);
      }
      const double weight = std::exp(score / std::sqrt(depth));
      total += weight;
      weighted += weight * value_of(v[static_cast<std::size_t>((head * keys + j) * depth + d)]);
    }
    return weighted / total;
  });
}

/// The kernels fit any sizes: fewer queries than a vector has lanes, just as many, some more.
template <typename Launcher>
bool run_symbolic(const char* name, const Host& host) {
  bool ok = true;
  for (const auto& [heads, queries, keys] :
       {std::array{2, 3, 17}, std::array{1, 1, 1}, std::array{1, 16, 16}, std::array{3, 21, 77}}) {
    const Launcher launcher(host.context, host.device, {heads, keys, queries});
    ok &= run<float>(name, host, launcher, heads, queries, keys, 16, true);
  }
  return ok;
}

int main() {
  const Host host;
  const cl_context context = host.context;
  const cl_device_id device = host.device;
  bool ok = run<float>("any", host, attention_small_any::Launcher(context, device), 2, 5, 70, 40, false);
  ok &= run<float>("cpu", host, attention_small_pocl_cpu_avx512::Launcher(context, device), 2, 5, 70, 40,
                   false);
  ok &= run<float>("causal, any", host, attention_causal_any::Launcher(context, device), 1, 33, 33, 80, true);
  ok &= run<float>("causal, cpu", host, attention_causal_pocl_cpu_avx512::Launcher(context, device), 1, 33,
                   33, 80, true);
  ok &= run<float>("few queries, cpu", host, attention_few::Launcher(context, device), 3, 2, 37, 20, true);
  ok &=
      run<cl_half>("halves, any", host, attention_halves_any::Launcher(context, device), 2, 19, 50, 17, true);
  ok &= run<cl_half>("halves, cpu", host, attention_halves_pocl_cpu_avx512::Launcher(context, device), 2, 19,
                     50, 17, true);
  ok &= run_symbolic<attention_symbolic_any::Launcher>("symbolic, any", host);
  ok &= run_symbolic<attention_symbolic_pocl_cpu_avx512::Launcher>("symbolic, cpu", host);
  for (const std::string& source : {attention_causal_any::source(), attention_few::source(),
                                    attention_symbolic_pocl_cpu_avx512::source()})
    ok &= source.find("__kernel") == source.rfind("__kernel");
  return ok ? 0 : 1;
}
