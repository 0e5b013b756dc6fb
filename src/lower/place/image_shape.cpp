#include "lower/place/image_shape.h"

#include <fmt/format.h>

#include "ir/simplify.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

const char* groups_wanted(ImageKind kind) {
  switch (kind) {
    case ImageKind::Image1DBuffer:
      return "texels | 4 elements, or texels of one element, as in \"h w c/4 | c%4\"";
    case ImageKind::Image2D:
      return "rows | columns | 4 elements, or rows | columns of one element, as in \"h | c/4 w | c%4\"";
    case ImageKind::Image2DArray:
      return "layers | rows | columns | 4 elements, or layers | rows | columns of one element, as in \"c/4 | "
             "h | w | c%4\"";
  }
  return "";
}

void check_limits(const std::string& tensor, const ImageShape& shape, const ImageLimits& limits) {
  const bool is_buffer = shape.kind == ImageKind::Image1DBuffer;
  const std::vector<std::int64_t> most =
      is_buffer ? std::vector<std::int64_t>{limits.buffer_texels}
                : std::vector<std::int64_t>{limits.layers, limits.height, limits.width};
  std::int64_t texels = 1;
  bool fits = true, is_known = true;
  for (std::size_t i = 0; i < shape.extents.size(); ++i) {
    const std::int64_t* extent = as_int(shape.extents[i]);
    is_known = is_known && extent;
    if (!extent) continue;
    texels *= *extent;
    fits = fits && *extent <= most[most.size() - shape.extents.size() + i];
  }
  if (fits) return;
  std::string wants, has, remedy;
  for (std::size_t i = 0; i < shape.extents.size(); ++i) {
    wants += (i ? " x " : "") + to_string(shape.extents[i]);
    has += fmt::format("{}{}", i ? " x " : "", most[most.size() - shape.extents.size() + i]);
  }
  if (is_known && !is_buffer && texels <= limits.buffer_texels) remedy = "an Image1DBuffer holds that many, ";
  if (is_known && texels <= limits.width * limits.height)
    remedy += "an Image2D with a layout that spreads them over rows and columns fits, ";
  throw ScheduleError(fmt::format(
      "{}.set_image({}): it needs {} texels, and the device has images of up to {}; {}{}a buffer does",
      tensor, to_string(shape.kind), wants, has, remedy, remedy.empty() ? "" : "or "));
}

}  // namespace

ImageShape image_shape(const schedule::ScheduledFunction& function, const std::vector<Expr>& extents,
                       const std::optional<ImageLimits>& limits) {
  const ImageKind kind = *function.schedule.image;
  // set_image knows no type where it comes before the definition.
  for (const Type type : function.types) {
    if (type.bits != 64) continue;
    throw ScheduleError(
        fmt::format("{}.set_image({}): images hold no {}; cast it to a narrower type, or keep the buffer",
                    function.name, to_string(kind), to_string(type)));
  }
  if (function.rank() == 0) {
    throw ScheduleError(
        fmt::format("{}.set_image({}): it has no dimensions, and an image has at least one; keep the buffer",
                    function.name, to_string(kind)));
  }
  const Layout layout = function.layout_or_default();
  const auto coordinates = static_cast<std::size_t>(coordinates_of(kind));
  ImageShape shape{kind, 1, {}};
  for (const Expr& e : layout.group_extents(extents)) shape.extents.push_back(simplify(e));
  const auto fail = [&](const std::string& finding) {
    throw ScheduleError(fmt::format("{}.set_image({}): the layout \"{}\" {}; it must be {}", function.name,
                                    to_string(kind), layout.to_string(function.dims), finding,
                                    groups_wanted(kind)));
  };
  if (shape.extents.size() == coordinates + 1) {
    const std::int64_t* elements = as_int(shape.extents.back());
    if (!elements || *elements != 4)
      fail(fmt::format("has texels of {} elements", to_string(shape.extents.back())));
    shape.channels = 4;
    shape.extents.pop_back();
  } else if (shape.extents.size() != coordinates) {
    fail(fmt::format("has {} group{}", shape.extents.size(), shape.extents.size() == 1 ? "" : "s"));
  }
  if (limits) check_limits(function.name, shape, *limits);
  return shape;
}

}  // namespace tensordsl::lower
