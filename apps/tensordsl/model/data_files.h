// Reads the files of a model's inputs, and writes files of its outputs.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tensordsl/buffer.h"
#include "tensordsl/param_value.h"
#include "tensordsl/program.h"

namespace tensordsl::cli {

/// The inputs and outputs of a model, with known sizes.
struct Signature {
  struct Value {
    std::string name;
    Type type;
    std::vector<std::int64_t> shape;
    bool depends_on_data = false;  ///< true if the shape of an output is known only after a run
  };
  std::vector<Value> inputs, outputs;
  std::vector<std::string> initializers;  ///< names of initializers that --inputs replaces, without becoming
                                          ///< inputs
};

using Arrays = std::map<std::string, Buffer>;

/// The arrays of an .npz, none if none is named. Errors begin with the option.
Arrays read_arrays(const std::string& option, const std::string& path);

/// Converts arrays to the input's type if converts_exactly(). Throws Error if an array is not an input, or of
/// another type or shape.
void check_inputs(const Signature& signature, Arrays& given);

/// Checks that each output is among the arrays, with its shape if that is known. Throws Error otherwise.
void check_expectations(const Signature& signature, const Arrays& expected);

/// Every input: from `given`, the others from the documented generator.
Arrays all_inputs(const Signature& signature, const Arrays& given);

}  // namespace tensordsl::cli
