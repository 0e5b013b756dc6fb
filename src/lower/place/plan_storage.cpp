#include "lower/place/plan_storage.h"

#include <fmt/format.h>

#include "ir/simplify/simplify.h"
#include "lower/passes/arithmetic/drop_promises.h"
#include "lower/passes/memory/flatten_storage.h"
#include "lower/place/check_directives.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

const char* groups_wanted(ImageKind kind) {
  switch (kind) {
    case ImageKind::Image1DBuffer:
      return "texels | 4 elements, or texels of one element, for example \"h w c/4 | c%4\"";
    case ImageKind::Image2D:
      return "rows | columns | 4 elements, or rows | columns of one element, for example \"h | c/4 w | c%4\"";
    case ImageKind::Image2DArray:
      return "layers | rows | columns | 4 elements, or layers | rows | columns of one element, for example "
             "\"c/4 | h | w | c%4\"";
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
  if (is_known && !is_buffer && texels <= limits.buffer_texels)
    remedy = "an Image1DBuffer, which can hold them, ";
  if (is_known && texels <= limits.width * limits.height)
    remedy += "an Image2D with a layout that spreads them over rows and columns, ";
  throw ScheduleError(
      fmt::format("{}.set_image({}): it needs {} texels, but the limit of the device is {}; use {}{}a buffer",
                  tensor, to_string(shape.kind), wants, has, remedy, remedy.empty() ? "" : "or "));
}

/// Returns the image that a tensor of these logical extents lies in. Throws ScheduleError if the groups of
/// its layout are not the coordinates of such an image, or if constant extents exceed `limits`.
ImageShape image_shape(const schedule::ScheduledFunction& function, const std::vector<Expr>& extents,
                       const std::optional<ImageLimits>& limits) {
  const ImageKind kind = *function.schedule.image;
  // set_image() could not check this: it may come before the definition.
  for (const Type type : function.types) {
    if (type.bits != 64) continue;
    throw ScheduleError(
        fmt::format("{}.set_image({}): images cannot hold {}; cast it to a narrower type, or keep the buffer",
                    function.name, to_string(kind), to_string(type)));
  }
  if (function.rank() == 0) {
    throw ScheduleError(
        fmt::format("{}.set_image({}): a tensor without dimensions cannot be an image; keep the buffer",
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

class Planner {
 public:
  Planner(const std::set<std::string>& parameters, const LowerOptions& options) : options_(options) {
    for (const std::string& name : parameters) sizes_[name] = {0, INT32_MAX};
  }

  void add_tile(const schedule::ScheduledFunction& function) {
    for (const int component : function.components()) {
      tensors_.stored[buffer_name(function.name, component)] = {
          function.type(component), {}, function.tile_layout()};
    }
  }

  void add_buffer(const schedule::ScheduledFunction& function, std::vector<Expr> extents) {
    // An index that no loop changes is an end of the box, together with its promise.
    for (Expr& e : extents) {
      if (const Expr bare = without_promises(e); bare.get() != e.get()) e = simplify(bare);
    }
    for (const int component : function.components()) {
      const std::string name = buffer_name(function.name, component);
      const StoredTensor stored{function.type(component), extents, function.layout_or_default(),
                                function.schedule.image};
      StoredTensor allocated = stored;
      for (Expr& e : allocated.extents) e = not_negative(e);
      const Expr elements = stored_elements(name, allocated);
      if (stored.image) tensors_.images[name] = image_shape(function, extents, options_.image_limits);
      if (function.schedule.scope == MemoryScope::Constant) {
        check_constant(function.name, stored, elements, options_.constant_bytes);
        tensors_.constants.insert(name);
      }
      tensors_.stored[name] = stored;
      tensors_.elements[name] = elements;
    }
  }

  Tensors take() { return std::move(tensors_); }

 private:
  /// Clamps an inferred extent, which may be negative at sizes at which nothing reads the Func.
  Expr not_negative(const Expr& extent) const {
    return can_prove(extent >= 0, sizes_) ? extent : simplify(max(extent, 0));
  }

  const LowerOptions& options_;
  Bounds sizes_;  // bounds of the Params
  Tensors tensors_;
};

}  // namespace

Tensors plan_storage(const std::vector<FunctionPtr>& functions, const std::vector<Producer>& producers,
                     const PlacedFunctions& placed, const std::set<std::string>& parameters,
                     const LowerOptions& options) {
  Planner planner(parameters, options);
  for (const FunctionPtr& f : functions) {
    if (f->is_input()) planner.add_buffer(schedule::scheduled(*f), f->shape);
  }
  for (const Producer& p : producers) {
    const auto extents = placed.extents.find(p.function->name);
    if (extents == placed.extents.end()) {
      planner.add_tile(*p.function);
    } else {
      planner.add_buffer(*p.function, extents->second);
    }
  }
  return planner.take();
}

}  // namespace tensordsl::lower
