#include "lower/passes/kernel/outline_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ir/simplify/simplify.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

struct Use {
  bool read = false;
  bool written = false;
};

class KernelUsage {
 public:
  void run(const Stmt& stmt, std::set<std::string>& bound) {
    if (stmt->kind == StmtKind::Allocate) allocated_.insert(stmt->name);
    // The expressions of a loop or Let are outside its scope.
    for (const Expr& e : stmt->exprs) run(e, bound);
    if (stmt->kind == StmtKind::Store) note(stmt->name).written = true;
    const bool binds = stmt->kind == StmtKind::For || stmt->kind == StmtKind::Let;
    const bool is_new = binds && bound.insert(stmt->name).second;
    for (const Stmt& s : stmt->body) run(s, bound);
    if (is_new) bound.erase(stmt->name);
  }

  void run(const Expr& expr, const std::set<std::string>& bound) {
    visit(expr, [&](const Expr& e) {
      if (e->kind == ExprKind::Load) note(e->name).read = true;
      if (e->kind == ExprKind::Var && !bound.contains(e->name)) scalars_[e->name] = e.type();
      return true;
    });
  }

  const std::vector<std::string>& order() const { return order_; }
  const Use& use(const std::string& name) const { return uses_.at(name); }
  bool is_allocated(const std::string& name) const { return allocated_.contains(name); }
  const std::map<std::string, Type>& scalars() const { return scalars_; }

 private:
  Use& note(const std::string& name) {
    const auto [it, is_new] = uses_.try_emplace(name);
    if (is_new) order_.push_back(name);
    return it->second;
  }

  std::map<std::string, Use> uses_;
  std::vector<std::string> order_;
  std::set<std::string> allocated_;
  std::map<std::string, Type> scalars_;
};

}  // namespace

LoweredKernel outline_kernel(const std::string& name, const KernelBody& work, const Tensors& tensors) {
  LoweredKernel kernel;
  kernel.name = name;
  kernel.groups = work.groups;
  kernel.group_size = work.group_size;
  kernel.sub_group_size = work.sub_group_size;
  kernel.body = work.body;

  std::set<std::string> indices;
  for (int d = 0; d < 3; ++d) indices.insert({kBlockNames[d], kThreadNames[d]});
  KernelUsage usage;
  if (work.body.defined()) usage.run(work.body, indices);
  for (const Expr& g : work.groups) usage.run(g, indices);

  for (const std::string& buffer : usage.order()) {
    if (usage.is_allocated(buffer)) continue;
    const auto elements = tensors.elements.find(buffer);
    if (elements == tensors.elements.end())
      throw InternalError(fmt::format("outline_kernel: unknown buffer {}", buffer));
    usage.run(elements->second, indices);
    std::optional<ImageShape> image;
    if (const auto it = tensors.images.find(buffer); it != tensors.images.end()) image = it->second;
    if (image) {
      for (const Expr& e : image->extents) usage.run(e, indices);
    }
    const Use& use = usage.use(buffer);
    const auto access = !use.written ? KernelArgument::Access::ReadOnly
                        : use.read   ? KernelArgument::Access::ReadWrite
                                     : KernelArgument::Access::WriteOnly;
    if (image && use.read && use.written) {
      throw ScheduleError(fmt::format(
          "{0}.set_image({1}): kernel {2} reads and writes {0}, which OpenCL 1.2 does not allow for an "
          "image; compute the updates of {0} in a Func that is computed inside its loops, or keep the buffer",
          buffer, to_string(image->kind), name));
    }
    kernel.buffers.push_back({buffer, tensors.stored.at(buffer).type, access, elements->second, image,
                              tensors.constants.contains(buffer)});
  }
  std::stable_partition(kernel.buffers.begin(), kernel.buffers.end(),
                        [](const BufferArgument& b) { return b.access == KernelArgument::Access::ReadOnly; });
  for (const auto& [scalar, type] : usage.scalars()) {
    if (tensors.elements.contains(scalar)) {
      throw DefinitionError(fmt::format(
          "\"{0}\" names both a Param and a Func or Input of kernel {1}; rename one of them", scalar, name));
    }
    kernel.scalars.push_back({scalar, type});
  }
  return kernel;
}

}  // namespace tensordsl::lower
