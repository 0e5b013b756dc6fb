// Attention in one kernel, with a running softmax: the scores are never in global memory.
// Source: FlashAttention (Dao et al., NeurIPS 2022), section 3.1.
#include <tensordsl/generator.h>
#include <tensordsl/tensordsl.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

using namespace tensordsl;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

class Attention : public Generator {
 public:
  GeneratorParam<Extent> heads{this, "heads", 12, "heads, each for itself"};
  GeneratorParam<Extent> queries{this, "queries", 128, "rows of the queries"};
  GeneratorParam<Extent> keys{this, "keys", 128, "rows of the keys and values"};
  GeneratorParam<int> depth{this, "depth", 64, 1, 1024, "elements of a query, key and value"};
  GeneratorParam<int> block{this, "block", 64, 1, 1024, "keys whose scores are held at a time"};
  GeneratorParam<bool> causal{this, "causal", false,
                              "query q sees the keys up to q + keys - queries; one that sees none gives 0"};
  GeneratorParam<Type> type{
      this, "type", Float(32), {Float(32), Float(16)}, "of an element, as it is stored"};

  Pipeline generate(const GeneratorTarget& target) override {
    const Input query("query", type, {heads, queries, depth}), key("key", type, {heads, keys, depth}),
        value("value", type, {heads, keys, depth});
    // Query q is in lane q % lanes of group q / lanes. A group that is not full has the last query again.
    const int lanes = lanes_of(target.figures);
    const Expr row = g * lanes + lane, ahead = Expr(keys) - Expr(queries);
    // Keys from here on are seen by no query of the group, and not computed.
    const Expr end = causal ? min((g + 1) * lanes + ahead, Expr(keys)) : Expr(keys);
    const RDom inner({{0, depth}}, "inner");
    RDom own({{0, block}}, "own"), blocks({{0, (Expr(keys) + (block - 1)) / block}}, "blocks");
    own.where(b * block + own < end);
    if (causal) blocks.where(blocks * block < end);
    // Taken off the score of a key that a query does not see, whose weight is 0 then.
    const float hidden = 1e30f;

    asked(h, g, d, lane) = cast(Float(32), query(h, min(row, Expr(queries) - 1), d));
    const Expr at = b * block + k;
    dot(h, g, b, k, lane) +=
        asked(h, g, inner, lane) * cast(Float(32), key(h, min(at, Expr(keys) - 1), inner));
    const Expr scaled = dot(h, g, b, k, lane) * (1.0f / std::sqrt(static_cast<float>(depth)));
    score(h, g, b, k, lane) = causal ? scaled - select(at <= row + ahead, 0.0f, hidden) : scaled;
    highest(h, g, b, lane) = -hidden;
    highest(h, g, b, lane).maximize(score(h, g, b, own, lane));
    weight(h, g, b, k, lane) = exp(score(h, g, b, k, lane) - highest(h, g, b, lane));
    total(h, g, b, lane) += weight(h, g, b, own, lane);
    part(h, g, b, d, lane) += weight(h, g, b, own, lane) * cast(Float(32), value(h, b * block + own, d));
    run(h, g, d, lane) = {-hidden, 0.0f, 0.0f};  // the largest score so far, the sum of weights, the values
    const auto so_far = run(h, g, d, lane);
    const Expr before = so_far[0], here = highest(h, g, blocks, lane), most = max(before, here);
    run(h, g, d, lane) = {most, so_far[1] * exp(before - most) + total(h, g, blocks, lane) * exp(here - most),
                          so_far[2] * exp(before - most) + part(h, g, blocks, d, lane) * exp(here - most)};
    const auto whole = run(h, q / lanes, d, q % lanes);
    // Divides by infinity for a query that sees no key, so that hidden keys give 0.
    const Expr none = select(q + ahead >= 0, 0.0f, kInfinity);
    mean(h, d, q) = whole[2] / (may_see_none() ? whole[1] + none : Expr(whole[1]));
    out(h, q, d) = cast(type, mean(h, d, q));
    out.bound({heads, queries, depth});

    if (target.figures.group_items > 1) {
      schedule_groups(blocks[0], target.figures.group_items);
    } else if (lanes > 1) {
      schedule_vectors(inner[0], own[0], blocks[0], lanes, target.figures.accumulators);
    } else {
      schedule_rows(inner[0], own[0], blocks[0], target.figures.vector_width);
    }
    return Pipeline(out);
  }

