// Tiles that are read in runs with gaps between them.
#pragma once

#include "lower/stages.h"

namespace tensordsl::lower {

/// `box` without what interleaved loops of `body` leave out of it: that is neither computed nor stored.
Box without_gaps(const Producer& producer, const ir::Stmt& body, const Box& box);

}  // namespace tensordsl::lower
