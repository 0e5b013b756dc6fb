// Attention in one kernel, with a running softmax: the scores are never in memory.
// Source: FlashAttention (Dao et al., NeurIPS 2022), section 3.1.
#include <tensordsl/generator.h>
#include <tensordsl/tensordsl.h>

#include <algorithm>
#include <cmath>

using namespace tensordsl;

namespace {

class Attention : public Generator {
 public:
  GeneratorParam<Extent> heads{this, "heads", 12, "heads, each for itself"};
  GeneratorParam<Extent> queries{this, "queries", 128, "rows of the queries"};
  GeneratorParam<Extent> keys{this, "keys", 128, "rows of the keys and values"};
  GeneratorParam<int> depth{this, "depth", 64, 1, 1024, "elements of a query, key and value"};
  GeneratorParam<int> block{this, "block", 64, 1, 1024, "keys whose scores are held at a time"};
  GeneratorParam<bool> causal{this, "causal", false,
                              "query q sees the keys up to q + keys - queries; no fewer keys than queries"};
  GeneratorParam<Type> type{
      this, "type", Float(32), {Float(32), Float(16)}, "of an element, as it is stored"};

  Pipeline generate(const GeneratorTarget& target) override {
    const bool are_known = !queries.get().is_symbolic() && !keys.get().is_symbolic();
    if (causal && are_known && queries.get().value() > keys.get().value()) {
      throw Error("causal=true: there are " + queries.text() + " queries and " + keys.text() +
                  " keys, and the first queries would see none; give as many keys, or causal=false");
    }
    const Input query("query", type, {heads, queries, depth}), key("key", type, {heads, keys, depth}),
        value("value", type, {heads, keys, depth});
    const RDom inner({{0, depth}}, "inner"), own({{0, block}}, "own"),
        blocks({{0, (Expr(keys) + (block - 1)) / block}}, "blocks");
    // What a query does not see has a score that no other is below; its weight is 0 once a key was seen.
    const float lowest = -1e30f;
    const auto last = [&](const Expr& index) { return min(index, Expr(keys) - 1); };
    const auto is_seen = [&](const Expr& row, const Expr& at) {
      const Expr is_key = at < Expr(keys);
      return causal ? is_key && at <= row + (Expr(keys) - Expr(queries)) : is_key;
    };

    Func dot("dot"), score("score"), highest("highest"), weight("weight"), total("total"), part("part"),
        run("run"), out("out");
    dot(h, q, k) += cast(Float(32), query(h, q, inner)) * cast(Float(32), key(h, last(k), inner));
    score(h, q, k) =
        select(is_seen(q, k), dot(h, q, k) * (1.0f / std::sqrt(static_cast<float>(depth))), lowest);
    highest(h, q, b) = lowest;
    highest(h, q, b).maximize(score(h, q, b * block + own));
    weight(h, q, k) = exp(score(h, q, k) - highest(h, q, k / block));
    total(h, q, b) += weight(h, q, b * block + own);
    part(h, q, b, d) += weight(h, q, b * block + own) * cast(Float(32), value(h, last(b * block + own), d));
    run(h, q, d) = {lowest, 0.0f, 0.0f};  // the largest score so far, the sum of weights, the weighted values
    const Expr before = run(h, q, d)[0], here = highest(h, q, blocks), most = max(before, here);
    run(h, q, d) = {most, run(h, q, d)[1] * exp(before - most) + total(h, q, blocks) * exp(here - most),
                    run(h, q, d)[2] * exp(before - most) + part(h, q, blocks, d) * exp(here - most)};
    out(h, q, d) = cast(type, run(h, q, d)[2] / run(h, q, d)[1]);
    out.bound({heads, queries, depth});

    schedule(out, run, dot, {score, weight}, {highest, total}, part, inner, own, blocks, target.figures);
    return Pipeline(out);
  }

 private:
  /// A group to a query. Its work-items, or the lanes of vectors, share the scores of a block, and each keeps
  /// some elements of the result.
  void schedule(Func out, Func run, Func dot, const std::vector<Func>& scores,
                const std::vector<Func>& of_block, Func part, const RDom& inner, const RDom& own,
                const RDom& blocks, const Target& target) const {
    if (target.group_items == 1) {
      const int vector = target.vector_width;
      out.gpu_blocks(q, h).vectorize(d, vector, Tail::Guard);
      run.compute_at(out, q).vectorize(d, vector, Tail::Guard);
      run.update().reorder({h, q, blocks[0], d}).vectorize(d, vector, Tail::Guard);
      part.compute_at(run.update(), blocks[0]).vectorize(d, vector, Tail::Guard);
      part.update().reorder({h, q, b, own[0], d}).vectorize(d, vector, Tail::Guard);
      for (Func f : scores) f.compute_at(run.update(), blocks[0]);
      Func parts =
          dot.update().split(inner[0], ko, ki, std::min<int>(vector, depth), Tail::Guard).rfactor(ki, lane);
      dot.compute_at(scores[0], k);
      parts.compute_at(scores[0], k).vectorize(lane);
      parts.update().reorder({h, q, k, ko, lane}).vectorize(lane);
    } else {
      const int each = (depth + target.group_items - 1) / target.group_items;
      const int items = (depth + each - 1) / each;
      out.split(d, dv, dd, each, Tail::Guard).gpu_blocks(q, h).gpu_threads(dv);
      run.compute_at(out, dv);
      part.compute_at(run.update(), blocks[0]);
      for (Func f : scores)
        f.compute_at(run.update(), blocks[0])
            .store_in(Local)
            .split(k, ko, ki, items, Tail::Guard)
            .gpu_threads(ki);
      dot.compute_at(scores[0], ki);
    }
    // Every work-item for itself: to share them would cost a barrier, and save nothing.
    for (Func f : of_block) f.compute_at(run.update(), blocks[0]);
  }

  const Var h{"h"}, q{"q"}, k{"k"}, b{"b"}, d{"d"}, ko{"ko"}, ki{"ki"}, dd{"dd"}, dv{"dv"}, lane{"lane"};
};

}  // namespace

TENSORDSL_GENERATOR(Attention, "attention", "attention in one kernel, with a running softmax")
