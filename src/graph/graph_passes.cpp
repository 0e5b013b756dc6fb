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

/// Pairs of four bits are made of the numbers themselves. Matrix units multiply f16 as it is stored.
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
    {"simplify_graph", simplify_graph},
    {"eliminate_common_tensors", eliminate_common_tensors},
    {"recognize_rolls", recognize_rolls, folds_views},
    {"merge_parallel_products", merge_parallel_products, fuses_and_folds_views, Refusal::Together},
    {"fold_pads", fold_pads, fuses_and_folds_views},
    // For this one.
    {"fuse_row_reductions", fuse_row_reductions, fuses},
    {"inline_operands", inline_operands, fuses},
    {"fuse_attention", fuse_attention, fuses},
    {"fold_views", fold_views, folds_views},
    {"propagate_scalars", propagate_scalars},
    {"restore_integers", restore_integers, multiplies_integers},
    {"quantize_weights", quantize_weights, quantizes},
    {"keep_input_precision", keep_input_precision},
    {"choose_host", choose_host},
    // Groups.
    {"fuse", fuse, fuses},
    {"separate", separate, fuses_nothing},
    {"fuse_producers", fuse_producers, fuses},
    {"fuse_contractions", fuse_contractions, fuses},
    // Locations in memory, and what depends on them.
    {"choose_layouts", choose_layouts},
    {"place_states", place_states},
    {"place_concatenations", place_concatenations, fuses},
    {"place_loops", place_loops},
    {"propagate_layouts", propagate_layouts, folds_views},
    {"alias_views", alias_views, folds_views},
    {"remove_made_groups", remove_made_groups},
    {"place_pictures", place_pictures},
    {"use_winograd", use_winograd, uses_winograd, Refusal::Winograd},
    {"fuse_sliding_windows", fuse_sliding_windows, fuses, Refusal::Sliding},
    {"gather_loops", gather_loops},
    {"choose_images", choose_images, uses_images, kSchedule},
    // Kernels.
    {"schedule_groups", schedule_groups},
    {"split_slower_groups", split_slower_groups, compares_alternatives},
    {"choose_in_place", choose_in_place, plans_memory},
    {"lower_groups", lower_groups},
    {"choose_fallbacks", choose_fallbacks},
    {"fit_work_groups", fit_work_groups, knows_driver},
    // The Program.
    {"assemble_program", assemble_program},
    {"share_memory", share_memory, plans_memory},
    {"share_images", share_images, plans_memory},
};

}  // namespace

std::span<const GraphPass> graph_passes() { return kPasses; }

}  // namespace tensordsl::graph
