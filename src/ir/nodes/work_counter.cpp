#include "ir/nodes/work_counter.h"

namespace tensordsl::ir {

constinit thread_local WorkCounter* WorkCounter::current_ = nullptr;

WorkCounter::~WorkCounter() {
  current_ = outer_;
  if (outer_ != nullptr) outer_->nodes_ += nodes_;
}

}  // namespace tensordsl::ir
