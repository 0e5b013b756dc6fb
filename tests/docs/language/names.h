// The names that all code of docs/LANGUAGE.md uses.
#pragma once

// [names]
#include <tensordsl/tensordsl.h>

using namespace tensordsl;

const Var y("y"), x("x");
const Input row("row", Float(32), {8});       // 1 2 3 4 5 6 7 8
const Input image("image", Int(32), {2, 3});  // 1 2 3, and below it 4 5 6
// [end]
