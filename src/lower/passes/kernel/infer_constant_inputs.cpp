#include "lower/passes/kernel/infer_constant_inputs.h"

#include <algorithm>

#include "lower/lowered.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

class UniformReads {
 public:
  void run(const Stmt& stmt) {
    for (const Expr& e : stmt->exprs) look_at(e);
    const bool binds = stmt->kind == StmtKind::Let || stmt->kind == StmtKind::For;
    const bool varies = binds && std::any_of(stmt->exprs.begin(), stmt->exprs.end(),
                                             [&](const Expr& e) { return is_varying(e); });
    if (varies) varying_.insert(stmt->name);
    for (const Stmt& s : stmt->body) run(s);
    if (varies) varying_.erase(stmt->name);
  }

  std::set<std::string> take() {
    for (const std::string& name : others_) uniform_.erase(name);
    return std::move(uniform_);
  }

 private:
  void look_at(const Expr& expr) {
    visit(expr, [&](const Expr& e) {
      if (e->kind != ExprKind::Load) return true;
      const bool varies = std::any_of(e->operands.begin(), e->operands.end(),
                                      [&](const Expr& index) { return is_varying(index); });
      (varies ? others_ : uniform_).insert(e->name);
      return true;
    });
  }

  bool is_varying(const Expr& expr) const {
    bool result = false;
    visit(expr, [&](const Expr& e) {
      result =
          result || e->kind == ExprKind::Load || (e->kind == ExprKind::Var && varying_.contains(e->name));
      return !result;
    });
    return result;
  }

  std::set<std::string> varying_{std::begin(kThreadNames), std::end(kThreadNames)};
  std::set<std::string> uniform_, others_;
};

}  // namespace

std::set<std::string> uniform_buffers(const Stmt& body) {
  UniformReads reads;
  if (body.defined()) reads.run(body);
  return reads.take();
}

LoweredKernel infer_constant_inputs(LoweredKernel kernel, const std::set<std::string>& inputs,
                                    std::int64_t constant_bytes) {
  // Limit for each Input: a constant cache of a mobile GPU's core holds it along with others. Every device
  // has at least 8 such arguments.
  constexpr std::int64_t kSmall = 2048;
  constexpr int kMaxArguments = 8;
  const std::set<std::string> uniform = uniform_buffers(kernel.body);
  std::int64_t room = constant_bytes;
  int arguments = 0;
  for (const BufferArgument& b : kernel.buffers) {
    const std::int64_t* elements = as_int(b.elements);
    if (b.is_constant && elements) room -= *elements * b.type.bytes();
    arguments += b.is_constant;
  }
  for (BufferArgument& b : kernel.buffers) {
    const std::int64_t* elements = as_int(b.elements);
    if (b.is_constant || b.image || !elements || !inputs.contains(b.name) || !uniform.contains(b.name))
      continue;
    const std::int64_t bytes = *elements * b.type.bytes();
    if (bytes > std::min(kSmall, room) || arguments == kMaxArguments) continue;
    b.is_constant = true;
    room -= bytes;
    ++arguments;
  }
  return kernel;
}

}  // namespace tensordsl::lower
