// dot(h, i, j) += q*k; s = dot*scale + mask; w = softmax(s); y(h, i, d) += w(h, i, j)*v
//   ->   asked(h, g, r, lane) = q at i = g*lanes + lane;   dot(h, g, j, lane) += asked*k
//        score = dot*scale + mask;   highest(h, g, lane) = the largest;   weight = exp(score - highest)
//        total(h, g, lane) += weight;   part(h, g, lane, d) += weight*v
//        y(h, i, d) = part(h, i/lanes, i%lanes, d)/total(h, i/lanes, i%lanes)
// Needs: a simplified graph.  Gives: attention as one tensor, whose scores are no tensor.
#pragma once

#include <set>
#include <string>

#include "definitions/definition_graph.h"
#include "schedules/target.h"

namespace tensordsl {

/// Attention in one kernel: the scores of as many queries as there are lanes stay where they are computed,
/// for all keys, as long as those are few enough. Source: FlashAttention (Dao et al., NeurIPS 2022),
/// section 3.1, without blocks of keys. The division by the sum of weights comes last: an average of values
/// near the largest float may overflow.
///
/// `kept`: kinds (Origin::kind) that stay. `apart`: results (DefinedTensor::name) that are not fused.
DefinitionGraph fuse_attention(DefinitionGraph graph, const Target& target,
                               const std::set<std::string>& kept = {},
                               const std::set<std::string>& apart = {});

}  // namespace tensordsl
