// The compilation of a model, pass by pass and with reasons: plain data, for users and for scripts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tensordsl/kernel_source.h"

namespace tensordsl {

/// Result of Model::inspect. Lists refer to each other by indices.
struct Inspection {
  /// A pass over the graph. Passes are listed in their order.
  struct Pass {
    /// Number of tensors that are left to compute; after grouping, number of groups.
    struct Size {
      /// Tensors that are computed, or groups.
      std::size_t operators = 0, movements = 0;  ///< tensors among them that only move elements
      friend bool operator==(const Size&, const Size&) = default;
    };
    std::string name;        ///< name of the pass; docs/ARCHITECTURE.md describes it
    bool of_groups = false;  ///< true: the sizes count groups; false: tensors
    /// Size of the model before the pass.
    Size before, after;              ///< size of the model after the pass
    std::vector<std::string> notes;  ///< changes that the pass made, and those that it refused, with reasons
  };

  /// Result of the compilation for one operator.
  enum class Fate {
    Input,      ///< no operator, but an input of the model
    Computed,   ///< stored, or computed in the kernel of its group
    Merged,     ///< merged into another tensor's definition
    InIndices,  ///< moves elements only: its readers read them from the original tensor
    OtherName,  ///< moves nothing in memory: another name for its operand
    InPlace,    ///< concatenates: its operands are computed into their parts of the result
    Same,       ///< equals another tensor, element for element
    Unused,     ///< computed for no output
  };

  /// An input of the model, or a tensor that an operator of it computes.
  struct Operator {
    std::string output;  ///< the tensor's name
    /// Operator type: "Conv"; empty for an input.
    std::string kind, node;           ///< the node's name; empty for an input
    std::string tensor;               ///< "f32 [1, 64, 56, 56]"
    std::string text;                 ///< the operator as a line of text
    std::string classification;       ///< "contraction": the highest class of its definitions
    bool is_movement = false;         ///< true if it only moves elements
    std::vector<std::size_t> reads;   ///< indices of the operators whose results it reads
    Fate fate = Fate::Computed;       ///< result of the compilation for it
    std::string reason;               ///< reason for this result
    std::vector<std::size_t> groups;  ///< groups that compute it, or have it in their definitions
  };

  /// A tensor that a group reads or stores.
  struct Stored {
    std::string tensor;                 ///< its name in the model
    bool is_constant = false;           ///< weights, or a tensor computed from them at compile time
    std::string stored;                 ///< "f32 [1, 64, 56, 56], layout ..": to_string(StoredTensor)
    std::optional<std::int64_t> bytes;  ///< bytes of its elements; none if the size is symbolic
    std::string reason;                 ///< reason of the layout
  };

  /// A tensor that a group computes, with the classes of its definitions.
  struct Member {
    std::string output;                ///< the tensor's name
    std::vector<std::string> origins;  ///< "node 'conv1' (Conv)"
    std::vector<std::string> classes;  ///< class of each definition: "conv_2_sum: contraction m(h, w) n(c)
                                       ///< k(r_2)"
  };

  /// Operators that are computed together.
  struct Group {
    std::string label;           ///< "Conv+Relu"
    std::string classification;  ///< highest class of its members
    bool is_movement = false;    ///< its kernels only move elements
    std::string stays;  ///< reason why a layout transformation is not eliminated; empty for other nodes
    std::string role;   ///< roles of the axes of its first contraction: "group m(h, w) n(c) .."
    std::vector<Member> members;  ///< members, each after those that it reads
    /// Tensors that it reads, constants among them.
    std::vector<Stored> reads, stores;  ///< tensors that other groups or the user read from it
    std::string reason;                 ///< reason why its results are not fused into their readers
    /// Name of its schedule's template: "tiled_reduction".
    std::string strategy, point;        ///< values that configure the template: "lanes=16 pixels=7"
    std::string host;                   ///< reason why the host computes it; empty: kernels do
    std::vector<std::size_t> from;      ///< groups whose results it reads
    std::vector<std::size_t> inputs;    ///< indices of operators that are inputs of the model and that it
                                        ///< reads
    std::vector<std::size_t> launches;  ///< its launches: the index of the kernel of each
    std::int64_t flops = 0;             ///< operations that the model asks for
    /// Bytes of the tensors that it reads, each once; none if a size is symbolic.
    std::optional<std::int64_t> bytes_read, bytes_written;  ///< bytes of the tensors that it stores; none if
                                                            ///< a size is symbolic
    std::size_t code = 0;                                   ///< index into codes
  };

