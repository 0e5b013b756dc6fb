// Notation that the printer and the parser share.
#pragma once

#include <array>

#include "ir/nodes/stmt.h"

namespace tensordsl::ir {

inline constexpr std::array kLoopKinds{LoopKind::Serial,  LoopKind::Unrolled, LoopKind::Vectorized,
                                       LoopKind::Block0,  LoopKind::Block1,   LoopKind::Block2,
                                       LoopKind::Thread0, LoopKind::Thread1,  LoopKind::Thread2,
                                       LoopKind::Kept,    LoopKind::Matrix};
inline constexpr std::array kMemories{Memory::Auto,     Memory::Global,  Memory::Local,
                                      Memory::SubGroup, Memory::Private, Memory::Register};

}  // namespace tensordsl::ir
