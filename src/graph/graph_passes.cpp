#include "graph/graph_passes.h"

#include "graph/attention/fuse_attention.h"
#include "graph/fuse/choose_host.h"
#include "graph/fuse/fuse.h"
#include "graph/fuse/fuse_contractions.h"
#include "graph/fuse/fuse_producers.h"
#include "graph/fuse/fuse_sliding_windows.h"
#include "graph/fuse/gather_loops.h"
#include "graph/memory/share_images.h"
#include "graph/memory/share_memory.h"
#include "graph/rewrite/eliminate_common_tensors.h"
#include "graph/rewrite/fold_pads.h"
#include "graph/rewrite/fuse_row_reductions.h"
#include "graph/rewrite/inline_operands.h"
#include "graph/rewrite/keep_input_precision.h"
#include "graph/rewrite/merge_parallel_products.h"
#include "graph/rewrite/propagate_scalars.h"
#include "graph/rewrite/quantize_weights.h"
#include "graph/rewrite/recognize_rolls.h"
#include "graph/rewrite/restore_integers.h"
#include "graph/rewrite/simplify_graph.h"
#include "graph/schedule/assemble_program.h"
#include "graph/schedule/choose_fallbacks.h"
#include "graph/schedule/choose_images.h"
#include "graph/schedule/choose_in_place.h"
#include "graph/schedule/lower_groups.h"
#include "graph/schedule/schedule_group.h"
#include "graph/store/place_tensors.h"
#include "graph/views/fold_views.h"
#include "graph/winograd/use_winograd.h"

