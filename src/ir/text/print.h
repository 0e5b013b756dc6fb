// The IR's text form. parse.h reads it back: parse(print(s)) is structurally the same as s.
//
//   for y in [0, 56) block1 {
//     alloc acc: f32x8 [4] register {
//       store acc[0] = broadcast(0.0, 8)
//       let t = y*4 + 3
//       if (t < 7) { store out[ramp(t, 1, 8)] = in[ramp(t*2, 1, 8)]:f32x8 } else { barrier local }
//     }
//   }
//
// Types are written only where the reader cannot derive them: a Var or a Load that is not i32 is followed by
// ":type"; an integer constant that is not i32 reads 3:i64; a float constant always has a point or an
// exponent, and is f32 unless marked 1.5:f16; casts read f32(x).
#pragma once

#include <string>

#include "ir/nodes/stmt.h"

namespace tensordsl::ir {

std::string print(const Expr& expr);
std::string print(const Stmt& stmt, int indent = 0);
std::string_view name_of(LoopKind kind);  // "serial", "unrolled", "vectorized", "block0", "thread2"
std::string_view name_of(Memory memory);  // "auto", "global", "local", "private", "register"

}  // namespace tensordsl::ir
