// A compiled pipeline or model as plain data: the result of the compile side and the input of a Runner.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tensordsl/image.h"
#include "tensordsl/kernel_source.h"
#include "tensordsl/layout.h"
#include "tensordsl/size_expr.h"
#include "tensordsl/type.h"

namespace tensordsl {

namespace ir {
struct Function;
}

/// A check that the host makes before it launches: if `when` holds, `reader` reads [begin, end) of dimension
/// `dimension` of `tensor`, which has `extent` elements there.
struct ReadRequirement {
  /// Name of the Func whose definition reads.
  std::string reader, tensor;  ///< name of the Input or Func that is read
  int dimension = 0;  ///< counted from 0; -1: the tensor holds one number, `begin`, which must be `end`
  std::string axis;   ///< name of the dimension; empty: `reader` is an operator of a model
  SizeExpr when = 1;  ///< condition, 0 or 1, under which it reads
  /// @var end
  /// End of the elements that are read: one after the last.

  /// First element that is read.
  SizeExpr begin, end, extent;  ///< elements of the tensor in this dimension
  bool is_input = true;         ///< true: the tensor is an Input; false: a Func with bound()
};

/// A lower bound of a Param for which the kernels are correct: an index has it as a factor or a divisor.
struct FactorRequirement {
  /// Name of the Func whose definition has the index.
  std::string reader, tensor;  ///< name of the tensor that is indexed
  std::string param;           ///< name of the Param
  int least = 0;               ///< lower bound: 0 for a factor, 1 for a divisor
  SizeExpr when = 1;           ///< condition, 0 or 1, under which the access is made
};

/// Everything that a host needs to run a pipeline or a model. It is a value: no part of it belongs to a
/// device, a graph or a Func. Many threads and Runners may use a Program at once if it is not changed.
struct Program {
  /// Type, shape and layout of a tensor in memory, over the Params.
  struct Storage {
    Type type;                                      ///< type of an element in memory
    std::vector<SizeExpr> extents;                  ///< logical extents, outermost first
    Layout layout;                                  ///< layout of as many dimensions
    std::optional<ImageKind> image = std::nullopt;  ///< kind of image; a buffer if not set

    /// Returns the extents as numbers. Throws ShapeError if one depends on a Param.
    std::vector<std::int64_t> shape() const;
    /// Returns the size in memory. Throws ShapeError if an extent depends on a Param, or if a kernel could
    /// not index so many elements.
    std::int64_t bytes() const;
    friend bool operator==(const Storage&, const Storage&) = default;
  };

  /// Memory that launches name by index.
  struct Tensor {
    /// Use of a tensor. A State holds an input and the output that is its next value: Program::State.
    enum class Kind : std::uint8_t { Input, Output, Constant, Intermediate, State };
    /// Size of an image in texels, over the Params.
    struct ImageSize {
      int channels = 4;  ///< elements of a texel, 4 or 1
      /// @var height
      /// Rows; 1 for an Image1DBuffer.

      /// Columns; for an Image1DBuffer the number of all texels.
      SizeExpr width = 1, height = 1, layers = 1;  ///< layers of an Image2DArray; 1 for other kinds
      friend bool operator==(const ImageSize&, const ImageSize&) = default;
    };

    Kind kind = Kind::Intermediate;                 ///< use of the tensor
    std::string name;                               ///< name for messages and reports
    Storage stored;                                 ///< type, shape and layout in memory
    SizeExpr elements;                              ///< elements in memory, those that the layout leaves free
                                                    ///< included
    std::optional<ImageSize> image = std::nullopt;  ///< size of the image, if it is stored in one
    /// Allocation that holds an Intermediate, a buffer or an image; -1: one of its own.
    int slot = -1;
    /// Offset of its bytes: of a Constant in `constants`, of an Intermediate in its slot.
    std::int64_t offset = 0;
  };

  /// A launch of a kernel with its tensors.
  struct Launch {
    std::size_t kernel = 0;    ///< index into kernels
    std::vector<int> tensors;  ///< one for each argument; -1: a scalar, the Param of the argument's name
    std::array<SizeExpr, 3> groups{1, 1, 1};  ///< work-groups, over the Params
    std::string label;                        ///< description of its result, for reports
    /// Floating-point operations, a multiply-add counts 2. Of a model: those that its definitions ask for,
    /// whatever the kernel does. Of a pipeline: those in the kernel, with the points that its tiles add. 0 if
    /// they are not known.
    std::int64_t flops = 0;
  };

  /// An input or output as the user sees it: row-major, with a logical shape and type. It may be stored in
  /// another order and type.
  struct Value {
    std::string name;             ///< name of the Input or Func, or of the value in the model
    Type type;                    ///< type for the user
    std::vector<SizeExpr> shape;  ///< extents over the Params, and over counts if it is an output; empty for
                                  ///< a scalar
    std::size_t tensor = 0;       ///< index of the tensor; several outputs, an input or a constant may share
                                  ///< one
  };

  /// Bytes that the copies of a Program share.
  struct Bytes {
    std::shared_ptr<const std::byte[]> data;  ///< null if there are none
    std::size_t size = 0;                     ///< size in bytes
  };

  /// A scalar that the user gives for each run.
  struct Param {
    std::string name;  ///< name, also of the kernels' argument
    Type type;         ///< i32, i64, u32, u64, f32 or f64
    friend bool operator==(const Param&, const Param&) = default;
  };

  /// A data-dependent extent, which a kernel computes and no user gives: a number of elements, which may be
  /// 0.
  struct Count {
    std::string param;         ///< name of its Param, an i32
    std::size_t tensor = 0;    ///< tensor that holds it, one i32 or i64
    std::size_t launches = 0;  ///< number of launches after which it is known
    SizeExpr bound;            ///< upper bound, over the Params and the counts before it
  };

