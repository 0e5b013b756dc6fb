#include "lower/observe_step.h"

#include <fmt/format.h>

#include "ir/analyze/verify.h"
#include "lower/pass_context.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// f(x) = 0, f(x) += in(x, r)   ->   { store f[x] = 0  for r in [0, 4) { store f[x] = f[x] + in(x, r) } }
Stmt definitions_as_stmt(const Function& f, const std::vector<Definition>& definitions) {
  std::vector<Stmt> stmts;
  for (const Definition& d : definitions) {
    std::vector<Stmt> stores;
    for (std::size_t i = 0; i < d.values.size(); ++i)
      stores.push_back(make_store(f.name, d.values[i], d.args, 1, f.components()[i]));
    Stmt body = make_block(std::move(stores));
    if (d.predicate.defined()) body = make_if(d.predicate, body);
    for (std::size_t i = d.domain.size(); i-- > 0;) {
      const ReductionAxis& axis = d.domain[i];
      body = make_for(axis.name, axis.min, axis.extent, LoopKind::Serial, body);
    }
    stmts.push_back(body);
  }
  return make_block(std::move(stmts));
}

/// Scopes are not checked: the variables of definitions are free.
void verify_types(const StepInfo& step, const Function& f, const Stmt& definitions) {
  try {
    visit(definitions, nullptr, [](const Expr& e) { verify(e); });
  } catch (const InternalError& e) {
    throw InternalError(fmt::format("after {} of {}: {}", step.name, f.name, e.what()));
  }
}

void observe_function(const StepInfo& step, const Function& f, const std::vector<Definition>& definitions,
                      const LowerOptions& options) {
  if (definitions.empty()) return;  // an Input
  const Stmt stmt = definitions_as_stmt(f, definitions);
  if (options.observer) options.observer({step, f.name, stmt});
  if (options.verify) verify_types(step, f, stmt);
}

/// The buffers outside of kernels: of Inputs, and of Funcs that are computed at the root.
std::set<std::string> buffers_of(const PipelineState& pipeline) {
  std::set<std::string> buffers;
  for (const FunctionPtr& f : pipeline.functions) {
    if (!f->is_input() && !pipeline.placed.extents.contains(f->name)) continue;
    for (const std::string& buffer : f->buffers()) buffers.insert(buffer);
  }
  return buffers;
}

void verify_kernel(const Stmt& body, Stage reached, const PipelineState& pipeline) {
  std::set<std::string> images, scalars = pipeline.parameters;
  for (const auto& [name, shape] : pipeline.tensors.images) images.insert(name);
  scalars.insert(std::begin(kBlockNames), std::end(kBlockNames));
  scalars.insert(std::begin(kThreadNames), std::end(kThreadNames));
  verify(body, buffers_of(pipeline), scalars, images, reached >= Stage::WorkItems);
}

}  // namespace

void observe_step(const StepInfo& step, const PipelineState& pipeline, const LowerOptions& options) {
  if (!options.observer && !options.verify) return;
  for (const RootNest& nest : pipeline.placed.nests) {
    observe_step(step, context_of(nest, pipeline, options).kernel, nest.body, Stage::Nests, pipeline,
                 options);
  }
  if (!pipeline.placed.nests.empty()) return;
  for (const Producer& p : pipeline.producers) observe_function(step, *p.function, p.definitions, options);
  if (!pipeline.producers.empty()) return;
  for (const FunctionPtr& f : pipeline.functions) observe_function(step, *f, f->definitions, options);
}

void observe_step(const StepInfo& step, const std::string& kernel, const Stmt& body, Stage reached,
                  const PipelineState& pipeline, const LowerOptions& options) {
  if (!body.defined()) return;
  if (options.observer) options.observer({step, kernel, body});
  if (!options.verify) return;
  try {
    verify_kernel(body, reached, pipeline);
  } catch (const InternalError& e) {
    throw InternalError(fmt::format("after {} of kernel {}: {}", step.name, kernel, e.what()));
  }
}

}  // namespace tensordsl::lower
