// Describes how the Funcs of a group work together, where single definitions do not show it. A pass of the
// graph compiler decides it, and the strategy for it reads it; nothing is guessed from ranks and counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tensordsl/func.h"

namespace tensordsl::definitions {

/// Funcs that their classes describe fully: sums, and operations on them.
struct PlainForm {};

/// The tile of a 3x3 convolution by Winograd's F(size x size, 3x3). The sums of `rows` x `columns` tiles, for
/// `vectors` of output channels, stay in registers.
struct WinogradTile {
  int rows = 1, columns = 1;
  int vectors = 1;
  int size = 2;  ///< a tile has size x size outputs, from (size + 2)^2 inputs: 2 or 4

  friend bool operator==(const WinogradTile&, const WinogradTile&) = default;
};

/// A 3x3 convolution in Winograd's domain. The last dimensions of the patch and of the product are: block of
/// rows, block of columns, p, q, row and column of a tile in its block, channel. Source: Lavin and Gray (CVPR
/// 2016), section 4.1.
struct WinogradForm {
  Func patch;               ///< the input's tiles, transformed; read by the product
  Func product;             ///< the products at each point of a tile, summed over input channels
  std::size_t weights = 0;  ///< the tensor of the DefinitionGraph: transformed, [p, q, input, output]
  int row = 0, column = 0, channel = 0;  ///< dimensions of the output
  std::int64_t inputs = 0, outputs = 0;  ///< channels
  WinogradTile tile;
};

/// The part of an attention that is computed at a time.
struct AttentionBlock {
  int queries = 0;  ///< one to a lane; 0: it is not fused
  int keys = 0;     ///< keys whose scores are held at once; 0: all of them, without a running softmax
};

/// Attention in one kernel (graph/attention/define_attention.h). `Ref` refers to a Func: by its name in a
/// graph whose passes rebuild Funcs, by a handle in a group.
template <typename Ref>
struct AttentionParts {
  Ref asked;                              ///< queries of a block
  Ref dot;                                ///< products of queries and keys
  Ref score;                              ///< scaled and masked
  Ref highest;                            ///< the largest score of a query
  Ref weight;                             ///< exp(score - highest)
  Ref total;                              ///< the sum of the weights
  Ref part;                               ///< the sum of weighted values
  std::optional<Ref> run = std::nullopt;  ///< the running softmax, if keys are processed in blocks
  AttentionBlock block = {};
  int query = 0, element = 0;  ///< dimensions of the result

  /// Calls `f` with each Ref.
  template <typename F>
  void for_each_ref(const F& f) {
    for (Ref* ref : {&asked, &dot, &score, &highest, &weight, &total, &part}) f(*ref);
    if (run) f(*run);
  }
};
using AttentionNames = AttentionParts<std::string>;

struct AttentionForm : AttentionParts<Func> {
  /// A small sum of the prologue that is added to the averages (graph/fuse/fuse_producers.h).
  struct Added {
    Func sum;
    std::optional<int> element;  ///< its dimension that runs with the result's elements
  };
  std::vector<Added> added = {};
};

/// Contractions of which each reads the one before, for some rows at a time: back-to-back, as of a
/// squeeze-and-excite block.
struct ChainForm {
  struct Link {
    Func sum, result;           ///< the sum, and the Func that the next link or the output is
    int channel = 0;            ///< the dimension of both that the next link contracts
    std::int64_t channels = 1;  ///< extent of `channel`
  };
  std::vector<Link> links;  ///< each after the one that it reads
};

/// The sizes of a contraction, channels last, and of the windows of one channel that slide over its rows and
/// columns.
struct SlidingProblem {
  std::int64_t channels = 1;  ///< channels of the contraction and of the windows
  std::int64_t batch = 1;
  std::int64_t rows = 1, columns = 1;                ///< rows and columns of windows
  std::int64_t source_rows = 1, source_columns = 1;  ///< rows and columns of the contraction
  std::int64_t steps = 1;                            ///< steps of the contraction for each element
  std::int64_t window_steps = 1;
  std::int64_t window_rows = 1;  ///< rows from the first to the last one that a window reads
  std::int64_t stride = 1;       ///< distance between windows, in rows
  bool has_weights = false;      ///< the window's
};

/// The tile in which a contraction and the windows that slide over it become one kernel.
struct SlidingTile {
  int lanes = 1, vectors = 1;  ///< vector width and number of vectors of a work-group's channels
  int pixels = 1;              ///< pixels of the sum that are kept in registers, with all of these channels
  int window_lanes = 1, window_vectors = 1, window_pixels = 1;  ///< the same for the windows' elements in
                                                                ///< registers
  int bands = 1;  ///< bands of rows: work-groups for the same channels

  int channels() const { return lanes * vectors; }
  friend bool operator==(const SlidingTile&, const SlidingTile&) = default;
};

/// A contraction and the windows of one channel that slide over it, with a few rows of it in private memory:
/// pointwise and depthwise convolution with a line buffer.
struct SlidingForm {
  Func sum, result;                        ///< the contraction, and the Func that the windows read
  Func window, out;                        ///< the sum over a window, and the output
  int rows = 0, columns = 0, channel = 0;  ///< dimensions, the same of all four
  std::vector<int> others;                 ///< the other dimensions
  SlidingProblem problem;
  SlidingTile tile;  ///< the one without a trial
};

using GroupForm = std::variant<PlainForm, WinogradForm, AttentionForm, ChainForm, SlidingForm>;

/// Replaces every Func f of the form by replaced(f).
template <typename F>
void replace_funcs(GroupForm& form, const F& replaced) {
  const auto replace = [&](Func& func) { func = replaced(func); };
  if (auto* winograd = std::get_if<WinogradForm>(&form)) {
    replace(winograd->patch);
    replace(winograd->product);
  } else if (auto* attention = std::get_if<AttentionForm>(&form)) {
    attention->for_each_ref(replace);
    for (AttentionForm::Added& added : attention->added) replace(added.sum);
  } else if (auto* chain = std::get_if<ChainForm>(&form)) {
    for (ChainForm::Link& link : chain->links) {
      replace(link.sum);
      replace(link.result);
    }
  } else if (auto* sliding = std::get_if<SlidingForm>(&form)) {
    for (Func* func : {&sliding->sum, &sliding->result, &sliding->window, &sliding->out}) replace(*func);
  }
}

}  // namespace tensordsl::definitions
