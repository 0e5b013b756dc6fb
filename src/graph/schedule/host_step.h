// conv_relu(..) = .. x0(..)   ->   a step that computes f0 by x0, on the host
// Needs: a group of Funcs of its own, no tuples.  Gives: its definitions under names that the text form of
// expressions has for nothing else; operands and outputs in their order, the tensors still to be entered.
#pragma once

#include "definitions/stored_group.h"
#include "tensordsl/program.h"

namespace tensordsl::graph {

Program::HostStep host_step(const definitions::StoredGroup& group);

}  // namespace tensordsl::graph
