// The schedule of a pipeline as data: printed as C++, stored as JSON, and replayed on new copies of the same
// definitions.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tensordsl/func.h"

namespace tensordsl {

namespace schedule {
struct LoggedDirective;
struct DirectiveList;
}  // namespace schedule

/// All directives of a pipeline, in an order in which they can be applied again. The definitions are not part
/// of it; they must all be given before the first directive.
class Schedule {
 public:
  /// Returns the directives given so far to `output` and all that it reads. Throws DefinitionError if
  /// `output` is not a whole pipeline.
  static Schedule of(const Func& output);
  /// Returns the directives given so far to a pipeline of several outputs. Throws DefinitionError as above.
  static Schedule of(const std::vector<Func>& outputs);
  /// Reads to_json()'s text. Throws ParseError that names the position: no JSON, another version, a directive
  /// or an argument that does not exist.
  static Schedule from_json(std::string_view text);

  /// Returns {"version": 1, "directives": [{"func": "conv", "stage": 0, "directive": "split", "arguments":
  /// ["x", "xo", "xi", 4, "Guard"]}, ...]}; with several outputs, "has_several_outputs": true is in it too.
  std::string to_json() const;
  /// Returns a C++ function `void NAME(const tensordsl::Func& output)` that gives the directives; for several
  /// outputs, `void NAME(const std::vector<tensordsl::Func>& outputs)`. Its file includes tensordsl.h.
  std::string to_cpp(const std::string& name) const;
  /// Gives the directives to a pipeline that has none yet. Throws ScheduleError if one of them does not fit
  /// its definitions; the directives before that one have then been given.
  void apply(const Func& output) const;
  /// Gives the directives to a pipeline with several outputs, in the same order as when they were recorded.
  void apply(const std::vector<Func>& outputs) const;

 private:
  explicit Schedule(std::shared_ptr<const schedule::DirectiveList> directives)
      : directives_(std::move(directives)) {}
  std::shared_ptr<const schedule::DirectiveList> directives_;
};

}  // namespace tensordsl
