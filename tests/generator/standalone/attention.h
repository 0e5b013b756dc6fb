// Attention by a launcher, compared with plain loops.
#pragma once

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
    return total > 0 ? weighted / total : 0;
  });
}
