// Registers of the values that a stage reads.
#pragma once

#include <functional>

#include "predict/kernel_outline.h"

namespace tensordsl::outline {

/// Returns the registers that a stage's straight-line code takes for what it reads or computes, with
/// addresses. Needs: nest.values.
/// `is_axis`: true for the loops of a reduction. A sum, `is_sum`, reuses operands for all elements of a tile;
/// elsewhere each is stored before the next is computed.
int operand_registers(const predict::NestStage& nest,
                      const std::function<bool(const predict::NestLoop&)>& is_axis, bool is_sum);

}  // namespace tensordsl::outline
