// y(n, k, h, w) += x(n, c, h, w)*f(k, c)    ->    x_value(n, c, h, w) = f32(x(n, h, w, c))*scale + offset
//                                                 y(n, k, h, w) += x_value(n, c, h, w)*f(k, c)
// output y: f32 [1, 3, h, w]   ->   output y: y_picture(n, h, w, c) = u8(round(y(n, c, h, w)*scale + offset))
// Needs: the model's graph.  Gives: the same with inputs and outputs of bytes; readers of an input have the
// conversion in their own definitions.
#pragma once

#include <map>
#include <string>

#include "definitions/definition_graph.h"
#include "tensordsl/picture.h"

namespace tensordsl {

/// Makes the inputs that ModelOptions::pictures names take pictures. Throws ModelError for names that the
/// model does not have, for inputs that are not pictures, and for numbers that do not fit.
definitions::DefinitionGraph take_pictures(definitions::DefinitionGraph graph,
                                           const std::map<std::string, Picture>& pictures);

}  // namespace tensordsl