  /// An integer division or remainder that is left in a kernel.
  struct Division {
    std::string text;    ///< "truncating_div(x, 3)"
    int count = 0;       ///< number of its occurrences in the kernel
    int loop_depth = 0;  ///< number of a work-item's loops around the innermost occurrence
    friend bool operator==(const Division&, const Division&) = default;
  };

  /// Definitions, loops and kernels that equal groups share.
  struct Code {
    std::string funcs;                 ///< the definitions as text
    std::string nest;                  ///< the loops as text; empty if the host computes it
    std::vector<std::size_t> kernels;  ///< indices into Inspection::kernels, in the order of launches
    std::vector<Division> divisions;   ///< divisions of all these kernels
  };

  /// Memory plan of the intermediates. Steps are launches, in their order.
  struct Memory {
    /// An intermediate of a known size.
    struct Tensor {
      std::string name;        ///< name in the model
      std::int64_t bytes = 0;  ///< size in memory
      /// Step that writes it.
      int first = 0, last = 0;  ///< last step that reads it
      int slot = -1;            ///< shared allocation that holds it; -1: an allocation of its own
      std::int64_t offset = 0;  ///< offset in that allocation
    };
    std::vector<Tensor> tensors;           ///< intermediates of known sizes
    std::vector<std::int64_t> slot_bytes;  ///< size of each allocation that intermediates share
    std::size_t open = 0;          ///< number of intermediates of symbolic sizes, which have allocations of
                                   ///< their own
    std::int64_t planned = 0;      ///< total size of all allocations
    std::int64_t lower_bound = 0;  ///< most bytes that one step needs: no plan can do with less
    std::int64_t apart = 0;        ///< total size if no two intermediates shared memory
    /// Bytes of constants that are stored a second time, because readers want them in another layout.
    std::int64_t copied_constants = 0, copied_intermediates = 0;  ///< bytes of such second copies of
                                                                  ///< intermediates
  };

  /// An output of the model.
  struct Output {
    std::string name;                  ///< name in the model
    std::optional<std::size_t> group;  ///< index of the group that stores it
    std::optional<std::size_t> input;  ///< index of the operator, if it is an input of the model
  };

  std::string model;                  ///< the graph's name in the model's file
  std::vector<Pass> passes;           ///< passes, in their order
  std::vector<Operator> operators;    ///< operators of the imported model, each after those that it reads
  std::vector<Group> groups;          ///< groups, in an order of execution
  std::vector<Code> codes;            ///< one for each distinct group
  std::vector<KernelSource> kernels;  ///< distinct kernels of the Program
  std::vector<Output> outputs;        ///< outputs in the model's order
  Memory memory;                      ///< memory plan of the intermediates
  std::int64_t constant_bytes = 0;    ///< size of all constants in memory
  std::vector<std::string> warnings;  ///< Program::warnings

  /// Returns the number of kernels that a run launches, over all groups.
  std::size_t launches() const;
  /// Returns the operations that the model asks for, over all groups.
  std::int64_t flops() const;
  /// Returns the number of launches of groups that only move elements.
  std::size_t movement_launches() const;
};

/// Returns the name of the result in lower case, with spaces between its words: "in indices".
const char* to_string(Inspection::Fate fate);

/// Returns JSON of version 1, with the whole inspection. `facts` are names and values that describe the
/// request, such as the tool's arguments.
std::string to_json(const Inspection& inspection,
                    const std::vector<std::pair<std::string, std::string>>& facts = {});

}  // namespace tensordsl
