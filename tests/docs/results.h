// The results of the documents' examples, as the documents show them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tensordsl/tensordsl.h"

namespace tensordsl::docs {

/// Elements 1, 2, 3, ... row by row.
Buffer counting(Type type, const std::vector<std::int64_t>& shape);
Buffer buffer_of(Type type, const std::vector<std::int64_t>& shape, const std::vector<double>& values);

struct Arguments {
  /// Every other Input counts from 1, row by row.
  std::map<std::string, Buffer> inputs{};
  ParamValues params{};
  OutputShapes shapes{};
};

/// "f: 1 2 3" and a line for each further row; of tuples "f[0]: 1 2 3". Computed by the interpreter, in the
/// simulator and on the default device. Throws std::runtime_error if they differ.
std::string results_of(const std::vector<Func>& outputs, const Arguments& arguments = {});
std::string results_of(const Func& output, const Arguments& arguments = {});

/// An element in the digits of documents: "1", "0.5", "nan", "true".
std::string element_text(const Buffer& buffer, std::int64_t element);

}  // namespace tensordsl::docs
