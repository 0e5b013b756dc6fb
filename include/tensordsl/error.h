// Exceptions. An Error is a mistake that the caller can mend, and its text says how; InternalError is a bug
// in tensordsl.
#pragma once

#include <stdexcept>
#include <string>

namespace tensordsl {

/// A mistake the user can mend. The text names the call, what was found, and the remedy.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An ill-formed definition: wrong number of indices, undefined Func, types that do not match.
class DefinitionError : public Error {
 public:
  using Error::Error;
};

/// A directive that cannot be obeyed.
class ScheduleError : public Error {
 public:
  using Error::Error;
};

/// Tensor shapes that an operator or a call cannot accept.
class ShapeError : public Error {
 public:
  using Error::Error;
};

/// A model or data file that cannot be used: unreadable, malformed, or with an unsupported operator.
class ModelError : public Error {
 public:
  using Error::Error;
};

/// No such device, a failed OpenCL call, a kernel that does not build, memory that is not there.
class DeviceError : public Error {
 public:
  using Error::Error;
};

/// A kernel whose work-group is larger than the driver allows that kernel: Device::max_group_size. A model
/// compiled with CompileTarget::max_group_size has none.
class WorkGroupError : public DeviceError {
 public:
  using DeviceError::DeviceError;
};

/// Text that the IR, layout or JSON parser does not accept.
class ParseError : public Error {
 public:
  using Error::Error;
};

/// A broken invariant inside the library. Please report it.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace tensordsl
