#include "lower/passes/work_items/sub_group_spread.h"

#include <fmt/format.h>

#include "lower/pass_text.h"

namespace tensordsl::lower {
namespace {

constexpr int kLanes = 32;

/// Describes the distribution of the elements of t, of which `stores` computes some.
std::string spread(std::string_view extents, std::string_view stores) {
  const ir::Stmt stmt = ir::parse_stmt(fmt::format("alloc t: f32 [{}] sub_group {{ {} }}", extents, stores));
  std::string text;
  const std::string error = error_of<ScheduleError>([&] {
    const SubGroupSpread s = spread_of(*stmt, kLanes, {{"thread0", {0, kLanes - 1}}});
    text = fmt::format("dimension {}{}", s.dimension,
                       s.is_everywhere ? ", in all work-items"
                       : s.is_single   ? ", in work-item 0"
                                       : "");
  });
  return error == "no error" ? text : error;
}

}  // namespace

TEST_CASE("sub-group spread: the dimension in which each work-item stores what it is to hold") {
  CHECK(spread("40", "store t[thread0] = 1.0 if (thread0 < 8) { store t[thread0 + 32] = 2.0 }") ==
        "dimension 0");
  CHECK(spread("3, 64", "for y in [0, 3) { for k in [0, 2) { store t[y, k*32 + thread0] = 1.0 } }") ==
        "dimension 1");
}

TEST_CASE("sub-group spread: one element is in all work-items, or in the first if not all may compute it") {
  CHECK(spread("1", "store t[0] = 1.0") == "dimension 0, in all work-items");
  CHECK(spread("1", "if (n < 3) { store t[0] = 1.0 }") == "dimension 0, in work-item 0");
}

TEST_CASE("sub-group spread: elements that other work-items compute are refused") {
  CHECK(spread("40", "store t[thread0 + 1] = 1.0") ==
        "t.store_in(SubGroup): work-item i of the sub-group must compute the elements i, i + 32, ... of one "
        "dimension, but the loops compute others; split a dimension of t by 32, not with Tail::ShiftInwards, "
        "and give the inner loop to gpu_threads");
}

}  // namespace tensordsl::lower
