// The result of lowering: kernels as plain IR.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ir/nodes/stmt.h"
#include "tensordsl/image.h"
#include "tensordsl/kernel_source.h"
#include "tensordsl/stored_tensor.h"

namespace tensordsl::lower {

/// The image that a tensor lies in.
struct ImageShape {
  ImageKind kind = ImageKind::Image2D;
  int channels = 4;           // elements of a texel, 4 or 1
  std::vector<Expr> extents;  // extents of the coordinates, outermost first: [layers,] [rows,] columns
};

/// Images by the tensor's name.
using Images = std::map<std::string, ImageShape>;

/// The names of the indices of work-groups and work-items in the body of a kernel.
inline constexpr const char* kBlockNames[3] = {"block0", "block1", "block2"};
inline constexpr const char* kThreadNames[3] = {"thread0", "thread1", "thread2"};

/// A buffer or image argument of a kernel.
struct BufferArgument {
  std::string name;
  Type type;  // element type in memory
  KernelArgument::Access access = KernelArgument::Access::ReadOnly;
  Expr elements;                                   // over the kernel's scalar arguments
  std::optional<ImageShape> image = std::nullopt;  // a buffer if not set
  bool is_constant = false;                        // true: it is in the constant address space
  bool may_overlap = false;                        // KernelArgument::may_overlap
};

struct ScalarArgument {
  std::string name;
  Type type;
};

/// The body is the work of one work-item. Its free variables are the scalar arguments and the indices block0,
/// block1, block2 (get_group_id) and thread0, thread1, thread2 (get_local_id). Loads and stores of buffers
/// have one linear index; accesses of images are of whole texels, at scalar coordinates, outermost first.
/// Allocations of Memory::Local are shared by the work-group, Private and Register ones belong to the
/// work-item; barriers are reached by every work-item of a group.
struct LoweredKernel {
  std::string name;
  std::vector<BufferArgument> buffers;
  std::vector<ScalarArgument> scalars;
  std::array<Expr, 3> groups;
  std::array<int, 3> group_size{1, 1, 1};
  int sub_group_size = 0;  // size on which its sub-group operations rely; 0 without them
  KernelResources resources;
  ir::Stmt body;
  bool is_specialized = false;   // runs instead of the kernel after it, where a condition on Params holds
  bool autobroadcast = false;    // operations on a scalar and a vector are printed as such
  bool half_arithmetic = false;  // values of f16 are held as f16, not as f32
};

/// A buffer or image written by one kernel and read by a later one.
struct Intermediate {
  std::string name;
  StoredTensor stored;
  Expr elements;  // elements in memory; not negative at any size
};

/// A read that is inside its tensor only for some values of the Params and extents.
struct ReadRequirement {
  std::string reader;  // the Func whose definition reads
  std::string tensor;  // an Input, or a Func with bound()
  int dimension = 0;
  std::string axis;  // the dimension's name
  Expr when;         // it reads at all; undefined: always
  Expr begin, end;   // it reads [begin, end)
  Expr extent;       // extent of the tensor
};

/// A Param that the boxes of Funcs take to have the sign of an extent.
struct FactorRequirement {
  std::string reader;  // the Func whose definition has it in an index
  std::string tensor;  // the Func that is indexed
  std::string param;
  bool is_divisor = false;  // an index is the remainder by it, which it is positive for; else a multiple
  Expr when;                // the access is made at all; undefined: always
};

struct LoweredPipeline {
  std::vector<LoweredKernel> kernels;  // kernels in the order of execution
  std::vector<Intermediate> intermediates;
  std::vector<ReadRequirement> requirements;  // reads that a launch has to check
  std::vector<FactorRequirement> factors;     // factors that a launch has to check
  std::vector<std::string> inputs;            // names of the Inputs that are read, in the order of first use
  std::vector<std::string> outputs;           // the buffers of the outputs, in their order
};

}  // namespace tensordsl::lower
