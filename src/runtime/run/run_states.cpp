#include "runtime/run/run_states.h"

#include <fmt/format.h>

#include <algorithm>

#include "tensordsl/error.h"

namespace tensordsl::runtime {
namespace {

/// The first `length` elements along `axis`.
Buffer first_of(const Buffer& whole, std::size_t axis, std::int64_t length) {
  RunShape shape = whole.shape();
  const std::int64_t all = shape[axis];
  shape[axis] = length;
  Buffer part(whole.type(), shape);
  std::size_t rows = 1, row = static_cast<std::size_t>(whole.type().bytes());
  for (std::size_t d = 0; d < shape.size(); ++d)
    (d < axis ? rows : row) *= d == axis ? 1 : static_cast<std::size_t>(shape[d]);
  const std::size_t from = row * static_cast<std::size_t>(all), to = row * static_cast<std::size_t>(length);
  for (std::size_t i = 0; i < rows; ++i)
    std::ranges::copy(whole.bytes().subspan(i * from, to), part.bytes().subspan(i * to, to).begin());
  return part;
}

}  // namespace

RunStates::RunStates(const Program& program, RunValues& values, ProgramMemory& memory)
    : program_(program), values_(values), memory_(memory) {
  for (const Program::State& state : program.states) {
    if (state.axis < 0) continue;
    const auto axis = static_cast<std::size_t>(state.axis);
    param_ = input(state).shape[axis].name();
    next_length_ = output(state).shape[axis];
  }
  if (!param_.empty()) most_ = values.known().at(param_).integer();
  clear();
}

bool RunStates::is_state(const Program::Value& value) const {
  return std::ranges::any_of(program_.states, [&](const Program::State& state) {
    return &value == &input(state) || &value == &output(state);
  });
}

void RunStates::clear() {
  is_behind_run_ = false;
  if (!param_.empty()) values_.set(param_, 0);
  for (const Program::State& state : program_.states) {
    if (state.axis >= 0) continue;
    const Program::Value& value = input(state);
    memory_.write_value(value, Buffer(value.type, values_.shape(value.name, value.shape)));
  }
}

void RunStates::require_room(std::int64_t length) const {
  if (length > most_) {
    throw ShapeError(fmt::format(
        "run: the states would begin with {} elements of \"{}\", but there is memory for {}; construct the "
        "Runner with a larger value of it, or keep less (Runner::set_params, Runner::clear_states)",
        length, param_, most_));
  }
}

void RunStates::begin_run() {
  if (is_behind_run_) hand_over(held());
}

void RunStates::check_length(std::int64_t length) const {
  if (length < 0) {
    throw ShapeError(fmt::format(
        "run: \"{}\" is the kept length of the states, and must not be negative; found {}", param_, length));
  }
  require_room(length);
}

bool RunStates::keep(std::int64_t length) {
  check_length(length);
  const std::int64_t there = held();
  hand_over(std::min(length, there));
  if (length > there) values_.set(param_, length);
  return length <= there;
}

std::int64_t RunStates::held() const {
  if (param_.empty()) return 0;
  return values_.value(is_behind_run_ ? next_length_ : SizeExpr::param(param_));
}

/// States that grow have no gaps in memory: a state that was cut is repacked.
void RunStates::hand_over(std::int64_t length) {
  require_room(length);
  const bool is_cut = length < held();
  std::vector<std::pair<const Program::Value*, Buffer>> copies;
  bool has_swapped = false;  // all that can, or none: there is one recording for each
  for (const Program::State& state : program_.states) {
    const bool is_part = is_cut && state.axis >= 0;
    if (is_in_place(state) || (!is_behind_run_ && !is_part)) continue;
    if (!is_cut && memory_.can_swap(state)) {
      memory_.swap(state);
      has_swapped = true;
      continue;
    }
    Buffer value = memory_.read_value(is_behind_run_ ? output(state) : input(state));
    if (is_part) value = first_of(value, static_cast<std::size_t>(state.axis), length);
    copies.emplace_back(&input(state), std::move(value));
  }
  is_swapped_ = is_swapped_ != has_swapped;
  if (!param_.empty()) values_.set(param_, length);
  is_behind_run_ = false;
  for (const auto& [to, value] : copies) memory_.write_value(*to, value);
}

}  // namespace tensordsl::runtime
