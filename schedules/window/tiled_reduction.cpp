#include "schedules/window/tiled_reduction.h"

#include <algorithm>

#include "classify/classify.h"
#include "ir/nodes/dot_product.h"
#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"
#include "schedules/product/copied_factor.h"
#include "schedules/product/copied_weights.h"
#include "schedules/product/dot_sums.h"
#include "schedules/product/factor_reads.h"
#include "schedules/product/weight_layouts.h"
#include "schedules/reduce/rows.h"
#include "schedules/support/ceil_div.h"
#include "schedules/support/loops.h"
#include "schedules/support/texels.h"
#include "schedules/window/choose_tile.h"
#include "schedules/window/tiled_loops.h"

namespace tensordsl::schedules {

using classify::Class, classify::Classification;
using definitions::StoredGroup;

namespace {

/// Multiply-adds of vectors in the text of a kernel: more take long to compile, and gain nothing.
constexpr std::int64_t kLargestText = 1024;
/// Copies of a step in a row: PoCL 3.1 takes 2 s to compile 256, 8 s for 512, more than 30 s for 1,024.
constexpr std::int64_t kMostCopies = 256;

const std::string& name_of_dim(const Func& f, int dim) {
  return f.contents().dims[static_cast<std::size_t>(dim)];
}

/// The dimension along which a tile's channels are.
const std::string& name_of_channel(const StoredGroup& group) {
  return name_of_dim(group.anchors[0], memory_order(group.stored[0].layout).back());
}

std::int64_t reduction_steps(const Classification& anchor) {
  const std::int64_t* steps = ir::as_int(anchor.steps);
  return steps ? *steps : 1;
}

/// A window over one channel, as of a depthwise convolution or a pool: elements are read a few times each,
/// mostly from registers.
bool is_window_of_one_channel(const Classification& anchor) {
  return !anchor.windows.empty() && (!anchor.roles || anchor.roles->k.empty());
}

/// Orders dimensions as in memory, except that a dimension along which pixels share a factor moves before the
/// innermost one, which has a tile's channels. A dimension of both factors shares none.
std::vector<int> tile_order(const StoredGroup& group, const Classification& anchor) {
  std::vector<int> order = memory_order(group.stored[0].layout);
  if (order.size() < 3 || !anchor.roles) return order;
  const std::vector<std::int64_t> extents = likely_shape(group.stored[0]);
  const auto is_batch = [&](int dim) {
    return std::ranges::count(anchor.roles->batch, name_of_dim(group.anchors[0], dim)) > 0;
  };
  const auto pixels = order.end() - 2;
  if (!is_batch(*pixels)) return order;
  for (auto dim = pixels; dim-- != order.begin();) {
    if (is_batch(*dim) || extents[static_cast<std::size_t>(*dim)] == 1) continue;
    std::rotate(dim, dim + 1, pixels + 1);
    break;
  }
  return order;
}

TileProblem problem_of(const StoredGroup& group, const Classification& anchor) {
  const std::vector<std::int64_t> extents = likely_shape(group.stored[0]);
  const std::vector<int> order = tile_order(group, anchor);
  const auto extent = [&](std::size_t from_end) {
    return order.size() > from_end ? extents[static_cast<std::size_t>(order[order.size() - 1 - from_end])]
                                   : 1;
  };
  TileProblem problem;
  // A tile has at most as many channels as there are; of an unknown number that is 1.
  problem.channels = is_known(group.stored[0], order.back()) ? extent(0) : 1;
  problem.pixels = extent(1);
  for (std::size_t i = 2; i < order.size(); ++i) problem.rows *= extent(i);
  problem.steps = reduction_steps(anchor);
  problem.shares_weights = anchor.kind == Class::Contraction;
  problem.broadcasts_input =
      anchor.roles &&
      std::ranges::count(anchor.roles->batch, name_of_dim(group.anchors[0], order.back())) == 0;
  return problem;
}

/// Returns the extent of the dimension before the pixels, or 1: a tile may have several of its rows.
std::int64_t row_extent(const StoredGroup& group, const Classification& anchor) {
  const std::vector<int> order = tile_order(group, anchor);
  return order.size() < 3 ? 1
                          : likely_shape(group.stored[0])[static_cast<std::size_t>(order[order.size() - 3])];
}

/// Returns the storage kinds for constant weights: 0 is a buffer, else an ImageKind plus 1. The preferred one
/// is last; images only where the device prefers them.
std::vector<int> weight_storages(const StoredGroup& group, const Classification& anchor,
                                 const Target& target) {
  const bool has_weights = anchor.kind == Class::Contraction &&
                           std::ranges::any_of(group.operands, &definitions::GroupOperand::is_constant);
  if (!has_weights || !target.prefers_images) return {0};
  return {0, storage_of(ImageKind::Image1DBuffer), storage_of(ImageKind::Image2DArray),
          storage_of(ImageKind::Image2D)};
}

Tile reduction_tile_of(const Point& point) {
  return {point["lanes"],  point["vectors"],         point["pixels"],        point["rows"],
          point["serial"], point["channel_threads"], point["pixel_threads"], point["channels_first"] == 1};
}

/// True if the channels of a tile divide the tensor's channels.
bool tiles_are_whole(const StoredTensor& stored, const Point& point) {
  const auto channel = static_cast<std::size_t>(memory_order(stored.layout).back());
  const int of_tile = point["lanes"] * point["vectors"];
  return of_tile == 1 || likely_shape(stored)[channel] % of_tile == 0;
}

/// Fewer channels, where these would divide the tensor's and a tile is still whole texels: an image has no
/// tiles that overlap.
Tile in_whole_texels(Tile tile, std::int64_t channels) {
  if (channels % kTexel != 0) return tile;
  tile.lanes = power_dividing(channels, std::max(tile.lanes, kTexel));
  while (channels % tile.channels() != 0) --tile.vectors;
  return tile;
}

/// The axis that images among the operands are read along.
std::optional<std::string> texel_axis_of(const StoredGroup& group) {
  for (std::size_t i = 0; i < group.operands.size(); ++i) {
    if (!group.operands[i].stored.image) continue;
    const int dim = innermost_dim(group.operands[i].stored.layout);
    for (const OperandRead& read : reads_of_operand(group, i)) {
      if (auto axis = texel_axis(group, read, dim)) return axis;
    }
  }
  return std::nullopt;
}

/// Elements of the factor that a tile needs for a step of the axis.
std::int64_t tile_elements(const StoredGroup& group, const Classification& anchor, const Tile& tile) {
  const std::vector<int> order = tile_order(group, anchor);
  std::int64_t elements = 1;
  for (std::size_t from_end = 1; from_end < 3 && from_end < order.size(); ++from_end) {
    const std::string& dim = name_of_dim(group.anchors[0], order[order.size() - 1 - from_end]);
    const int extent = from_end == 1 ? tile.pixels : tile.rows;
    const auto window = std::ranges::find(anchor.windows, dim, &classify::Window::dim);
    const std::int64_t* taps = window == anchor.windows.end() ? nullptr : ir::as_int(window->extent);
    elements *= taps ? (extent - 1) * window->stride + (*taps - 1) * window->dilation + 1 : extent;
  }
  return elements;
}

/// True if the innermost axis runs over the bytes of a pixel: unrolled, a pixel is read once, and the
/// conversion of each byte is known.
bool goes_over_bytes(const StoredGroup& group, const Tile& tile) {
  const auto& domain = group.anchors[0].contents().definitions[1].domain;
  if (domain.empty()) return false;
  const ir::ReductionAxis& axis = domain.back();
  const std::int64_t* steps = ir::as_int(axis.extent);
  constexpr std::int64_t kMostBytes = 4;
  if (!steps || *steps > kMostBytes || *steps * tile.vectors * tile.pixels * tile.rows > kLargestText)
    return false;
  for (std::size_t i = 0; i < group.operands.size(); ++i) {
    const StoredTensor& stored = group.operands[i].stored;
    if (stored.type != UInt(8) || group.operands[i].is_constant) continue;
    const auto innermost = static_cast<std::size_t>(innermost_dim(stored.layout));
    for (const OperandRead& read : reads_of_operand(group, i)) {
      if (read.indices[innermost] && read.indices[innermost]->is_axis(axis.name)) return true;
    }
  }
  return false;
}

/// The channels that a tile of packed weights has; a tile that overlaps another one begins anywhere.
int packed_channels(const StoredGroup& group, const Point& point) {
  return tiles_are_whole(group.stored[0], point) ? point["lanes"] * point["vectors"] : 1;
}

/// Adds the knob for copying weights, if the group has strided weights, which vectors cannot be read of.
void add_copied_weights(const StoredGroup& group, const Classification& anchor, const TileProblem& problem,
                        const Tile& tile, const Target& target, Space& space) {
  const auto strided = strided_weights(group, anchor, name_of_channel(group));
  if (!strided) return;
  // Each batch reads its own.
  const std::int64_t rows = ceil_div(problem.rows, strided->batches);
  const std::int64_t reads = ceil_div(problem.pixels, tile.pixels) * ceil_div(rows, tile.rows);
  const int copies = does_copy_pay(*strided, reads, tile.lanes, target) ? 1 : 0;
  space.knobs.push_back({std::string(kCopiesWeights), {copies, 1 - copies}, false});
  space.first.set(std::string(kCopiesWeights), copies);
}

std::vector<std::int64_t> divisors_of_last_axis(const StoredGroup& group, const Classification& anchor) {
  const auto& domain = group.anchors[0].contents().definitions[1].domain;
  const std::int64_t* steps = domain.empty() ? nullptr : ir::as_int(domain.back().extent);
  if (!anchor.roles || !steps) return {};
  return divisors_of_axis(group, *anchor.roles, domain.back().name, *steps);
}

}  // namespace

bool applies_tiled_reduction(const StoredGroup& group, const Target&) {
  if (group.anchors.size() != 1 || group.outputs.size() != 1 || group.epilogue.empty()) return false;
  const Func& anchor = group.anchors[0];
  const Class kind = group.class_of(anchor).kind;
  if ((kind != Class::Reduction && kind != Class::Contraction) || anchor.updates() != 1) return false;
  const auto rows = rows_of(group);
  return anchor.rank() == group.outputs[0].rank() && rows && !rows->are_shared();
}

Space tiled_reduction_space(const StoredGroup& group, const Target& target) {
  const Classification& anchor = group.class_of(group.anchors[0]);
  TileProblem problem = problem_of(group, anchor);
  const auto halves = half_sums(group, anchor, target);
  const bool has_dots = has_dot_sums(group, anchor, target);
  if (has_dots) problem.steps /= ir::kDotProductLanes;
  Tile tile = choose_tile(problem, halves ? for_halves(target) : target);
  if (target.prefers_images) tile = in_whole_texels(tile, problem.channels);
  const auto axes = static_cast<int>(group.anchors[0].contents().definitions[1].domain.size());
  // A thread runs its work-items one after the other: there, tiles in a row are the only choice.
  const bool is_gpu = target.group_items > 1;
  std::vector<int> serial = is_gpu ? std::vector<int>{1} : powers_of_two(64);
  if (std::ranges::count(serial, tile.serial) == 0) serial.push_back(tile.serial);
  std::vector<int> copied = copied_steps(group, anchor, tile_elements(group, anchor, tile), target);
  const std::vector<int> weights = weight_storages(group, anchor, target);
  if (has_dots) copied = {ir::kDotProductLanes, 0};
  if (halves && !is_gpu) copied = {0};  // nothing is converted
  using enum Knob::Needs;
  Space space{
      {{"lanes", powers_of_two(16), true, NoLess},
       {"vectors", numbers(1, 4), true, NoLess},
       {"pixels", numbers(1, std::max(16, target.accumulators)), true, NoLess},
       {"serial", serial},
       {"channel_threads", powers_of_two(is_gpu ? 16 : 1), true, AsMuch},
       {"pixel_threads", powers_of_two(is_gpu ? 256 : 1), true, AsMuch},
       {"unrolled", numbers(0, axes), true, NoLess},
       {"channels_first", is_gpu ? std::vector<int>{0} : std::vector<int>{0, 1}},
       {"rows", numbers(1, row_extent(group, anchor) > 1 ? 4 : 1), true, NoLess},
       {"pixels_fastest", is_gpu ? std::vector<int>{0, 1} : std::vector<int>{0}, true, AsMuch},
       {"autobroadcast", autobroadcast_values(target), false},
       {"weights", weights},
       {"copied", copied, false},
       {"halves", halves ? std::vector{1, 0} : std::vector{0}, false},
       {"dots", has_dots ? std::vector{1, 0} : std::vector{0}, false}},
      {{"lanes", tile.lanes},
       {"vectors", tile.vectors},
       {"pixels", tile.pixels},
       {"serial", tile.serial},
       {"channel_threads", tile.channel_threads},
       {"pixel_threads", tile.pixel_threads},
       {"unrolled", (is_window_of_one_channel(anchor) && axes > 1) || goes_over_bytes(group, tile) ? 1 : 0},
       {"channels_first", tile.channels_first ? 1 : 0},
       {"rows", 1},
       {"pixels_fastest", 0},
       {"autobroadcast", autobroadcast_values(target).front()},
       {"weights", has_dots ? 0 : weights.back()},
       {"copied", copied.front()},
       {"halves", halves ? 1 : 0},
       {"dots", has_dots ? 1 : 0}}};
  add_copied_weights(group, anchor, problem, tile, target, space);
  return space;
}

WantedStorage tiled_reduction_storage(const StoredGroup& group, const Point& point) {
  const Classification& anchor = group.class_of(group.anchors[0]);
  WantedStorage wanted;
  add_weight_layouts(group, anchor, name_of_channel(group), packed_channels(group, point), wanted,
                     point["dots"] == 1 ? ir::kDotProductLanes : 1);
  for (auto& [operand, storage] : wanted) storage.image = image_of_storage(point["weights"]);
  return wanted;
}

PointOutlines tiled_reduction_outlines(const StoredGroup& group, const Target& target) {
  const Classification& anchor = group.class_of(group.anchors[0]);
  const TileProblem problem = problem_of(group, anchor);
  // The copies of a step when that many of the innermost axes are unrolled.
  std::vector<std::int64_t> copies{1};
  const auto& domain = group.anchors[0].contents().definitions[1].domain;
  for (auto axis = domain.rbegin(); axis != domain.rend(); ++axis) {
    const std::int64_t* extent = ir::as_int(axis->extent);
    constexpr std::int64_t kTooMany = kMostCopies + 1;
    copies.push_back(std::min(kTooMany, copies.back() * (extent ? std::min(*extent, kTooMany) : kTooMany)));
  }
  const std::int64_t rows = row_extent(group, anchor);
  const bool has_weights = weight_storages(group, anchor, target).size() > 1;
  return [problem, target, copies, rows, has_weights](const Point& point) -> std::optional<PointOutline> {
    const Tile tile = reduction_tile_of(point);
    const int threads = tile.channel_threads * tile.pixel_threads;
    const int most_items = std::max(target.group_items, target.most_group_items);
    if (tile.channels() > problem.channels || tile.pixels > problem.pixels || threads > most_items ||
        tile.rows > rows ||
        (point["pixels_fastest"] == 1 && tile.channel_threads * tile.pixel_threads == 1) ||
        (threads > 1 && tile.serial > 1) ||
        copies[static_cast<std::size_t>(point["unrolled"])] > kMostCopies ||
        copies[static_cast<std::size_t>(point["unrolled"])] * tile.vectors * tile.pixels * tile.rows >
            kLargestText)
      return std::nullopt;
    // A step's weights and inputs, in addition to the sums.
    constexpr int kNumberBytes = 4, kAddresses = 8;
    const int weights = problem.shares_weights ? tile.channels() : 0;
    const int inputs = tile.pixels * tile.rows * (problem.broadcasts_input ? 1 : tile.channels());
    PointOutline outline;
    outline.usage.group_items = threads;
    outline.usage.registers = tile.channels() * tile.pixels * tile.rows + weights + inputs + kAddresses;
    outline.usage.iteration_bytes =
        std::int64_t{kNumberBytes} * (tile.channel_threads * weights + tile.pixel_threads * inputs);
    outline.usage.access_elements = tile.lanes;
    outline.usage.reads_buffers = !target.prefers_images || (has_weights && point["weights"] == 0);
    outline.usage.reads_images = target.prefers_images;
    outline.cost = cost_of(problem, tile, target);
    return outline;
  };
}

void apply_tiled_reduction(const StoredGroup& group, const Point& point, const Target& target) {
  const Tile tile = reduction_tile_of(point);
  const StoredTensor& stored = group.stored[0];
  const Classification& anchor = group.class_of(group.anchors[0]);
  const std::vector<int> order = tile_order(group, anchor);
  const bool are_channels_whole = tiles_are_whole(stored, point);
  // There may be fewer pixels than a tile has, if their number is not known.
  const bool are_pixels_known = order.size() < 2 || is_known(stored, order[order.size() - 2]);
  const bool are_rows_known = order.size() < 3 || is_known(stored, order[order.size() - 3]);
  if (copies_weights(point)) {
    const std::string& channel = name_of_channel(group);
    copy_weights(group, anchor, *strided_weights(group, anchor, channel), group.anchors[0], channel,
                 packed_channels(group, point), target);
  }
  schedule_tiles(
      {group.outputs[0], group.anchors[0], order, are_channels_whole ? Tail::Exact : Tail::ShiftInwards,
       are_pixels_known ? Tail::ShiftInwards : Tail::Guard, are_rows_known ? Tail::ShiftInwards : Tail::Guard,
       point["unrolled"], texel_axis_of(group), point["pixels_fastest"] == 1, point["autobroadcast"] == 1,
       point["copied"] > 0 ? copied_factor(group, anchor, target) : std::nullopt, point["copied"],
       target.vector_width, target.group_items > 1, divisors_of_last_axis(group, anchor),
       point["halves"] == 1 ? half_sums(group, anchor, target) : std::nullopt, point["dots"] == 1},
      tile);
}

bool tiled_reduction_reads_texels(const StoredGroup& group, const Point& point, std::size_t operand) {
  return tiled_reduction_writes_texels(group, point) && reads_in_fours(group, operand, true);
}

bool tiled_reduction_writes_texels(const StoredGroup& group, const Point& point) {
  return point["lanes"] % kTexel == 0 && tiles_are_whole(group.stored[0], point);
}

}  // namespace tensordsl::schedules
