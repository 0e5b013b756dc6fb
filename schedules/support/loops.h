// Helpers with which strategies name and arrange loops.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "definitions/stored_group.h"
#include "schedules/support/wanted_storage.h"
#include "tensordsl/func.h"
#include "tensordsl/stored_tensor.h"

namespace tensordsl::schedules {

/// The variable of a dimension.
Var dim_of(const Func& f, int dim);
/// Returns the variables of all dimensions.
std::vector<Var> dims_of(const Func& f);

/// Fuses `loops`, which must be adjacent, into one loop called `name`; returns a single loop unchanged.
Var fuse_all(Stage stage, const std::vector<Var>& loops, const std::string& name);

/// Stage 0 is the pure definition, the others are the updates.
Stage stage_of(const Func& f, int stage);

/// The axes of an update, the outermost first.
std::vector<Var> axes_of(const Func& accumulated);

/// Runs a work-group for each index of `rows`, which become one loop around `inner`: its variable. Needs: all
/// loops of `out` in one of the two.
Var run_as_blocks(Func out, const std::vector<Var>& rows, const std::vector<Var>& inner);

/// Runs all of `loops`, which are neighbors, over work-items: in groups of `items`, or each a group of its
/// own if that is 1. A stage without loops is run by one work-item.
void run_as_items(Stage stage, const std::vector<Var>& loops, int items);

/// Makes each of `loops`, three at most, a dimension of the grid of work-groups, the innermost first.
void run_as_grid(Stage stage, const std::vector<Var>& loops);

/// Distributes the elements of `f`, which is in local memory, over the work-items of the group that needs
/// them. Each work-item runs all of `unrolled`. One element has no loops.
void share_elements(Func f, int items, const std::vector<Var>& unrolled = {});

/// Returns the dimensions in memory order, the outermost first. A dimension that is split counts where its
/// outer part is; the dimension of an image's texels counts as the innermost.
std::vector<int> memory_order(const Layout& layout);

/// The layouts of the constants that `f` reads along its dimension `dim` in which that is innermost, by
/// operand of the group.
void add_layouts_along(const definitions::StoredGroup& group, const Func& f, int dim, WantedStorage& wanted);

/// The extents of a tensor, with 64 in place of each Param: for choices that are right for any size and good
/// for a likely one.
std::vector<std::int64_t> likely_shape(const StoredTensor& stored);
/// True if the extent of the dimension is a constant.
bool is_known(const StoredTensor& stored, int dim);

/// The largest power of two that is at most both; 1 at least.
int power_up_to(std::int64_t most, int limit);
/// The first of `most`, `most`/2, `most`/4, .. that divides `extent`; `most`: a power of two.
int power_dividing(std::int64_t extent, int most);

/// `first`, and all up to `last`: values of a knob.
std::vector<int> numbers(int first, std::int64_t last);
/// 1, 2, 4, .. up to `most`.
std::vector<int> powers_of_two(int most);

}  // namespace tensordsl::schedules
