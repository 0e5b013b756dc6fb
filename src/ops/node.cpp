#include "ops/node.h"

#include <fmt/format.h>

#include "ops/loop_marks.h"

namespace tensordsl::ops {

std::string label(const Node& node) {
  return fmt::format("node '{}' ({})", node.name,
                     is_loop_mark(node) ? node.attributes.get<std::string>(kLoopOf, node.op) : node.op);
}

}  // namespace tensordsl::ops
