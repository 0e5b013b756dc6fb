// Attention of one head in one kernel, over 4,096 keys: the running softmax of FlashAttention (Dao et al.,
// NeurIPS 2022, section 3.1). The keys come in blocks; a tuple carries the largest score so far, the sum of
// the exponentials and the weighted values, and is brought to each block's new maximum. Halide has no example
// of it; the two-pass form would keep all scores in memory.
#include "apps/examples/example.h"

int main(int argc, char** argv) try {
  using namespace tensordsl;
  const Example example("attention", argc, argv);
  constexpr int kQueries = 16, kKeys = 4096, kDepth = 64, kBlock = 64;
  const Var q("q"), k("k"), b("b"), d("d");
  const Input queries("queries", Float(32), {kQueries, kDepth}, {"q", "d"});
  const Input keys("keys", Float(32), {kKeys, kDepth}, {"k", "d"});
  const Input values("values", Float(32), {kKeys, kDepth}, {"k", "d"});
  const RDom depth({{0, kDepth}}, "depth"), own({{0, kBlock}}, "own"),
      blocks({{0, kKeys / kBlock}}, "blocks");

  Func score("score"), highest("highest"), weight("weight"), total("total"), part("part"), run("run"),
      out("attention");
  score(q, k) = sum(queries(q, depth) * keys(k, depth), "dot") * 0.125f;
  highest(q, b).maximize(score(q, b * kBlock + own));
  weight(q, k) = exp(score(q, k) - highest(q, k / kBlock));
  total(q, b) += weight(q, b * kBlock + own);
  part(q, b, d) += weight(q, b * kBlock + own) * values(b * kBlock + own, d);
  run(q, d) = {-INFINITY, 0.0f, 0.0f};  // largest score, sum of weights, weighted values
  const Expr before = run(q, d)[0], here = highest(q, blocks), most = max(before, here);
  run(q, d) = {most, run(q, d)[1] * exp(before - most) + total(q, blocks) * exp(here - most),
               run(q, d)[2] * exp(before - most) + part(q, blocks, d) * exp(here - most)};
  out(q, d) = run(q, d)[2] / run(q, d)[1];

  out.bound({kQueries, kDepth});
  if (example.by_hand()) {
    out.gpu_blocks(q).gpu_threads(d);
    run.compute_at(out, d);
    for (Func f : {score, weight}) f.compute_at(run.update(), blocks[0]).store_in(Local).gpu_threads(k);
    for (Func f : {highest, total}) f.compute_at(run.update(), blocks[0]).store_in(Local);
    part.compute_at(run.update(), blocks[0]);
    if (Pipeline(out).compile().kernels.size() != 1) return 1;
  }

  const Buffer key = example_data({kKeys, kDepth}, 2), value = example_data({kKeys, kDepth}, 3);
  const Buffer query = example_data({kQueries, kDepth}, 1);
  return example.check(out, {{"queries", query}, {"keys", key}, {"values", value}}, [&](std::int64_t i) {
    const auto score_of = [&](std::int64_t j) {
      double dot = 0;
      for (int n = 0; n < kDepth; ++n) dot += query.get(i / kDepth * kDepth + n) * key.get(j * kDepth + n);
      return dot * 0.125;
    };
    double sum = 0, weighted = 0;
    for (std::int64_t j = 0; j < kKeys; ++j) {
      const double w = std::exp(score_of(j));
      sum += w;
      weighted += w * value.get(j * kDepth + i % kDepth);
    }
    return weighted / sum;
  });
} catch (const tensordsl::Error& error) {
  return report_error(error);
}
