#include "simulate/kernel_simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "ir/analyze/verify.h"
#include "ir/text/print.h"
#include "runtime/host/element.h"
#include "runtime/values/evaluate.h"
#include "simulate/simulator.h"

namespace tensordsl::simulator {
namespace {

using ir::Memory;
using ir::StmtKind;
using Access = KernelArgument::Access;

constexpr std::array<const char*, 6> kIndexNames{"block0",  "block1",  "block2",
                                                 "thread0", "thread1", "thread2"};

/// Binds a name for the lifetime of the object.
class Scope {
 public:
  Scope(std::map<std::string, int>& names, const std::string& name, int value) : names_(names), name_(name) {
    names_[name_] = value;
  }
  ~Scope() { names_.erase(name_); }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  std::map<std::string, int>& names_;
  std::string name_;
};

}  // namespace

KernelSimulation::KernelSimulation(const lower::LoweredKernel& kernel,
                                   std::map<std::string, BufferContent>& buffers, const ParamValues& scalars,
                                   const runtime::Tracing& tracing)
    : kernel_(kernel), scalars_(scalars), tracing_(tracing) {
  std::set<std::string> buffer_names, image_names, free;
  for (const lower::BufferArgument& argument : kernel.buffers) {
    buffer_names.insert(argument.name);
    if (argument.image) image_names.insert(argument.name);
    add_argument(argument, buffers);
  }
  for (const lower::ScalarArgument& scalar : kernel.scalars) {
    const auto value = scalars.find(scalar.name);
    if (value == scalars.end()) {
      throw SimulationError(
          fmt::format("kernel {}: the scalar argument {} is missing", kernel.name, scalar.name));
    }
    free.insert(scalar.name);
    set_scalar(scalar.name, scalar.type, value->second);
  }
  first_index_slot_ = frame_size_;
  for (const char* name : kIndexNames) {
    free.insert(name);
    set_scalar(name, Int(32), 0);
  }
  ir::verify(kernel.body, buffer_names, free, image_names);
  for (const int size : kernel.group_size) item_count_ *= size;
  root_ = resolve(kernel.body);
  initial_frame_.resize(static_cast<std::size_t>(frame_size_));
}

void KernelSimulation::add_argument(const lower::BufferArgument& argument,
                                    std::map<std::string, BufferContent>& buffers) {
  const auto found = buffers.find(argument.name);
  if (found == buffers.end()) {
    throw SimulationError(
        fmt::format("kernel {}: the buffer argument {} is missing", kernel_.name, argument.name));
  }
  auto block = std::make_unique<MemoryBlock>();
  block->name = argument.name;
  block->traces_loads = tracing_.has_load(block->name);
  block->traces_stores = tracing_.has_store(block->name);
  block->type = argument.type;
  block->elements = runtime::evaluate(argument.elements, scalars_);
  const auto given = static_cast<std::int64_t>(found->second.bytes.size()) / argument.type.bytes();
  if (given < block->elements) {
    throw SimulationError(fmt::format("kernel {}: buffer {} has {} elements, but the kernel may access {}",
                                      kernel_.name, argument.name, given, block->elements));
  }
  if (argument.image) {
    block->is_image = true;
    block->has_border = argument.image->kind != ImageKind::Image1DBuffer;
    block->channels = argument.image->channels;
    for (const Expr& extent : argument.image->extents)
      block->texels.push_back(runtime::evaluate(extent, scalars_));
  }
  block->readable = argument.access != Access::WriteOnly;
  block->writable = argument.access != Access::ReadOnly;
  block->data = found->second.bytes.data();
  block->written = found->second.written ? found->second.written->data() : nullptr;
  block->races.reset(static_cast<std::size_t>(std::max<std::int64_t>(block->elements, 0)));
  blocks_in_scope_[argument.name] = static_cast<int>(blocks_.size());
  blocks_.push_back(std::move(block));
}

void KernelSimulation::set_scalar(const std::string& name, Type type, const ParamValue& value) {
  slots_in_scope_[name] = add_slots(1);
  initial_frame_.push_back(runtime::scalar_of_param(type, value));
}

int KernelSimulation::add_slots(int count) {
  const int first = frame_size_;
  frame_size_ += count;
  return first;
}

Step KernelSimulation::resolve(const ir::Stmt& stmt) {
  Step step;
  step.kind = stmt->kind;
  step.source = stmt.get();
  step.meeting = ir::sub_group_operation_of(*stmt);
  for (const Expr& e : stmt->exprs) {
    if (!step.meeting || &e != stmt->exprs.data()) {
      step.exprs.push_back(compile(e));
      continue;
    }
    for (const Expr& operand : e->operands) step.exprs.push_back(compile(operand));
  }
  const auto resolve_bodies = [&] {
    for (const ir::Stmt& s : stmt->body) step.body.push_back(resolve(s));
  };
  switch (stmt->kind) {
    case StmtKind::For:
    case StmtKind::Let: {
      if (stmt->kind == StmtKind::For && (ir::is_block_loop(stmt->loop) || ir::is_thread_loop(stmt->loop))) {
        fail(fmt::format("the {} loop over {} was not outlined", ir::name_of(stmt->loop), stmt->name));
      }
      step.lanes = stmt->kind == StmtKind::Let ? stmt->value().type().lanes : 1;
      step.target = add_slots(step.lanes);
      const Scope scope(slots_in_scope_, stmt->name, step.target);
      resolve_bodies();
      return step;
    }
    case StmtKind::Store:
      step.lanes = stmt->value().type().lanes;
      step.target = blocks_in_scope_.at(stmt->name);
      check_indices(stmt->name, step.target, stmt->exprs.size() - 1);
      return step;
    case StmtKind::Allocate: {
      if (stmt->memory == Memory::Auto || stmt->memory == Memory::Global) {
        fail(fmt::format("{} is allocated in {} memory", stmt->name, ir::name_of(stmt->memory)));
      }
      auto block = std::make_unique<MemoryBlock>();
      block->name = stmt->name;
      block->traces_loads = tracing_.has_load(block->name);
      block->traces_stores = tracing_.has_store(block->name);
      block->space = stmt->memory;
      block->type = stmt->type.element();
      block->lanes = stmt->type.lanes;
      step.target = static_cast<int>(blocks_.size());
      blocks_.push_back(std::move(block));
      const Scope scope(blocks_in_scope_, stmt->name, step.target);
      resolve_bodies();
      return step;
    }
    case StmtKind::Block:
    case StmtKind::If:
    case StmtKind::Barrier:
      resolve_bodies();
      return step;
  }
  return step;
}

int KernelSimulation::resolve_variable(const ir::ExprNode& var) const { return slots_in_scope_.at(var.name); }

int KernelSimulation::resolve_access(const ir::ExprNode& load) {
  const int target = blocks_in_scope_.at(load.name);
  check_indices(load.name, target, load.operands.size());
  return target;
}

void KernelSimulation::check_indices(const std::string& name, int target, std::size_t indices) const {
  const MemoryBlock& block = *blocks_[static_cast<std::size_t>(target)];
  const std::size_t wanted = block.is_image ? block.texels.size() : 1;
  if (indices != wanted)
    fail(fmt::format("{} is accessed with {} indices instead of {}", name, indices, wanted));
}

void KernelSimulation::run() {
  std::array<std::int64_t, 3> groups{};
  for (std::size_t d = 0; d < 3; ++d) groups[d] = runtime::evaluate(kernel_.groups[d], scalars_);
  for (group_[2] = 0; group_[2] < groups[2]; ++group_[2]) {
    for (group_[1] = 0; group_[1] < groups[1]; ++group_[1]) {
      for (group_[0] = 0; group_[0] < groups[0]; ++group_[0]) {
        run_group();
        ++group_number_;
      }
    }
  }
}

void KernelSimulation::run_group() {
  // Local memory and its epochs of earlier groups are meaningless to this one.
  for (const auto& block : blocks_) {
    if (block->space != Memory::Global) block->data = nullptr;
  }
  ++local_epoch_;
  ++global_epoch_;
  frames_.clear();
  for (int item = 0; item < item_count_; ++item) {
    frames_.insert(frames_.end(), initial_frame_.begin(), initial_frame_.end());
    const auto& size = kernel_.group_size;
    const std::array<int, 3> thread{item % size[0], item / size[0] % size[1], item / size[0] / size[1]};
    for (std::size_t d = 0; d < 3; ++d) {
      Scalar* indices = frame(item) + first_index_slot_;
      indices[d].i = group_[d];
      indices[d + 3].i = thread[d];
    }
  }
  Items all(static_cast<std::size_t>(item_count_));
  std::iota(all.begin(), all.end(), 0);
  execute(root_, all);
}

void KernelSimulation::enter(int item) {
  item_ = item;
  begin(frame(item));
}

void KernelSimulation::execute(Step& step, const Items& items) {
  if (items.empty()) return;
  switch (step.kind) {
    case StmtKind::Block:
      for (Step& inner : step.body) execute(inner, items);
      return;
    case StmtKind::For:
      return execute_for(step, items);
    case StmtKind::If:
      return execute_if(step, items);
    case StmtKind::Let:
      for (const int item : items) {
        enter(item);
        for (int lane = 0; lane < step.lanes; ++lane)
          frame(item)[step.target + lane] = eval(step.exprs[0], lane);
      }
      return execute(step.body[0], items);
    case StmtKind::Store:
      if (step.meeting) return meet(step, items);
      for (const int item : items) store(step, item);
      return;
    case StmtKind::Allocate:
      allocate(step, items);
      return execute(step.body[0], items);
    case StmtKind::Barrier:
      return barrier(step, items);
  }
}

void KernelSimulation::execute_for(Step& step, const Items& items) {
  step.ends.resize(static_cast<std::size_t>(item_count_));
  step.chosen = items;
  for (const int item : items) {
    enter(item);
    const std::int64_t min = eval(step.exprs[0]).i;
    step.ends[static_cast<std::size_t>(item)] = min + eval(step.exprs[1]).i;
    frame(item)[step.target].i = min;
  }
  for (;;) {
    std::erase_if(step.chosen, [&](int item) {
      return frame(item)[step.target].i >= step.ends[static_cast<std::size_t>(item)];
    });
    if (step.chosen.empty()) return;
    execute(step.body[0], step.chosen);
    for (const int item : step.chosen) ++frame(item)[step.target].i;
  }
}

void KernelSimulation::execute_if(Step& step, const Items& items) {
  step.chosen.clear();
  step.others.clear();
  for (const int item : items) {
    enter(item);
    (eval(step.exprs[0]).i ? step.chosen : step.others).push_back(item);
  }
  execute(step.body[0], step.chosen);
  if (step.body.size() > 1) execute(step.body[1], step.others);
}

void KernelSimulation::allocate(const Step& step, const Items& items) {
  MemoryBlock& block = *blocks_[static_cast<std::size_t>(step.target)];
  enter(items[0]);
  std::int64_t elements = block.lanes;
  for (const int extent : step.exprs) elements *= std::max<std::int64_t>(eval(extent).i, 0);
  const auto total = static_cast<std::size_t>(block.is_shared() ? elements : elements * item_count_);
  const bool is_new = block.data == nullptr || block.elements != elements;
  block.elements = elements;
  block.own_bytes.resize(total * static_cast<std::size_t>(block.type.bytes()) + 1);
  block.data = block.own_bytes.data();
  // In a loop the next iteration finds the content undefined; but the memory is the same, so races are still
  // tracked.
  if (is_new && block.is_shared()) block.races.reset(total);
  if (is_new || block.is_shared()) {
    block.own_written.assign(total, 0);
    block.written = block.own_written.data();
    return;
  }
  for (const int item : items)
    std::fill_n(block.own_written.begin() + item * elements, elements, std::uint8_t{0});
}

void KernelSimulation::barrier(const Step& step, const Items& items) {
  if (static_cast<int>(items.size()) != item_count_) {
    int missing = 0;
    while (missing < static_cast<int>(items.size()) && items[static_cast<std::size_t>(missing)] == missing)
      ++missing;
    fail(fmt::format("divergent barrier: {} does not reach \"barrier {}\"", item_name(missing),
                     ir::name_of(step.source->memory)));
  }
  ++(step.source->memory == Memory::Local ? local_epoch_ : global_epoch_);
}

void KernelSimulation::fail(const std::string& what) const {
  throw SimulationError(fmt::format("kernel {}: {}", kernel_.name, what));
}

std::string KernelSimulation::item_name(int item) const {
  const auto& size = kernel_.group_size;
  return fmt::format("work-item ({}, {}, {}) of group ({}, {}, {})", item % size[0], item / size[0] % size[1],
                     item / size[0] / size[1], group_[0], group_[1], group_[2]);
}

}  // namespace tensordsl::simulator
