// The States of a Program, which a Runner keeps from one run to the next.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/memory/program_memory.h"
#include "runtime/values/run_values.h"
#include "tensordsl/program.h"

namespace tensordsl::runtime {

/// States: an output of a run is the input of the next one. Both are in the same memory, or the two are
/// swapped, or the output is copied. The extents of a run follow from that: a state that grows is longer the
/// next time.
class RunStates {
 public:
  /// Makes states that are empty or zero. The arguments must outlive the object. `values` has their largest
  /// length, and from now on their current one.
  RunStates(const Program& program, RunValues& values, ProgramMemory& memory);

  /// Returns the Param by which states grow; empty if none grows.
  const std::string& param() const { return param_; }
  bool is_state(const Program::Value& value) const;
  /// True if tensors were swapped an odd number of times: a recording has them in their original order.
  bool is_swapped() const { return is_swapped_; }

  void clear();
  /// Notes the end of a run: its outputs are the states with which the next one begins. They become so at the
  /// beginning of that run, as outputs are read by their shapes until then.
  void note_run() { is_behind_run_ = true; }
  /// Prepares the states for the next run. Throws ShapeError if they have grown beyond their memory.
  void begin_run();
  /// Returns the length, along the axis on which states grow, with which the next run begins; 0 if none
  /// grows.
  std::int64_t held() const;
  /// Checks a length for the growing states. Throws ShapeError if it is negative, or there is no memory for
  /// it.
  void check_length(std::int64_t length) const;
  /// Cuts the growing states to `length`, or returns false if they are shorter; then only their length is
  /// set, and their values are lost. Throws ShapeError like check_length().
  bool keep(std::int64_t length);

 private:
  const Program::Value& input(const Program::State& state) const { return program_.inputs[state.input]; }
  const Program::Value& output(const Program::State& state) const { return program_.outputs[state.output]; }
  bool is_in_place(const Program::State& state) const { return input(state).tensor == output(state).tensor; }
  void require_room(std::int64_t length) const;
  void hand_over(std::int64_t length);

  const Program& program_;
  RunValues& values_;
  ProgramMemory& memory_;
  std::string param_;
  SizeExpr next_length_;
  std::int64_t most_ = 0;
  bool is_behind_run_ = false, is_swapped_ = false;
};

}  // namespace tensordsl::runtime
