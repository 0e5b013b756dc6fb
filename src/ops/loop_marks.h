// Marks the begin and the end of a loop's steps among the nodes of a graph. Nodes of ONNX's Loop and Scan
// whose steps are not unrolled are between two marks, which compute nothing:
//
//     h, step = LoopBegin(h0);  h1 = ..;  y1 = ..;  last, y = LoopEnd(step, h, h1, y1)
//
// LoopBegin: takes the values that the loop carries, before the loop; gives them in a step, and then the
// step's number, an i64. LoopEnd: takes that number, the carried values of a step, those of the next step, a
// row [1, ..] for each output of all steps and, optionally, a condition; gives the carried values after the
// loop, and the outputs [steps, ..].
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "ops/attributes.h"
#include "ops/node.h"
#include "tensordsl/error.h"

namespace tensordsl::ops {

inline constexpr std::string_view kLoopBegin = "LoopBegin";
inline constexpr std::string_view kLoopEnd = "LoopEnd";
/// The element `at`, a Size, along `axis` of a tensor, without that dimension.
inline constexpr std::string_view kLoopElement = "LoopElement";

// Attributes of both.
inline constexpr const char* kLoopOf = "of";            ///< a string: the operator, "Loop" or "Scan"
inline constexpr const char* kLoopKey = "loop";         ///< a string: the first output of the operator
inline constexpr const char* kLoopStep = "step";        ///< a string: the symbol of the step's number
inline constexpr const char* kLoopCarried = "carried";  ///< number of tensors that the loop carries
// Attributes that only LoopEnd has.
inline constexpr const char* kLoopRows = "rows";    ///< number of outputs with a row of each step
inline constexpr const char* kLoopSteps = "steps";  ///< a Size: how many steps at most
inline constexpr const char* kLoopTaken = "taken";  ///< a string: the symbol of how many there were
/// 1 if the condition is computed. Shape inference sets it.
inline constexpr const char* kLoopIsConditional = "is_conditional";

/// The inputs of a LoopEnd.
class LoopEndInputs {
 public:
  explicit LoopEndInputs(const Attributes& attributes)
      : carried(static_cast<std::size_t>(attributes.get<std::int64_t>(kLoopCarried))),
        rows(static_cast<std::size_t>(attributes.get<std::int64_t>(kLoopRows))) {}

  std::size_t carried, rows;  ///< numbers of carried tensors and of rows
  std::size_t now(std::size_t i) const { return 1 + i; }
  std::size_t next(std::size_t i) const { return 1 + carried + i; }
  std::size_t row(std::size_t i) const { return 1 + 2 * carried + i; }
  std::size_t condition() const { return 1 + 2 * carried + rows; }
};

inline bool is_loop_mark(const Node& node) { return node.op == kLoopBegin || node.op == kLoopEnd; }

/// A loop whose steps do not all have tensors of the same shapes: they have to be written out.
class UnevenSteps : public ModelError {
 public:
  explicit UnevenSteps(const std::string& text, std::string of = "")
      : ModelError(text), loop(std::move(of)) {}
  std::string loop;  ///< kLoopKey
};

/// A loop whose steps cannot be written out: how many there are is not known, or it is too many.
class UnknownSteps : public ModelError {
 public:
  UnknownSteps(const std::string& text, std::string of) : ModelError(text), loop(std::move(of)) {}
  std::string loop;  ///< kLoopKey
};

}  // namespace tensordsl::ops
