// A model as a graph of Funcs: the result of the front end and the input of the graph compiler. It knows no
// operators; the origin of a Func is only a label.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "definitions/group_form.h"
#include "tensordsl/buffer.h"
#include "tensordsl/func.h"
#include "tensordsl/program.h"

namespace tensordsl::definitions {

/// The origin of a Func, for names and reports.
struct Origin {
  std::string kind;  ///< "Conv"
  std::string node;  ///< "conv1", the name in the file
};

/// "node 'conv1' (Conv)"
std::string to_string(const Origin& origin);

/// A tensor of a model: an input, a constant, or a value that a Func computes from earlier tensors.
struct DefinedTensor {
  std::string name;  ///< the name in the model
  Func func;         ///< an Input, or one pure definition over the Funcs of other tensors and of its own
  std::vector<Expr> shape;  ///< extents in the model, of constants and Params; empty for a scalar
  std::shared_ptr<const Buffer> constant = nullptr;
  Origin origin = {};
  std::vector<Origin> fused = {};  ///< origins of other tensors whose definitions are in this one's
  std::optional<Type> given_as = std::nullopt;   ///< type in which an input is given, if it is not the Func's
  std::optional<Type> stored_as = std::nullopt;  ///< type in which the tensor is stored, whatever the
                                                 ///< precision
  bool is_image = false;  ///< an Image2D: its last dimension is the four elements of a texel
  /// Holds the values of a constant that was rounded to integers, or is stored less an offset, in their unit.
  /// A pass that makes others of it begins with these.
  std::shared_ptr<const Buffer> exact = nullptr;
  bool is_exact = false;  ///< a constant of integers that nothing was rounded to
  /// The parts of an attention that fuse_attention created, by the names of their Funcs.
  std::optional<AttentionNames> attention = std::nullopt;

  Type type() const { return func.type(); }
  /// The extents of the Func. A scalar has one dimension of extent 1, because a Func of a model has an index.
  std::vector<Expr> extents() const { return shape.empty() ? std::vector<Expr>{1} : shape; }
};

/// Returns the origins of everything that is in its definition, its own last.
std::vector<Origin> origins_of(const DefinedTensor& tensor);

struct DefinitionGraph {
  struct Output {
    std::string name;        ///< the name in the model
    std::size_t tensor = 0;  ///< several outputs may be one tensor, an input or a constant
    std::optional<Type> read_as = std::nullopt;  ///< type in which the caller reads it, if it is not the
                                                 ///< tensor's
  };

  /// A data-dependent size: a Param whose value a tensor holds. Only shapes and definitions of later tensors
  /// use it.
  struct Count {
    std::string param;
    std::size_t tensor = 0;  ///< index of the tensor, one i32 or i64
    Expr bound;              ///< largest value, over other Params
  };

  /// An input whose next value is an output; Program::State.
  struct State {
    std::size_t input = 0, output = 0;  ///< indices in `inputs` and `outputs`
    int axis = -1;                      ///< dimension along which it grows; -1: it has one shape
  };

  /// Tensors that are computed again in each step: tensors whose definitions depend on the step, on its
  /// initial values, or on others of the loop, and tensors that are carried. Program::Loop.
  struct Loop {
    /// A value that every step computes again, as four tensors of one type and shape.
    struct Carried {
      /// @var now
      /// The value in a step: an Input.
      /// @var next
      /// The value for the next step; in the loop.
      /// @var end
      /// The value after the loop: an Input.

      std::size_t begin = 0, now = 0, next = 0, end = 0;  ///< the value before the loop
      friend bool operator==(const Carried&, const Carried&) = default;
    };
    /// A row that each step adds to a tensor along its first dimension.
    struct Row {
      /// @var whole
      /// All rows, an Input: [steps, ...].

      std::size_t row = 0, whole = 0;  ///< the row of one step, in the loop: [1, ...]
      friend bool operator==(const Row&, const Row&) = default;
    };
    std::string step;                                     ///< a Param of i32: 0, 1, ..
    Expr steps;                                           ///< largest number of steps
    std::optional<std::size_t> condition = std::nullopt;  ///< index of a tensor in the loop; a value of 0
                                                          ///< ends the loop
    std::string taken = {};  ///< Param with the number of steps that ran, if there is a condition
    std::vector<Carried> carried = {};
    std::vector<Row> rows = {};

    /// Returns the tensors that it names: before the loop, in its steps, and after it.
    std::vector<std::size_t*> named();
  };

  std::string name;
  std::vector<DefinedTensor> tensors;         ///< each after those it reads; use_winograd appends constants
  std::vector<std::size_t> inputs;            ///< input tensors in the model's order
  std::vector<Output> outputs;                ///< outputs in the model's order
  std::vector<Count> counts;                  ///< counts in the order of their tensors
  std::vector<State> states;                  ///< states in the order of their inputs
  std::vector<Loop> loops;                    ///< each after those whose tensors it reads
  std::vector<ReadRequirement> requirements;  ///< requirements for what the file's shapes were assumed to be
  std::vector<std::string> warnings;          ///< warnings for the caller that compiles the graph

  /// True if more than the definitions need it: it is an output or a count, or a loop has it. It has memory
  /// of its own.
  bool is_read_by_host(std::size_t tensor) const;
  /// True if a loop hands it on: it is written to that memory and no other, whatever else has its elements.
  bool is_handed_on(std::size_t tensor) const;
};

/// Tensors by their Funcs, and the Funcs between them.
class TensorFuncs {
 public:
  explicit TensorFuncs(const DefinitionGraph& graph);

  /// The tensor that `function` is; nothing if it is a part of one.
  std::optional<std::size_t> tensor_of(const ir::Function& function) const;
  /// Returns the Funcs of a tensor's definition (a padded input, a sum), each after those it reads; the
  /// tensor's Func is the last.
  std::vector<Func> funcs_of(std::size_t tensor) const;
  /// The tensors that these Funcs read, in the order of the text, once each.
  std::vector<std::size_t> reads_of(const std::vector<Func>& funcs) const;
  /// The tensors that read each tensor, in order, once each.
  std::vector<std::vector<std::size_t>> readers() const;

 private:
  const DefinitionGraph& graph_;
  std::map<const ir::Function*, std::size_t> tensors_;
};

/// TensorFuncs::readers() of the graph.
std::vector<std::vector<std::size_t>> readers_of(const DefinitionGraph& graph);

}  // namespace tensordsl::definitions
