// Whether a kernel that is tried computes what its definitions say.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "definitions/group.h"
#include "tensordsl/buffer.h"
#include "tensordsl/param_value.h"

namespace tensordsl::tune {

/// What a group's outputs are for given inputs: some elements as the interpreter computes them from the
/// definitions, and all of them as the first candidate did that agreed with these.
class Reference {
 public:
  /// `inputs`, `params`: of the candidates' Programs. Where the interpreter refuses a definition, as of an
  /// index out of range for these inputs, candidates are compared with each other alone.
  Reference(const Group& group, const std::map<std::string, Buffer>& inputs, const ParamValues& params);

  /// Empty if the outputs are right, in the order of the group's; else what is wrong.
  std::string check(const std::vector<Buffer>& outputs);

 private:
  struct Element {
    std::size_t output = 0;
    std::int64_t at = 0;
    double value = 0;
  };

  std::string compare(const std::vector<Buffer>& outputs) const;

  std::vector<Element> elements_;
  double tolerance_ = 0;
  std::vector<double> magnitudes_;  // of each output, the largest of its elements here
  std::vector<Buffer> whole_;       // empty until a candidate was right
};

}  // namespace tensordsl::tune
