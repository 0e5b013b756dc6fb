// What became of a model on its way to kernels, and why: plain data, for people and for scripts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tensordsl/kernel_source.h"

namespace tensordsl {

/// See Model::inspect. Lists refer to each other by indices.
struct Inspection {
  /// A pass over the graph, in their order.
  struct Pass {
    /// How much is left to compute: tensors, and once there are groups these.
    struct Size {
      /// Tensors that are computed, or groups.
      std::size_t operators = 0, movements = 0;  ///< those of them that only move elements
      friend bool operator==(const Size&, const Size&) = default;
    };
    std::string name;        ///< docs/ARCHITECTURE.md tells what it does
    bool of_groups = false;  ///< whether the sizes count groups; else tensors
    /// As the pass found the model.
    Size before, after;              ///< as it left it
    std::vector<std::string> notes;  ///< what it did, and what it left and why
  };

  /// What became of an operator.
  enum class Fate {
    Input,      ///< it is none, but an input of the model
    Computed,   ///< it is stored, or computed in the kernel of its group
    Merged,     ///< its definition is part of another tensor's
    InIndices,  ///< it only moved elements: what read it reads them where they were
    OtherName,  ///< it moves nothing in memory: another name for what it reads
    InPlace,    ///< what it puts together is computed at its place
    Same,       ///< it is element for element another tensor
    Unused,     ///< no output needs it
  };

  /// An input of the model, or a tensor that an operator of it computes.
  struct Operator {
    std::string output;  ///< the tensor's name
    /// "Conv"; of an input empty
    std::string kind, node;           ///< the node's name; of an input empty
    std::string tensor;               ///< "f32 [1, 64, 56, 56]"
    std::string text;                 ///< the operator as a line of text
    std::string classification;       ///< "contraction", the highest of what it does
    bool is_movement = false;         ///< it only moves elements
    std::vector<std::size_t> reads;   ///< other operators
    Fate fate = Fate::Computed;       ///< what became of it
    std::string reason;               ///< of its fate
    std::vector<std::size_t> groups;  ///< that compute it, or have it in their definitions
  };

  /// A tensor that a group reads or stores.
  struct Stored {
    std::string tensor;                 ///< its name in the model
    bool is_constant = false;           ///< weights, or what was computed of them
    std::string stored;                 ///< "f32 [1, 64, 56, 56], layout ..": to_string(StoredTensor)
    std::optional<std::int64_t> bytes;  ///< of its elements; none if the size is open
    std::string reason;                 ///< of the layout
  };

  /// A tensor that a group computes, with what its definitions do.
  struct Member {
    std::string output;                ///< the tensor's name
    std::vector<std::string> origins;  ///< "node 'conv1' (Conv)"
    std::vector<std::string> classes;  ///< "conv_2_sum: contraction m(h, w) n(c) k(r_2)", each definition
  };

  /// What is computed together.
  struct Group {
    std::string label;            ///< "Conv+Relu"
    std::string classification;   ///< the highest of its members'
    bool is_movement = false;     ///< its kernels only move elements
    std::string stays;            ///< of a layout transformation: why it is left
    std::string role;             ///< of the axes: "group m(h, w) n(c) ..", of its first contraction
    std::vector<Member> members;  ///< each after those it reads
    /// What it reads, constants among it.
    std::vector<Stored> reads, stores;  ///< what other groups or the user read of it
    std::string reason;                 ///< why what it stores is not computed in what reads it
    /// The template of its schedule: "tiled_reduction".
    std::string strategy, point;        ///< what the template leaves open: "lanes=16 pixels=7"
    std::string host;                   ///< why the host computes it; empty: kernels do
    std::vector<std::size_t> from;      ///< groups whose results it reads
    std::vector<std::size_t> inputs;    ///< operators that are inputs of the model, and that it reads
    std::vector<std::size_t> launches;  ///< the kernel of each
    std::int64_t flops = 0;             ///< that the model asks for
    /// Of the tensors it reads, each once; none if a size is open.
    std::optional<std::int64_t> bytes_read, bytes_written;  ///< of those it stores, likewise
    std::size_t code = 0;                                   ///< index into codes
  };

  /// A division or remainder of integers that is left in a kernel.
  struct Division {
    std::string text;    ///< "truncating_div(x, 3)"
    int count = 0;       ///< places in the kernel
    int loop_depth = 0;  ///< the loops of a work-item around the innermost of them
    friend bool operator==(const Division&, const Division&) = default;
  };

  /// What equal groups share.
  struct Code {
    std::string funcs;                 ///< the definitions
    std::string nest;                  ///< the loops; empty if the host computes it
    std::vector<std::size_t> kernels;  ///< indices into Inspection::kernels, in the order of launches
    std::vector<Division> divisions;   ///< of all these kernels
  };

  /// The intermediates. Steps are launches, in their order.
  struct Memory {
    /// An intermediate of a known size.
    struct Tensor {
      std::string name;        ///< in the model
      std::int64_t bytes = 0;  ///< in memory
      /// The step that writes it.
      int first = 0, last = 0;  ///< the last step that reads it
      int slot = -1;            ///< the allocation that holds it; -1: one of its own
      std::int64_t offset = 0;  ///< in it
    };
    std::vector<Tensor> tensors;           ///< those of open sizes are left out
    std::vector<std::int64_t> slot_bytes;  ///< of each allocation that intermediates share
    std::size_t open = 0;          ///< intermediates of open sizes, which have allocations of their own
    std::int64_t planned = 0;      ///< bytes of all allocations
    std::int64_t lower_bound = 0;  ///< the most that one step needs: no plan can do with less
    std::int64_t apart = 0;        ///< if no two shared memory
    /// Bytes of constants that are stored a second time, because readers want them in another layout.
    std::int64_t copied_constants = 0, copied_intermediates = 0;  ///< the same of intermediates
  };

  /// An output of the model.
  struct Output {
    std::string name;                  ///< in the model
    std::optional<std::size_t> group;  ///< that stores it
    std::optional<std::size_t> input;  ///< the operator, if it is an input of the model
  };

  std::string model;                  ///< the graph's name in the model's file
  std::vector<Pass> passes;           ///< in their order
  std::vector<Operator> operators;    ///< of the model as it was imported, each after those it reads
  std::vector<Group> groups;          ///< in an order of execution
  std::vector<Code> codes;            ///< one for each different group
  std::vector<KernelSource> kernels;  ///< distinct ones: those of the Program
  std::vector<Output> outputs;        ///< in the model's order
  Memory memory;                      ///< the intermediates
  std::int64_t constant_bytes = 0;    ///< of all constants, as they are stored
  std::vector<std::string> warnings;  ///< Program::warnings

  /// Kernels that a run launches, of all groups.
  std::size_t launches() const;
  /// Of all groups, as the model asks for.
  std::int64_t flops() const;
  /// Those of groups that only move elements.
  std::size_t movement_launches() const;
};

/// "in indices": the name of the fate in small letters, its words apart.
const char* to_string(Inspection::Fate fate);

/// JSON of version 1, with all of it. `facts`: what was asked for, as the tool tells it: a name and a value.
std::string to_json(const Inspection& inspection,
                    const std::vector<std::pair<std::string, std::string>>& facts = {});

}  // namespace tensordsl
