#include "lower/place/plan_storage.h"

#include "ir/simplify.h"
#include "lower/passes/arithmetic/drop_promises.h"
#include "lower/passes/memory/flatten_storage.h"
#include "lower/place/check_directives.h"
#include "lower/place/image_shape.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// A tile inside a kernel has the dimension that is vectorized innermost, so that a vector is one variable.
Layout tile_layout(const schedule::ScheduledFunction& function) {
  if (function.schedule.layout) return function.layout_or_default();
  std::vector<Layout::Term> order, innermost;
  const std::string vectorized = schedule::vectorized_dim(function);
  for (int d = 0; d < function.rank(); ++d) {
    const bool is_innermost = function.dims[static_cast<std::size_t>(d)] == vectorized;
    (is_innermost ? innermost : order).push_back({.dim = d});
  }
  order.insert(order.end(), innermost.begin(), innermost.end());
  return function.aligned(function.rank() == 0 ? Layout::row_major(0) : Layout::of(order));
}

class Planner {
 public:
  Planner(const std::set<std::string>& parameters, const LowerOptions& options) : options_(options) {
    for (const std::string& name : parameters) sizes_[name] = {0, INT32_MAX};
  }

  void add_tile(const schedule::ScheduledFunction& function) {
    for (const int component : function.components()) {
      tensors_.stored[buffer_name(function.name, component)] = {
          function.type(component), {}, tile_layout(function)};
    }
  }

  void add_buffer(const schedule::ScheduledFunction& function, std::vector<Expr> extents) {
    // An index that no loop changes is an end of its box, with what was promised of it.
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
  /// What is inferred of a Func that nothing reads at some sizes may come out negative there.
  Expr not_negative(const Expr& extent) const {
    return can_prove(extent >= 0, sizes_) ? extent : simplify(max(extent, 0));
  }

  const LowerOptions& options_;
  Bounds sizes_;  // of the Params
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
