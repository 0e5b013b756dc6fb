// Definitions as text that tells those apart which compute different things.
#pragma once

#include <functional>
#include <string>

#include "ir/function.h"

namespace tensordsl::graph {

/// What a Func is called in the text: one that is read, and the one itself.
using NameOfFunction = std::function<std::string(const ir::Function&)>;

/// f(x) += g(x + r)   ->   "$d0, = 0.0: f32", "$d0, = f0($d0):f32 + x0($d0 + $r0):f32: f32 for [0, 3)": Vars
/// by their places, Funcs as `name_of` says. Params keep their names.
std::string definition_text(const ir::Function& function, const NameOfFunction& name_of);

}  // namespace tensordsl::graph