namespace tensordsl::graph {
namespace {

bool folds_views(const CompileOptions& options) { return options.optimizations.movement_elimination; }
bool fuses(const CompileOptions& options) { return options.optimizations.fusion; }
bool fuses_nothing(const CompileOptions& options) { return !fuses(options); }
/// merge_parallel_products and fold_pads leave views, which fold_views has to remove.
bool fuses_and_folds_views(const CompileOptions& options) { return fuses(options) && folds_views(options); }

/// Pairs of four bits are made of the numbers themselves. Matrix units multiply f16 without conversion.
bool multiplies_integers(const CompileOptions& options) {
  const bool multiplies_halves = options.precision == Precision::Float16 && options.target.has_matrix_units;
  return options.weights != WeightPrecision::Int4 && !multiplies_halves;
}
bool quantizes(const CompileOptions& options) { return options.weights != WeightPrecision::Model; }

bool uses_winograd(const CompileOptions& options) { return options.optimizations.winograd; }
bool uses_images(const CompileOptions& options) {
  return options.optimizations.layout_selection && image_limits(options).has_value();
}
bool compares_alternatives(const CompileOptions& options) { return options.better_apart != nullptr; }
bool knows_driver(const CompileOptions& options) { return options.max_group_size != nullptr; }
bool plans_memory(const CompileOptions& options) { return options.optimizations.memory_plan; }

constexpr Refusals kSchedule =
    Refusals(Refusal::Images) | Refusal::Tuned | Refusal::Strategy | Refusal::WorkGroup;

constexpr GraphPass kPasses[] = {
    // For any device: definitions.
    {"simplify_graph",
     "removes tensors that equal another one element for element, and tensors that no output needs",
     simplify_graph},
    {"eliminate_common_tensors",
     "CSE: merges equal definitions, whatever their Vars are called, and equal constants",
     eliminate_common_tensors},
    {"recognize_rolls",
     "turns the concatenation of two slices of a tensor, its end before its beginning, into one "
     "read: a circular shift",
     recognize_rolls, folds_views},
    {"merge_parallel_products",
     "merges products of one tensor by several constants, as for queries, keys and values, into one "
     "product",
     merge_parallel_products, fuses_and_folds_views, Refusal::Together},
    {"fold_pads",
     "removes a tensor that pads another one with a constant border and that only windows read; the "
     "windows get the border themselves",
     fold_pads, fuses_and_folds_views},
    // For this one.
    {"fuse_row_reductions",
     "turns normalizations and softmaxes that a model writes out as several operators into one "
     "definition each",
     fuse_row_reductions, fuses},
    {"inline_operands",
     "inlines operands and parts that have one reader, which computes them once: rotary embeddings",
     inline_operands, fuses},
    {"fuse_attention",
     "fuses two products and the softmax between them into one tensor; the scores are not stored",
     fuse_attention, fuses},
    {"fold_views",
     "view folding: folds transposes, slices and reshapes into the indices of their readers, where "
     "these still access memory contiguously",
     fold_views, folds_views},
    {"propagate_scalars",
     "replaces constants of one element, or of equal elements, by their number in the definitions",
     propagate_scalars},
    {"restore_integers",
     "stores constants of f32 that are 8-bit integers times scales, as a dequantization makes them, "
     "as these integers; their readers multiply by the scales",
     restore_integers, multiplies_integers},
    {"quantize_weights",
     "with --weights int8: stores constant operands of products as integers, and multiplies the "
     "sums by scales; with --weights int4 two integers share a byte",
     quantize_weights, quantizes},
    {"keep_input_precision", "with fp16 on a CPU: keeps inputs in f32 that only sums of products read",
     keep_input_precision},
    {"choose_host",
     "chooses what the host computes, because the device lacks f64 or because the user asked for it",
     choose_host},
    // Groups.
    {"fuse", "decides which Funcs are computed together: groups with a prologue, anchors and an epilogue",
     fuse, fuses},
    {"separate", "without fusion: makes every tensor a group", separate, fuses_nothing},
    {"fuse_producers",
     "producer fusion: computes a sum of few terms that is added to an attention in the attention's "
     "kernel",
     fuse_producers, fuses},
    {"fuse_contractions",
     "back-to-back fusion of contractions: a mean and the small products after it become one group",
     fuse_contractions, fuses},
    // Locations in memory, and what depends on them.
    {"choose_layouts", "chooses the layout of every tensor that is stored", choose_layouts},
    {"place_states",
     "stores a state that grows at its end in one memory with what is appended, so that nothing is "
     "copied",
     place_states},
    {"place_concatenations", "computes each operand of a concatenation, up to 16, in its place in the result",
     place_concatenations, fuses},
    {"place_loops",
     "stores a value that a loop carries in one memory before, during and after the loop; computes "
     "the row that a step adds to an output in its place",
     place_loops},
    {"propagate_layouts",
     "layout propagation: stores a tensor that only transposes, reshapes or reassembled windows "
     "read in the layout with which these move nothing",
     propagate_layouts, folds_views},
    {"alias_views",
     "makes a view that moves nothing in memory an alias; stores the source of an output's view in "
     "the output's memory",
     alias_views, folds_views},
    {"remove_made_groups", "removes groups of tensors that need no kernel", remove_made_groups},
    {"place_pictures", "makes inputs and outputs images where the user asked for it", place_pictures},
    {"use_winograd",
     "computes a 3x3 convolution by Winograd F(2x2,3x3), with 16 multiplications instead of 36, or "
     "F(4x4,3x3), with 36 instead of 144, where that pays",
     use_winograd, uses_winograd, Refusal::Winograd},
    {"fuse_sliding_windows",
     "pointwise and depthwise fusion with line buffering, on a target whose work-groups are threads "
     "and where the tensor between the two is large: a contraction and the windows of one channel "
     "that slide over it become one group, which keeps a few rows at a time",
     fuse_sliding_windows, fuses, Refusal::Sliding},
    {"gather_loops",
     "orders the groups of a loop one after the other; what is between them and belongs to no step "
     "is computed before",
     gather_loops},
    {"choose_images",
     "on a target that reads images faster: stores intermediates and weights as images where every "
     "kernel reads four neighbors at a time",
     choose_images, uses_images, kSchedule},
    // Kernels.
    {"schedule_groups", "gives each group Funcs of its own, a strategy and a point of its space",
     schedule_groups},
    {"split_slower_groups",
     "splits groups that trials found faster as several kernels, or as they are defined", split_slower_groups,
     compares_alternatives},
    {"choose_in_place",
     "stores an output over an operand at the steps that need most memory, where the operand is "
     "read once, only at the element that is written, and not needed afterwards",
     choose_in_place, plans_memory},
    {"lower_groups",
     "lowers each distinct group once, on all cores; a group that a ScheduleError refuses goes to "
     "the host",
     lower_groups},
    {"choose_fallbacks",
     "chooses the fallback of a group that was refused: without images, a tuned schedule, Winograd, "
     "sliding windows, its strategy, or as several kernels",
     choose_fallbacks},
    {"fit_work_groups",
     "makes work-groups smaller that the driver finds too large for a kernel that it has built",
     fit_work_groups, knows_driver},
    // The Program.
    {"assemble_program", "makes one Program of all groups", assemble_program},
    {"share_memory", "assigns slots and offsets to intermediate buffers", share_memory, plans_memory},
    {"share_images",
     "decides which intermediates share an image; an intermediate whose border is read as zeros "
     "shares only with others of its size",
     share_images, plans_memory},
};

}  // namespace

std::span<const GraphPass> graph_passes() { return kPasses; }

}  // namespace tensordsl::graph
