// A compiled pipeline or model as plain data: what the compile side ends in and a Runner starts from.
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

/// What a host checks before it launches: where `when` holds, `reader` reads [begin, end) of dimension
/// `dimension` of `tensor`, which has `extent` elements there.
struct ReadRequirement {
  /// The Func whose definition reads.
  std::string reader, tensor;  ///< the Input or Func that is read
  int dimension = 0;  ///< counted from 0; -1: the tensor holds one number, `begin`, which is to be `end`
  std::string axis;   ///< the dimension's name; empty: `reader` is an operator of a model
  SizeExpr when = 1;  ///< 0 or 1: whether it reads at all
  /// @var end
  /// The element behind the last that is read.

  /// The first element that is read.
  SizeExpr begin, end, extent;  ///< that the tensor has in this dimension
  bool is_input = true;         ///< of the tensor; else it is a Func with bound()
};

/// A Param that the kernels are right for from a value on: they have it as a factor or a divisor in an index.
struct FactorRequirement {
  /// The Func whose definition has the index.
  std::string reader, tensor;  ///< the tensor that is indexed
  std::string param;           ///< its name
  int least = 0;               ///< the least value: 0 of a factor, 1 of a divisor
  SizeExpr when = 1;           ///< 0 or 1: whether the access is made at all
};

/// Everything a host needs to run a pipeline or a model. A value: nothing in it belongs to a device, a graph
/// or a Func. A Program that is not changed may be used by many threads and Runners at once.
struct Program {
  /// How a tensor lies in memory, over the Params.
  struct Storage {
    Type type;                                      ///< of an element, as it is stored
    std::vector<SizeExpr> extents;                  ///< logical, outermost first
    Layout layout;                                  ///< of as many dimensions
    std::optional<ImageKind> image = std::nullopt;  ///< a buffer if not set

    /// The extents as numbers. Throws ShapeError if one depends on a Param.
    std::vector<std::int64_t> shape() const;
    /// In memory. Throws ShapeError if an extent depends on a Param, or if a kernel could not index so many
    /// elements.
    std::int64_t bytes() const;
    friend bool operator==(const Storage&, const Storage&) = default;
  };

  /// Memory that launches name by index.
  struct Tensor {
    /// A State holds an input and the output that is its next value: Program::State.
    enum class Kind : std::uint8_t { Input, Output, Constant, Intermediate, State };
    /// In texels, over the Params.
    struct ImageSize {
      int channels = 4;  ///< elements of a texel, 4 or 1
      /// @var height
      /// Rows; 1 of an Image1DBuffer.

      /// Columns; of an Image1DBuffer all texels.
      SizeExpr width = 1, height = 1, layers = 1;  ///< of an Image2DArray; else 1
      friend bool operator==(const ImageSize&, const ImageSize&) = default;
    };

    Kind kind = Kind::Intermediate;                 ///< what it is for
    std::string name;                               ///< for messages and reports
    Storage stored;                                 ///< how it lies in memory
    SizeExpr elements;                              ///< in memory, with those that the layout leaves free
    std::optional<ImageSize> image = std::nullopt;  ///< of what is stored in an image
    /// Of an Intermediate: which allocation holds it, a buffer or an image; -1: one of its own.
    int slot = -1;
    /// Where its bytes begin: of a Constant in `constants`, of an Intermediate in its slot.
    std::int64_t offset = 0;
  };

  /// A kernel with the tensors that it is given.
  struct Launch {
    std::size_t kernel = 0;    ///< index into kernels
    std::vector<int> tensors;  ///< one for each argument; -1: a scalar, the Param of the argument's name
    std::array<SizeExpr, 3> groups{1, 1, 1};  ///< work-groups, over the Params
    std::string label;                        ///< what it computes, for reports
    std::int64_t flops = 0;                   ///< that the model asks for, whatever the kernel does
  };

  /// An input or output as its user sees it: row-major, of a logical shape and type. It may be stored
  /// otherwise, and as another type.
  struct Value {
    std::string name;             ///< of the Input or Func, or in the model
    Type type;                    ///< as its user sees it
    std::vector<SizeExpr> shape;  ///< over the Params, of an output also over counts; empty for a scalar
    std::size_t tensor = 0;       ///< several outputs may be one tensor, also an input's or a constant's
  };

  /// Shared by the copies of a Program.
  struct Bytes {
    std::shared_ptr<const std::byte[]> data;  ///< null if there are none
    std::size_t size = 0;                     ///< in bytes
  };

  /// A scalar that the user gives for each run.
  struct Param {
    std::string name;  ///< the kernels' argument has it too
    Type type;         ///< i32, i64, u32, u64, f32 or f64
    friend bool operator==(const Param&, const Param&) = default;
  };

  /// A Param that no user gives: how many elements data makes there be, which a kernel computes. It is an
  /// extent, and may be 0.
  struct Count {
    std::string param;         ///< i32
    std::size_t tensor = 0;    ///< which holds it, one i32 or i64
    std::size_t launches = 0;  ///< after so many of the launches it is there
    SizeExpr bound;            ///< that it is at most; over the Params and the counts before it
  };

