#include "tensordsl/program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>

#include "base/size/format_size.h"
#include "runtime/program/dim_names.h"
#include "tensordsl/error.h"

namespace tensordsl {

std::int64_t Program::intermediate_bytes() const {
  return std::accumulate(slot_bytes.begin(), slot_bytes.end(), std::int64_t{0});
}

std::int64_t Program::flops() const {
  std::int64_t total = 0;
  for (const Launch& launch : launches) total += launch.flops;
  return total;
}

std::vector<std::int64_t> Program::Storage::shape() const {
  std::vector<std::int64_t> numbers;
  for (const SizeExpr& extent : extents) {
    numbers.push_back(extent.evaluate([&](const std::string&) -> std::int64_t {
      throw ShapeError(fmt::format("{}: the extent {} depends on a Param", to_string(*this), extent));
    }));
  }
  return numbers;
}

std::int64_t Program::Storage::bytes() const { return layout.stored_elements(shape()) * type.bytes(); }

std::string to_string(const Program::Storage& storage) {
  std::string text = fmt::format("{} [{}]", to_string(storage.type), fmt::join(storage.extents, ", "));
  const Layout& layout = storage.layout;
  if (!(layout == Layout::row_major(layout.rank())))
    text += fmt::format(", layout \"{}\"", layout.to_string(runtime::dim_names(storage.extents.size())));
  if (storage.image) text += fmt::format(", {}", to_string(*storage.image));
  return text;
}

}  // namespace tensordsl
