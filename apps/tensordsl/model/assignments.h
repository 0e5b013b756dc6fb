// NAME=NUMBER, as options have it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tensordsl/buffer.h"
#include "tensordsl/param_value.h"
#include "tensordsl/picture.h"
#include "tensordsl/program.h"

namespace tensordsl::cli {

/// Of --dim: sizes. Throws Error on another form, or a name that comes twice.
std::map<std::string, std::int64_t> parse_dims(const std::vector<std::string>& dims);

/// Returns the values of --constant: a number or true or false as a scalar, several numbers as a vector.
/// Throws Error on another form, or a name that comes twice.
std::map<std::string, Buffer> parse_constants(const std::vector<std::string>& constants);

/// Of --state: outputs by inputs. The same.
std::map<std::string, std::string> parse_states(const std::vector<std::string>& states);

/// Of --picture: names, with means and deviations or without. The same.
std::map<std::string, Picture> parse_pictures(const std::vector<std::string>& pictures);

/// Of --param: numbers. The same.
ParamValues parse_params(const std::vector<std::string>& params);

/// Throws Error unless these are values of all the Params that the Program has, of their types.
void check_params(const std::string& place, const std::vector<Program::Param>& params,
                  const ParamValues& values);

}  // namespace tensordsl::cli
