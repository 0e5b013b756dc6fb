// Error of a system without OpenCL or without the device.
#pragma once

#include "tensordsl/error.h"

namespace tensordsl::c_api {

/// The system has no OpenCL library, or that has no device.
class NoOpenClError : public DeviceError {
 public:
  using DeviceError::DeviceError;
};

}  // namespace tensordsl::c_api