 private:
  /// True if a query may see no key.
  bool may_see_none() const {
    const bool are_known = !queries.get().is_symbolic() && !keys.get().is_symbolic();
    return causal && !(are_known && queries.get().value() <= keys.get().value());
  }

  /// Queries that a thread computes together. A few do not fill a vector.
  int lanes_of(const Target& target) const {
    if (target.group_items > 1) return 1;
    if (queries.get().is_symbolic()) return target.vector_width;
    const int count = queries.get().value();
    return count < 4 ? 1 : std::min<int>(target.vector_width, std::bit_ceil(static_cast<unsigned>(count)));
  }

  /// A group to a query. Its work-items share the scores of a block, and each keeps some elements of the
  /// result.
  void schedule_groups(const Var& blocks, int most) {
    const int each = (depth + most - 1) / most;
    const int items = (depth + each - 1) / each;
    out.split(d, dt, dd, each).gpu_blocks(q, h).gpu_threads(dt);
    run.compute_at(out, dt);
    part.compute_at(run.update(), blocks);
    for (Func f : {score, weight})
      f.compute_at(run.update(), blocks).store_in(Local).split(k, ko, ki, items).gpu_threads(ki);
    dot.compute_at(score, ki);
    // Every work-item for itself: to share them would cost a barrier, and save nothing.
    for (Func f : {highest, total}) f.compute_at(run.update(), blocks);
  }

  /// A thread to a vector of queries, one to a lane, so that nothing is summed up across lanes. Tiles of
  /// scores and of results stay in registers while they are summed up.
  void schedule_vectors(const Var& inner, const Var& own, const Var& blocks, int lanes, int accumulators) {
    const int tile = accumulators < 16 ? 8 : 16;
    out.split(q, qo, qi, lanes).gpu_blocks(qo, h);
    mean.compute_at(out, qo).split(q, qt, ql, lanes, Tail::RoundUp).reorder({qt, d, ql}).vectorize(ql);
    for (Func f : {asked, run}) f.compute_at(mean, qt).vectorize(lane);
    run.update().split(d, dt, dd, tile).reorder({blocks, dt, dd, lane}).unroll(dd).vectorize(lane);
    for (Func f : {score, weight, highest, total}) f.compute_at(run.update(), blocks).vectorize(lane);
    for (Func f : {highest, total}) f.update().reorder({own, lane}).vectorize(lane);
    score.split(k, ko, ki, std::min<int>(tile, block), Tail::RoundUp).unroll(ki);
    dot.compute_at(score, ko).unroll(k).vectorize(lane);
    dot.update().reorder({inner, k, lane}).unroll(k).vectorize(lane);
    part.compute_at(run.update(), dt).unroll(d).vectorize(lane);
    part.update().reorder({own, d, lane}).unroll(d).vectorize(lane);
  }

  /// A thread to a query, where there are too few for vectors of them: the lanes share a score, or keep some
  /// elements of the result each.
  void schedule_rows(const Var& inner, const Var& own, const Var& blocks, int vector) {
    out.gpu_blocks(q, h).vectorize(d, vector);
    run.compute_at(out, q).vectorize(d, vector);
    run.update().reorder({blocks, d}).vectorize(d, vector);
    part.compute_at(run.update(), blocks).vectorize(d, vector);
    part.update().reorder({own, d}).vectorize(d, vector);
    for (Func f : {score, weight, highest, total}) f.compute_at(run.update(), blocks);
    Func parts = dot.update().split(inner, ko, ki, vector).rfactor(ki, u);
    dot.compute_at(score, k);
    parts.compute_at(score, k).vectorize(u);
    parts.update().reorder({ko, u}).vectorize(u);
  }

  Func asked{"asked"}, dot{"dot"}, score{"score"}, highest{"highest"}, weight{"weight"}, total{"total"},
      part{"part"}, run{"run"}, mean{"mean"}, out{"out"};
  const Var h{"h"}, g{"g"}, lane{"lane"}, b{"b"}, k{"k"}, d{"d"}, q{"q"}, ko{"ko"}, ki{"ki"}, dt{"dt"},
      dd{"dd"}, qo{"qo"}, qi{"qi"}, qt{"qt"}, ql{"ql"}, u{"u"};
};

}  // namespace

TENSORDSL_GENERATOR(Attention, "attention", "attention in one kernel, with a running softmax")
