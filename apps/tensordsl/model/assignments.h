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

/// Returns the sizes of --dim. Throws Error on another form, or a name that comes twice.
std::map<std::string, std::int64_t> parse_dims(const std::vector<std::string>& dims);

/// Returns the values of --constant: a number or true or false as a scalar, several numbers as a vector.
/// Throws Error on another form, or a name that comes twice.
std::map<std::string, Buffer> parse_constants(const std::vector<std::string>& constants);

/// Returns the outputs of --state, by inputs. Throws Error on another form, or a name that comes twice.
std::map<std::string, std::string> parse_states(const std::vector<std::string>& states);

/// Returns the names of --picture, with means and deviations or without. Throws Error on another form, or a
/// name that comes twice.
std::map<std::string, Picture> parse_pictures(const std::vector<std::string>& pictures);

/// Returns the numbers of --param. Throws Error on another form, or a name that comes twice.
ParamValues parse_params(const std::vector<std::string>& params);

/// Checks that `values` has a value of the right type for each Param of the Program. Throws Error otherwise.
void check_params(const std::string& place, const std::vector<Program::Param>& params,
                  const ParamValues& values);

}  // namespace tensordsl::cli
