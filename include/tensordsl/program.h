// A compiled pipeline or model as plain data: what the compile side ends in and a Runner starts from.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tensordsl/expr.h"
#include "tensordsl/kernel_source.h"
#include "tensordsl/stored_tensor.h"
#include "tensordsl/type.h"

namespace tensordsl {

namespace ir {
struct Function;
}

/// What a host checks before it launches: where `when` holds, `reader` reads [begin, end) of dimension
/// `dimension` of `tensor`, which has `extent` elements there. All are integer expressions over the Params.
struct ReadRequirement {
  std::string reader, tensor;
  int dimension = 0;
  std::string axis;  ///< the dimension's name
  Expr when;         ///< 0 or 1
  Expr begin, end, extent;
  bool is_input = true;  ///< of the tensor; else it is a Func with bound()
};

/// A Param that the kernels are right for from a value on: they have it as a factor or a divisor in an index.
struct FactorRequirement {
  std::string reader, tensor;
  std::string param;
  int least = 0;
  Expr when;  ///< 0 or 1
};

/// Everything a host needs to run a pipeline or a model. A value: nothing in it belongs to a device, a graph
/// or a Func. A Program that is not changed may be used by many threads and Runners at once.
struct Program {
  /// Memory that launches name by index.
  struct Tensor {
    /// A State holds an input and the output that is its next value: Program::State.
    enum class Kind : std::uint8_t { Input, Output, Constant, Intermediate, State };
    /// In texels; expressions over the Params.
    struct ImageSize {
      int channels = 4;  ///< elements of a texel, 4 or 1
      std::string width = "1", height = "1", layers = "1";
      friend bool operator==(const ImageSize&, const ImageSize&) = default;
    };

    Kind kind = Kind::Intermediate;
    std::string name;  ///< for messages and reports
    StoredTensor stored;
    /// In memory, with those that the layout leaves free: an expression over the Params.
    std::string elements;
    std::optional<ImageSize> image = std::nullopt;
    /// Of an Intermediate: which allocation holds it, a buffer or an image; -1: one of its own.
    int slot = -1;
    /// Where its bytes begin: of a Constant in `constants`, of an Intermediate in its slot.
    std::int64_t offset = 0;
  };

  struct Launch {
    std::size_t kernel = 0;    ///< index into kernels
    std::vector<int> tensors;  ///< one for each argument; -1: a scalar, the Param of the argument's name
    std::array<std::string, 3> groups{"1", "1", "1"};  ///< work-groups, expressions over the Params
    std::string label;                                 ///< what it computes, for reports
    std::int64_t flops = 0;                            ///< that the model asks for, whatever the kernel does
  };

  /// An input or output as its user sees it: row-major, of a logical shape and type. It may be stored
  /// otherwise, and as another type.
  struct Value {
    std::string name;
    Type type;
    std::vector<Expr> shape;  ///< over the Params, of an output also over counts; empty for a scalar
    std::size_t tensor = 0;   ///< several outputs may be one tensor, also an input's or a constant's
  };

  /// Shared by the copies of a Program.
  struct Bytes {
    std::shared_ptr<const std::byte[]> data;
    std::size_t size = 0;
  };

  struct Param {
    std::string name;
    Type type;
    friend bool operator==(const Param&, const Param&) = default;
  };

  /// A Param that no user gives: how many elements data makes there be, which a kernel computes. It is an
  /// extent, and may be 0.
  struct Count {
    std::string param;         ///< i32
    std::size_t tensor = 0;    ///< which holds it, one i32 or i64
    std::size_t launches = 0;  ///< after so many of the launches it is there
    Expr bound;                ///< that it is at most; over the Params and the counts before it
  };

  /// An input that is, from the second run on, what an output was in the run before. A Runner keeps it: the
  /// keys and values of a decoder, what a recurrent network remembers.
  ///
  /// One that grows has a Param of its own as an extent, and the output is longer there: "past", and
  /// "past + sequence". If both are one tensor, a State, they begin at its beginning: kernels write what is
  /// new behind what is there. Else a run writes all of the output.
  struct State {
    std::size_t input = 0, output = 0;  ///< of `inputs` and `outputs`
    int axis = -1;                      ///< along which it grows; -1: it has one shape
    friend bool operator==(const State&, const State&) = default;
  };

  /// What no kernel computes: the host does, by definitions. Its tensors are read from the device and written
  /// to it.
  struct HostStep {
    struct Operand {
      std::string name;        ///< of the Input or Func
      std::size_t tensor = 0;  ///< which holds it
      StoredTensor stored;     ///< how, which may be a part of the tensor, or its elements in another shape
    };
    std::string label;                                             ///< what it computes, for reports
    std::vector<std::shared_ptr<const ir::Function>> definitions;  ///< each after those it reads
    std::vector<Operand> reads, writes;
    std::size_t launches = 0;  ///< it comes behind so many of the launches
    std::size_t counts = 0;    ///< and behind so many of the counts
  };

  std::string name;
  std::vector<KernelSource> kernels;  ///< distinct ones
  std::vector<Tensor> tensors;
  std::vector<Launch> launches;        ///< in order
  std::vector<Value> inputs, outputs;  ///< in the order in which the definitions read them, or of the model
  std::vector<Param> params;           ///< in alphabetical order; symbolic extents of outputs are among them
  std::vector<Count> counts;           ///< in the order in which they become known
  std::vector<HostStep> host_steps;    ///< in order
  std::vector<State> states;           ///< in the order of the inputs; those that grow have one Param
  std::vector<std::int64_t> slot_bytes;       ///< of the allocations that intermediates share
  std::vector<ReadRequirement> requirements;  ///< those that hold for all sizes are left out
  std::vector<FactorRequirement> factors;     ///< the same
  std::vector<std::string> warnings;          ///< for whoever compiled it
  Bytes constants;                            ///< as they are stored, one behind the other

  /// Of the allocations that intermediates share: those of symbolic sizes are not counted.
  std::int64_t intermediate_bytes() const;
  std::int64_t flops() const;
};

/// JSON of version 1 to 5; src/runtime/program.schema.json describes it. Kernels name their files, which
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
