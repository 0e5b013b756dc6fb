// y(h, i, d) = softmax(score(h, i, .)).v(., d), for `lanes` queries at a time
//   ->   asked(h, g, r, lane) = q at i = g*lanes + lane;   dot(h, g, j, lane) += asked*k
//        score = dot*scale + mask;   highest(h, g, lane) = the largest;   weight = exp(score - highest)
//        total(h, g, lane) += weight;   part(h, g, lane, d) += weight*v
//        y(h, i, d) = part(h, i/lanes, i%lanes, d)/total(h, i/lanes, i%lanes)
//   and in blocks of n keys, b
//   ->   each of these but asked for a b, with j = b*n + its own number, where there is such a key
//        run(h, g, lane, d) = {lowest, 0, 0}, then over b
//            {max(run[0], highest(b)), run[1]*old + total(b)*new, run[2]*old + part(b)*new},
//            old = exp(min(run[0] - highest(b), 0)), new = exp(min(highest(b) - run[0], 0))
//        y(h, i, d) = run[2]/run[1] at h, i/lanes, i%lanes, d
// Needs: the attention that find_attention found.  Gives: its definition in parts.
#pragma once

#include <vector>

#include "definitions/group_form.h"
#include "graph/attention/find_attention.h"

namespace tensordsl::graph {

/// An attention in parts.
struct DefinedAttention {
  std::vector<Func> funcs;  ///< each after those it reads; the last one is the tensor
  definitions::AttentionNames names;
};

/// Returns its parts. The division by the sum of weights comes last:
/// an average of values near the largest float may overflow. A row of which every key is hidden by a score
/// of -inf is NaN, as 0/0 is, or 0 as Attention::is_masked_zero says; one of no keys is 0. Source:
/// FlashAttention (Dao et al., NeurIPS 2022), section 3.1.
DefinedAttention define_attention(const definitions::DefinedTensor& tensor, const Attention& attention,
                                  const definitions::AttentionBlock& block);

}  // namespace tensordsl::graph
