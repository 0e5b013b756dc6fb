#include "lower/passes/kernel/check_private_memory.h"

#include <fmt/format.h>

#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

std::string largest_array(const Stmt& body) {
  std::string name;
  std::int64_t largest = 0;
  visit(body, [&](const Stmt& s) {
    if (s->kind != StmtKind::Allocate || s->memory != Memory::Private) return true;
    const std::int64_t* elements = as_int(s->extents()[0]);
    const std::int64_t bytes = (elements ? *elements : 0) * s->type.bytes() * s->type.lanes;
    if (bytes > largest) {
      name = s->name;
      largest = bytes;
    }
    return true;
  });
  return name;
}

}  // namespace

void check_private_memory(const LoweredKernel& kernel, const PrivateMemory& most) {
  const std::int64_t bytes = kernel.resources.private_bytes;
  std::int64_t items = 1;
  for (const int size : kernel.group_size) items *= size;
  const bool fits_group = !most.group_bytes || bytes * items <= *most.group_bytes;
  if (bytes <= most.item_bytes && fits_group) return;
  const std::string tile = largest_array(kernel.body);
  if (bytes > most.item_bytes) {
    throw ScheduleError(fmt::format(
        "{0}: kernel {1} needs {2} bytes of private memory per work-item, most of them for {0}, and the "
        "limit is {3}; compute a smaller part of {0} at once, or use store_in(Local) or compute_root()",
        tile, kernel.name, bytes, most.item_bytes));
  }
  throw ScheduleError(fmt::format(
      "{0}: kernel {1} needs {2} bytes of private memory per work-item, most of them for {0}, and the device "
      "has {3} for all {4} work-items of a group; compute a smaller part of {0} at once, split the "
      "gpu_threads loops by smaller factors, or use store_in(Local) or compute_root()",
      tile, kernel.name, bytes, *most.group_bytes, items));
}

}  // namespace tensordsl::lower
