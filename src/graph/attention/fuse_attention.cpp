#include "graph/attention/fuse_attention.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "graph/attention/define_attention.h"
#include "graph/attention/find_attention.h"
#include "graph/rewrite/graph_rewriter.h"
#include "ir/nodes/expr_node.h"
#include "ir/simplify/simplify.h"
#include "schedule/func_schedule.h"

namespace tensordsl::graph {
namespace {

using definitions::AttentionBlock;
using definitions::DefinedTensor;

// Limits on scores and weights together: the least local memory of a device of OpenCL's full profile, and
// what fits a core's second-level cache in addition to the keys and values.
constexpr std::int64_t kMostLocalBytes = 32 << 10, kMostPrivateBytes = 128 << 10;
// Keys of a block, where the scores of all keys do not fit. Each block costs two exponentials for each
// element, to rescale it: for 64 elements half of what 256 weights cost. Tiles of 4 keys and 4 queries give
// each of 128 items one.
constexpr std::int64_t kKeysOfCpuBlock = 256, kKeysOfGpuBlock = 128, kFewestKeys = 16;

/// 0 if it is not a number.
std::int64_t known_extent(const Expr& extent) {
  const std::int64_t* value = ir::as_int(ir::simplify(extent));
  return value ? *value : 0;
}

/// The sizes that decide how an attention is tiled.
struct Sizes {
  std::int64_t queries = 0, keys = 0;           ///< 0: open
  std::int64_t asked = 1;                       ///< elements of a query
  std::int64_t most_lanes = 1, most_bytes = 0;  ///< queries at a time, and the bytes that they may take
                                                ///< together
  std::int64_t bytes = 0;                       ///< of an element
  std::int64_t items = 0;                       ///< of a group, each of which may add up a part
  bool is_gpu = false;
};

/// Returns the sizes of an attention; nullopt if an extent that has to be known is open.
std::optional<Sizes> sizes_of(const Target& target, const DefinedTensor& tensor, const Attention& attention) {
  const std::vector<std::string>& dims = tensor.func.contents().dims;
  const auto extent_of = [&](const std::string& dim) {
    return known_extent(
        tensor.extents()[static_cast<std::size_t>(std::ranges::find(dims, dim) - dims.begin())]);
  };
  Sizes sizes;
  sizes.queries = extent_of(attention.query);
  sizes.keys = known_extent(attention.key.extent);
  if (extent_of(attention.element) <= 0) return std::nullopt;
  for (const ir::ReductionAxis& axis : attention.axes) sizes.asked *= known_extent(axis.extent);
  if (sizes.asked <= 0) return std::nullopt;
  sizes.is_gpu = target.group_items > 1;
  sizes.most_lanes = sizes.is_gpu ? 16 : target.vector_width;
  if (sizes.queries > 0)
    sizes.most_lanes =
        std::min<std::int64_t>(sizes.most_lanes, std::bit_ceil(static_cast<std::uint64_t>(sizes.queries)));
  sizes.most_bytes = sizes.is_gpu ? kMostLocalBytes : kMostPrivateBytes;
  sizes.bytes = attention.score.type().bytes();
  sizes.items = target.most_group_items;
  return sizes;
}

/// True if the scores and weights of that many keys fit local memory, and on a GPU also the queries and, for
/// each of them, the largest score and the sum of weights with their parts.
bool fits_local_memory(const Sizes& sizes, std::int64_t lanes, std::int64_t keys) {
  std::int64_t elements = 2 * lanes * keys;
  if (sizes.is_gpu) elements += lanes * (sizes.asked + 2) + 2 * std::max(lanes, sizes.items);
  return elements * sizes.bytes <= sizes.most_bytes;
}

std::int64_t fewest_lanes(const Sizes& sizes) {
  constexpr std::int64_t kFewestOfGpu = 4;
  return sizes.is_gpu ? std::min(sizes.most_lanes, kFewestOfGpu) : sizes.most_lanes;
}

/// Chooses the most queries whose scores of all keys fit; else blocks of as many keys as fit.
AttentionBlock block_of(const Sizes& sizes) {
  if (sizes.most_lanes == 1)  // a work-group would have the only query of its row
    return sizes.is_gpu ? AttentionBlock() : AttentionBlock{1, static_cast<int>(kKeysOfCpuBlock)};
  const std::int64_t fewest = fewest_lanes(sizes);
  for (std::int64_t lanes = sizes.most_lanes; sizes.keys > 0 && lanes >= fewest; lanes /= 2) {
    if (fits_local_memory(sizes, lanes, sizes.keys)) return {static_cast<int>(lanes), 0};
  }
  for (std::int64_t lanes = sizes.most_lanes; lanes >= fewest; lanes /= 2) {
    std::int64_t keys = sizes.is_gpu ? kKeysOfGpuBlock : kKeysOfCpuBlock;
    while (keys > kFewestKeys && !fits_local_memory(sizes, lanes, keys)) keys /= 2;
    if (fits_local_memory(sizes, lanes, keys)) return {static_cast<int>(lanes), static_cast<int>(keys)};
  }
  return {};
}

std::string block_text(const AttentionBlock& block) {
  const std::string start = fmt::format("holds the scores of {} queries at a time, ", block.queries);
  return start + (block.keys == 0 ? "of all keys"
                                  : fmt::format("of {} keys at a time, with a running softmax", block.keys));
}

std::string why_not(const std::optional<Sizes>& sizes, const AttentionBlock& block) {
  if (!sizes) return "the size of a query or a value is not known";
  if (block.queries > 0) return "the device refused the kernel";
  if (sizes->most_lanes == 1) return "a work-group would compute only one query";
  return fmt::format("{} queries of {} elements need too much local memory", fewest_lanes(*sizes),
                     sizes->asked);
}

}  // namespace

void fuse_attention(Graph& graph, const GraphContext& context) {
  const Target& target = context.options.target;
  // The work-items of a group have the scores together, in local memory.
  if (target.group_items > 1 && target.is_local_memory_off_chip) return;
  GraphRewriter rewriter(std::move(graph.definitions), context.notes);
  const std::vector<DefinedTensor>& tensors = rewriter.graph().tensors;
  const AttentionFinder finder(rewriter.graph(), context.options.on_host);
  graph.definitions = rewriter.run([&](std::size_t i) {
    const DefinedTensor& tensor = tensors[i];
    const auto attention = finder.find(i);
    if (!attention) return;
    const auto sizes = sizes_of(target, tensor, *attention);
    const AttentionBlock block = sizes ? block_of(*sizes) : AttentionBlock();
    if (block.queries == 0 || graph.fallbacks.is_refused(Refusal::Together, tensor.name))
      return rewriter.note(i, PassOutcome::Described,
                           "is not fused into one kernel: " + why_not(sizes, block));
    DefinedAttention defined = define_attention(tensor, *attention, block);
    rewriter.replace(i, defined.funcs);
    rewriter.visited().attention = std::move(defined.names);
    rewriter.visited().fused = attention->origins;
    for (const std::size_t part : attention->parts)
      rewriter.note(part, PassOutcome::Merged, fmt::format("is fused into the attention %{}", tensor.name),
                    {tensor.name});
    rewriter.note(i, PassOutcome::Described, block_text(block));
  });
}

}  // namespace tensordsl::graph
