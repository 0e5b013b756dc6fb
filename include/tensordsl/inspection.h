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
    /// Tensors that are computed, and those of them whose elements only move. Once there are groups these are
    /// the groups.
    struct Size {
      std::size_t operators = 0, movements = 0;
      friend bool operator==(const Size&, const Size&) = default;
    };
    std::string name;  ///< docs/ARCHITECTURE.md tells what it does
    bool of_groups = false;
    Size before, after;
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
    std::string output;              ///< the tensor's name
    std::string kind, node;          ///< "Conv" and the node's name; of an input empty
    std::string tensor;              ///< "f32 [1, 64, 56, 56]"
    std::string text;                ///< the operator as a line of text
    std::string classification;      ///< "contraction", the highest of what it does
    bool is_movement = false;        ///< it only moves elements
    std::vector<std::size_t> reads;  ///< other operators
    Fate fate = Fate::Computed;
    std::string reason;               ///< of its fate
    std::vector<std::size_t> groups;  ///< that compute it, or have it in their definitions
  };

  /// A tensor that a group reads or stores.
  struct Stored {
    std::string tensor;
    bool is_constant = false;
    std::string stored;                 ///< "f32 [1, 64, 56, 56], layout ..": to_string(StoredTensor)
    std::optional<std::int64_t> bytes;  ///< of its elements; none if the size is open
    std::string reason;                 ///< of the layout
  };

  /// A tensor that a group computes, with what its definitions do.
  struct Member {
    std::string output;
    std::vector<std::string> origins;  ///< "node 'conv1' (Conv)"
    std::vector<std::string> classes;  ///< "conv_2_sum: contraction m(h, w) n(c) k(r_2)", each definition
  };

  /// What is computed together.
  struct Group {
    std::string label;           ///< "Conv+Relu"
    std::string classification;  ///< the highest of its members'
    bool is_movement = false;    ///< its kernels only move elements
    std::string stays;           ///< of a movement: why it is left
    std::string role;            ///< of the axes: "group m(h, w) n(c) ..", of its first contraction
    std::vector<Member> members;
    std::vector<Stored> reads, stores;
    std::string reason;  ///< why what it stores is not computed in what reads it
    std::string strategy, point;
    std::string host;                   ///< why the host computes it; empty: kernels do
    std::vector<std::size_t> from;      ///< groups whose results it reads
    std::vector<std::size_t> inputs;    ///< operators that are inputs of the model, and that it reads
    std::vector<std::size_t> launches;  ///< the kernel of each
    std::int64_t flops = 0;             ///< that the model asks for
    std::optional<std::int64_t> bytes_read, bytes_written;  ///< of the tensors, each once
    std::size_t code = 0;
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
    std::string funcs;  ///< the definitions
    std::string nest;   ///< the loops; empty if the host computes it
    std::vector<std::size_t> kernels;
    std::vector<Division> divisions;
  };

  /// The intermediates. Steps are launches, in their order.
  struct Memory {
    struct Tensor {
      std::string name;
      std::int64_t bytes = 0;
      int first = 0, last = 0;  ///< steps that need it
      int slot = -1;            ///< the allocation that holds it; -1: one of its own
      std::int64_t offset = 0;  ///< in it
    };
    std::vector<Tensor> tensors;
    std::vector<std::int64_t> slot_bytes;
    std::size_t open = 0;          ///< intermediates of open sizes, which have allocations of their own
    std::int64_t planned = 0;      ///< bytes of all allocations
    std::int64_t lower_bound = 0;  ///< the most that one step needs: no plan can do with less
    std::int64_t apart = 0;        ///< if no two shared memory
    /// What is stored a second time, because readers want it in another layout.
    std::int64_t copied_constants = 0, copied_intermediates = 0;
  };

  struct Output {
    std::string name;
    std::optional<std::size_t> group;  ///< that stores it
    std::optional<std::size_t> input;  ///< the operator, if it is an input of the model
  };

  std::string model;
  std::vector<Pass> passes;
  std::vector<Operator> operators;  ///< of the model as it was imported, each after those it reads
  std::vector<Group> groups;        ///< in an order of execution
  std::vector<Code> codes;
  std::vector<KernelSource> kernels;  ///< distinct ones: those of the Program
  std::vector<Output> outputs;
  Memory memory;
  std::int64_t constant_bytes = 0;
  std::vector<std::string> warnings;

  /// Of all groups.
  std::size_t launches() const;
  std::int64_t flops() const;
  /// Those of groups that only move elements.
  std::size_t movement_launches() const;
};

const char* to_string(Inspection::Fate fate);

/// JSON of version 1, with all of it. `facts`: what was asked for, as the tool tells it: a name and a value.
std::string to_json(const Inspection& inspection,
                    const std::vector<std::pair<std::string, std::string>>& facts = {});

}  // namespace tensordsl