  /// A recurrent state: an input whose value, from the second run on, is an output of the run before. A
  /// Runner keeps it. Examples are the keys and values of a decoder and the state of a recurrent network.
  ///
  /// A state that grows has a Param of its own as an extent, and its output is longer: "past", and "past +
  /// sequence". If both are one tensor, a State, they start at the same address: kernels write the new
  /// elements after the old ones. Else a run writes all of the output.
  struct State {
    /// Index into Program::inputs.
    std::size_t input = 0, output = 0;  ///< index into Program::outputs
    int axis = -1;                      ///< dimension along which it grows; -1: its shape is fixed
    friend bool operator==(const State&, const State&) = default;
  };

  /// A host fallback operator: the host computes it by its definitions, as no kernel can. Its tensors are
  /// read from the device and written to it.
  struct HostStep {
    /// A tensor that the step reads or writes.
    struct Operand {
      std::string name;        ///< name of the Input or Func
      std::size_t tensor = 0;  ///< tensor that holds it
      Storage stored;          ///< storage, which may be a part of the tensor, or its elements in another
                               ///< shape
    };
    std::string label;                                             ///< description of its result, for reports
    std::vector<std::shared_ptr<const ir::Function>> definitions;  ///< each after those it reads
    /// Operands that are read, by the names of the Inputs in the definitions.
    std::vector<Operand> reads, writes;  ///< operands that are written, by the names of the Funcs that are
                                         ///< its outputs
    std::size_t launches = 0;            ///< number of launches before it
    std::size_t counts = 0;              ///< number of counts before it
  };

  /// A range of launches, counts and host steps that is repeated, a step at a time. Loops may be nested.
  /// Source: Loop and Scan of ONNX.
  struct Loop {
    /// A position in the Program: the number of launches, counts and host steps before it.
    struct Place {
      std::size_t launches = 0;    ///< launches of the Program before it
      std::size_t counts = 0;      ///< counts before it
      std::size_t host_steps = 0;  ///< host steps before it
      friend bool operator==(const Place&, const Place&) = default;
    };
    /// A loop-carried value, which every step computes again. The memory of its two tensors is swapped after
    /// each step.
    struct Carried {
      std::size_t now = 0;   ///< tensor with the value before the loop, in each step, and after the loop
      std::size_t next = 0;  ///< tensor that a step writes; of the type, extents and layout of `now`
      friend bool operator==(const Carried&, const Carried&) = default;
    };
    Place begin;                           ///< beginning of the body
    Place end;                             ///< end of the body
    std::string step;                      ///< name of an i32 Param that no user gives: 0, 1, .. in the steps
    SizeExpr steps;                        ///< largest number of steps, over Params and the counts before it
    std::optional<std::size_t> condition;  ///< tensor; a step that writes 0 there is the last
    /// Name of a count that no tensor holds: the number of steps that ran. Empty without a condition.
    std::string taken;
    std::vector<Carried> carried;  ///< carried values, in the order of the model
  };

  std::string name;                   ///< name of the first output, or of the model's graph; may be empty
  std::vector<KernelSource> kernels;  ///< distinct kernels
  std::vector<Tensor> tensors;        ///< tensors that launches, inputs and outputs name by index
  std::vector<Launch> launches;       ///< launches in order
  /// Inputs, in the order in which the definitions read them, or of the model.
  std::vector<Value> inputs, outputs;  ///< outputs, in the order of the Pipeline, or of the model
  std::vector<Param> params;           ///< Params in alphabetical order, symbolic extents of outputs among
                                       ///< them
  std::vector<Count> counts;           ///< counts in the order in which they become known
  std::vector<HostStep> host_steps;    ///< host steps in order
  std::vector<Loop> loops;             ///< loops, sorted by their beginnings, an outer one before those in it
  std::vector<State> states;           ///< states, in the order of the inputs; those that grow have one Param
  std::vector<std::int64_t> slot_bytes;       ///< sizes of the allocations that intermediates share
  std::vector<ReadRequirement> requirements;  ///< checks before a run; those that hold for all sizes are left
                                              ///< out
  std::vector<FactorRequirement> factors;     ///< bounds of Params; those that hold for all values are left
                                              ///< out
  std::vector<std::string> warnings;          ///< warnings for the user who compiled it
  Bytes constants;                            ///< the stored constants, one after the other

  /// Returns the bytes of the allocations that intermediates share; allocations of symbolic sizes are not
  /// counted.
  std::int64_t intermediate_bytes() const;
  /// Returns the sum of Launch::flops over all launches.
  std::int64_t flops() const;
};

/// Returns a text such as "f32 [1, 64, h, w], layout \"d1/4 | d2 d3 | d1%4\", Image2D": row-major order and
/// buffers are not named.
std::string to_string(const Program::Storage& storage);

/// Returns JSON of version 1 to 6; src/runtime/json/program.schema.json describes it. Kernels name the files
/// that have their text; only the size of the constants is written.
std::string to_json(const Program& program);
/// Reads to_json()'s text; texts of kernels and constants stay empty. Throws ParseError, also on indices,
/// sizes and expressions that are inconsistent.
Program program_from_json(const std::string& json);

/// Writes program.json, the kernels' .cl files and constants.bin into `folder`, which is made if it does not
/// exist. The files of an earlier Program in the folder are removed; others stay. Throws Error if that is not
/// possible.
void write_program(const Program& program, const std::string& folder);
/// Reads a folder that write_program() wrote, or the .json of a generator. Throws Error or ParseError, which
/// start with the file's name.
Program read_program(const std::string& place);

}  // namespace tensordsl
