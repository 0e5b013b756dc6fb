// y is parts a and b, z another name of y   ->   of y and of z the groups that store a and b
// Needs: groups with storage.  Gives: the groups that write the memory of each tensor.
#pragma once

#include <map>
#include <vector>

#include "definitions/fused_group.h"
#include "graph/stages/tensor_storage.h"

namespace tensordsl::graph {

class Producers {
 public:
  Producers(const std::vector<definitions::FusedGroup>& groups, const TensorStorage& storage);

  /// In order; none of an input and of a constant.
  std::vector<std::size_t> of(std::size_t tensor) const;
  /// True if several tensors are stored as its parts.
  bool is_whole(std::size_t tensor) const;

 private:
  void add_parts(std::size_t tensor, std::vector<std::size_t>& groups) const;

  const TensorStorage& storage_;
  std::map<std::size_t, std::size_t> group_of_;             // by tensor that it stores
  std::map<std::size_t, std::vector<std::size_t>> within_;  // by tensor, those in its memory
};

}  // namespace tensordsl::graph