  /// An input that is, from the second run on, what an output was in the run before. A Runner keeps it: the
  /// keys and values of a decoder, what a recurrent network remembers.
  ///
  /// One that grows has a Param of its own as an extent, and the output is longer there: "past", and
  /// "past + sequence". If both are one tensor, a State, they begin at its beginning: kernels write what is
  /// new behind what is there. Else a run writes all of the output.
  struct State {
    /// Index into Program::inputs.
    std::size_t input = 0, output = 0;  ///< index into Program::outputs
    int axis = -1;                      ///< along which it grows; -1: it has one shape
    friend bool operator==(const State&, const State&) = default;
  };

  /// What no kernel computes: the host does, by definitions. Its tensors are read from the device and written
  /// to it.
  struct HostStep {
    /// A tensor that the step reads or writes.
    struct Operand {
      std::string name;        ///< of the Input or Func
      std::size_t tensor = 0;  ///< which holds it
      Storage stored;          ///< how, which may be a part of the tensor, or its elements in another shape
    };
    std::string label;                                             ///< what it computes, for reports
    std::vector<std::shared_ptr<const ir::Function>> definitions;  ///< each after those it reads
    /// By the names of the Inputs in the definitions.
    std::vector<Operand> reads, writes;  ///< by the names of the Funcs that are its outputs
    std::size_t launches = 0;            ///< it comes behind so many of the launches
    std::size_t counts = 0;              ///< and behind so many of the counts
  };

  /// Launches, counts and host steps that run again and again, a step at a time. Loops may be in others.
  /// Source: Loop and Scan of ONNX.
  struct Loop {
    /// So many of each are before it.
    struct Place {
      std::size_t launches = 0;    ///< of the Program's launches
      std::size_t counts = 0;      ///< of its counts
      std::size_t host_steps = 0;  ///< of its host steps
      friend bool operator==(const Place&, const Place&) = default;
    };
    /// A value that every step makes anew. The memory of both tensors changes places behind each step.
    struct Carried {
      std::size_t now = 0;   ///< a tensor: it before the loop, in each step, and behind the loop
      std::size_t next = 0;  ///< a tensor, that a step writes; of the type, extents and layout of `now`
      friend bool operator==(const Carried&, const Carried&) = default;
    };
    Place begin;                           ///< where what repeats begins
    Place end;                             ///< where it ends
    std::string step;                      ///< a Param of i32 that no user gives: 0, 1, .. in the steps
    SizeExpr steps;                        ///< how many there are at most; over Params and counts before it
    std::optional<std::size_t> condition;  ///< a tensor; a step that writes 0 there is the last
    /// A count that no tensor holds: of the steps that there were. Empty without a condition.
    std::string taken;
    std::vector<Carried> carried;  ///< in the order of the model
  };

  std::string name;                   ///< of the first output, or of the model's graph; may be empty
  std::vector<KernelSource> kernels;  ///< distinct ones
  std::vector<Tensor> tensors;        ///< that launches, inputs and outputs name by index
  std::vector<Launch> launches;       ///< in order
  /// In the order in which the definitions read them, or of the model.
  std::vector<Value> inputs, outputs;  ///< in the order of the Pipeline, or of the model
  std::vector<Param> params;           ///< in alphabetical order; symbolic extents of outputs are among them
  std::vector<Count> counts;           ///< in the order in which they become known
  std::vector<HostStep> host_steps;    ///< in order
  std::vector<Loop> loops;             ///< by where they begin, one before those in it
  std::vector<State> states;           ///< in the order of the inputs; those that grow have one Param
  std::vector<std::int64_t> slot_bytes;       ///< of the allocations that intermediates share
  std::vector<ReadRequirement> requirements;  ///< those that hold for all sizes are left out
  std::vector<FactorRequirement> factors;     ///< the same
  std::vector<std::string> warnings;          ///< for whoever compiled it
  Bytes constants;                            ///< as they are stored, one behind the other

  /// Bytes of the allocations that intermediates share: those of symbolic sizes are not counted.
  std::int64_t intermediate_bytes() const;
  /// Of all launches: Launch::flops.
  std::int64_t flops() const;
};

/// "f32 [1, 64, h, w], layout \"d1/4 | d2 d3 | d1%4\", Image2D": row-major order and buffers are not named.
std::string to_string(const Program::Storage& storage);

/// JSON of version 1 to 6; src/runtime/json/program.schema.json describes it. Kernels name their files, which
/// have their text; constants are left out but for their size.
std::string to_json(const Program& program);
/// Reads it; texts of kernels and constants stay empty. Throws ParseError, also on indices, sizes and
/// expressions that do not fit each other.
Program program_from_json(const std::string& json);

/// Writes program.json, the kernels' .cl files and constants.bin into `folder`, which is made if it is not
/// there. The files of a Program that was there before go; others stay. Throws Error if that is not possible.
void write_program(const Program& program, const std::string& folder);
/// Reads them again: such a folder, or the .json of a generator. Throws Error or ParseError, which start with
/// the file's name.
Program read_program(const std::string& place);

}  // namespace tensordsl
