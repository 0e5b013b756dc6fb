// One launch of one kernel, and its memories.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ir/nodes/stmt.h"
#include "ir/nodes/sub_groups.h"
#include "lower/lowered.h"
#include "runtime/host/evaluator.h"
#include "runtime/host/tracing.h"
#include "simulate/race_detector.h"
#include "tensordsl/param_value.h"
#include "tensordsl/type.h"

namespace tensordsl::simulator {

/// The content of a buffer argument, which outlives the kernel.
struct BufferContent {
  std::span<std::byte> bytes;
  std::vector<std::uint8_t>* written = nullptr;  // flag for each element; null if all of them are
};

/// A buffer argument or an allocation, as scalars of `type`.
struct MemoryBlock {
  std::string name;
  ir::Memory space = ir::Memory::Global;
  Type type;
  int lanes = 1;              // lanes of an element; its index counts elements
  std::int64_t elements = 0;  // scalars; of one work-item if the block is private to it
  bool is_image = false;
  bool has_border = false;             // reads outside give 0
  int channels = 1;                    // elements of an image's texel
  std::vector<std::int64_t> texels{};  // extents of an image's coordinates, outermost first
  bool readable = true, writable = true;
  bool traces_loads = false, traces_stores = false;
  std::vector<std::byte> own_bytes;
  std::vector<std::uint8_t> own_written;
  std::byte* data = nullptr;
  std::uint8_t* written = nullptr;
  RaceDetector races;

  bool is_shared() const { return space == ir::Memory::Global || space == ir::Memory::Local; }
};

/// A statement with names resolved to slots and blocks, and expressions to numbers of compiled nodes.
struct Step {
  ir::StmtKind kind = ir::StmtKind::Block;
  const ir::StmtNode* source = nullptr;
  const ir::SubGroupOperation* meeting =
      nullptr;  // operation of a Store over a sub-group: its operands come first, then the index
  std::vector<int> exprs;
  std::vector<Step> body;
  int target = 0;                   // For, Let: the slot; Store, Allocate: the block
  int lanes = 1;                    // Let, Store: of the value
  std::vector<int> chosen, others;  // work-items: of a For, the ones that continue; of an If, those of each
                                    // branch
  std::vector<std::int64_t> ends;   // For: by work-item
};

class KernelSimulation : public runtime::Evaluator<KernelSimulation> {
 public:
  KernelSimulation(const lower::LoweredKernel& kernel, std::map<std::string, BufferContent>& buffers,
                   const ParamValues& scalars, const runtime::Tracing& tracing);
  void run();
  /// True if a kernel with arithmetic on f16 rounded a result.
  bool rounds_half() const { return has_rounded_half(); }

 private:
  friend class runtime::Evaluator<KernelSimulation>;
  using Items = std::vector<int>;

  // Set-up.
  void add_argument(const lower::BufferArgument& argument, std::map<std::string, BufferContent>& buffers);
  void set_scalar(const std::string& name, Type type, const ParamValue& value);
  int add_slots(int count);
  Step resolve(const ir::Stmt& stmt);

  // Interface that Evaluator requires.
  int resolve_variable(const ir::ExprNode& var) const;
  int resolve_access(const ir::ExprNode& load);
  void check_indices(const std::string& name, int target, std::size_t indices) const;
  Scalar access(const runtime::Node& load, int lane);
  /// Promises are removed before there are kernels.
  static Scalar broken_promise(Scalar value, Scalar, Scalar) { return value; }

  // Execution of a statement by the given work-items, in ascending order.
  void run_group();
  void execute(Step& step, const Items& items);
  void execute_for(Step& step, const Items& items);
  void execute_if(Step& step, const Items& items);
  void store(const Step& step, int item);
  void meet(const Step& step, const Items& items);
  void multiply(const Step& step, int first);
  std::vector<Scalar> reduced(const Step& step, int first);
  std::vector<Scalar> exchanged(const Step& step, int first);
  void allocate(const Step& step, const Items& items);
  void barrier(const Step& step, const Items& items);

  void enter(int item);
  Scalar* frame(int item) { return &frames_[static_cast<std::size_t>(item * frame_size_)]; }
  /// Returns the index of the texel at the coordinates that `exprs` give; empty outside the image.
  std::optional<std::int64_t> texel_at(const MemoryBlock& image, const std::vector<int>& exprs);
  Scalar read_texel(MemoryBlock& image, const runtime::Node& load, int lane);
  void write_texel(MemoryBlock& image, const Step& step);
  Scalar read(MemoryBlock& block, std::size_t offset, std::int64_t index);
  void write(MemoryBlock& block, std::size_t offset, std::int64_t index, Scalar value);
  std::size_t checked_offset(const MemoryBlock& block, std::int64_t index, int lane,
                             std::string_view action) const;
  /// Checks that the access has the alignment that it declares. Throws otherwise.
  void check_alignment(const MemoryBlock& block, std::int64_t first, std::int64_t alignment) const;
  Accessor accessor(const MemoryBlock& block) const;
  /// Tells who asked.
  void trace(TraceEvent::Kind kind, const MemoryBlock& block, std::int64_t index, Scalar value) const;
  [[noreturn]] void fail(const std::string& what) const;
  std::string item_name(int item) const;

  const lower::LoweredKernel& kernel_;
  const ParamValues& scalars_;
  const runtime::Tracing& tracing_;
  int item_count_ = 1;
  std::vector<std::unique_ptr<MemoryBlock>> blocks_;
  std::map<std::string, int> blocks_in_scope_;
  std::map<std::string, int> slots_in_scope_;
  int frame_size_ = 0;
  int first_index_slot_ = 0;           // slot of block0; block1, block2, thread0, thread1, thread2 follow
  std::vector<Scalar> initial_frame_;  // values of the scalar arguments and indices
  std::vector<Scalar> frames_;         // one per work-item
  std::vector<Scalar> values_;         // values of the lanes of a store
  Step root_;
  std::array<std::int64_t, 3> group_{};
  std::uint32_t group_number_ = 0;
  std::uint32_t local_epoch_ = 0, global_epoch_ = 0;
  int item_ = 0;  // the work-item at work
};

}  // namespace tensordsl::simulator
