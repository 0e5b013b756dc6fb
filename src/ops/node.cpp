#include "ops/node.h"

#include <fmt/format.h>

namespace tensordsl {

std::string label(const Node& node) { return fmt::format("node '{}' ({})", node.name, node.op); }

}  // namespace tensordsl
