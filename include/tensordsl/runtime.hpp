// The runtime for C++ programs: tensordsl/runtime.h with owners and exceptions. All of it is in this header,
// which needs C++17.
//
//     tdsl::Package package("mobilenet_v1.tdsl");
//     tdsl::Device device;
//     tdsl::Instance instance(package, device);
//     instance.write("input", pixels);
//     instance.run();
//     instance.read("output", scores);
//
// Threads and lifetimes are those of the C API: an Instance may outlive its Package and its Device.
#ifndef TENSORDSL_RUNTIME_HPP
#define TENSORDSL_RUNTIME_HPP

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tensordsl/runtime.h"

namespace tdsl {

/// Failure of a call of the C API: its text and its status.
class Error : public std::runtime_error {
 public:
  /// Makes an error; `text` is that of tdsl_error_text().
  Error(tdsl_status status, const std::string& text) : std::runtime_error(text), status_(status) {}
  /// Returns the status, which is never TDSL_OK.
  tdsl_status status() const noexcept { return status_; }

 private:
  tdsl_status status_;
};

/// Throws Error unless `status` is TDSL_OK.
inline void check(tdsl_status status) {
  if (status != TDSL_OK) throw Error(status, tdsl_error_text());
}

/// An open package. The constructors throw Error if it cannot be read or is damaged.
class Package {
 public:
  /// Opens a file or a folder.
  explicit Package(const std::string& path) {
    tdsl_package* opened = nullptr;
    check(tdsl_package_open(path.c_str(), &opened));
    handle_.reset(opened);
  }
  /// Opens a package in memory, which the caller owns: tdsl_package_open_memory.
  Package(const void* bytes, std::size_t size) {
    tdsl_package* opened = nullptr;
    check(tdsl_package_open_memory(bytes, size, &opened));
    handle_.reset(opened);
  }

  /// Describes the inputs, with the extents that depend on no param; the names live as long as the package.
  std::vector<tdsl_tensor> inputs() const {
    return list(tdsl_package_input_count(get()), tdsl_package_input);
  }
  /// Describes the outputs, with the extents that depend on no param; the names live as long as the package.
  std::vector<tdsl_tensor> outputs() const {
    return list(tdsl_package_output_count(get()), tdsl_package_output);
  }
  /// Returns the names of the params for which an Instance needs values.
  std::vector<std::string> params() const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < tdsl_package_param_count(get()); ++i)
      names.emplace_back(tdsl_package_param_name(get(), i));
    return names;
  }
  /// Returns the handle for calls of the C API; the Package owns it.
  tdsl_package* get() const noexcept { return handle_.get(); }

 private:
  std::vector<tdsl_tensor> list(std::size_t count, tdsl_status (*describe)(const tdsl_package*, std::size_t,
                                                                           tdsl_tensor*)) const {
    std::vector<tdsl_tensor> tensors(count);
    for (std::size_t i = 0; i < count; ++i) check(describe(get(), i, &tensors[i]));
    return tensors;
  }

  struct Close {
    void operator()(tdsl_package* handle) const noexcept { tdsl_package_close(handle); }
  };
  std::unique_ptr<tdsl_package, Close> handle_;
};

/// An open device. The constructors throw Error if there is none.
class Device {
 public:
  /// Lists all devices: the spec that opens each ("0:0"), and its name.
  static std::vector<std::pair<std::string, std::string>> list() {
    std::vector<std::pair<std::string, std::string>> devices;
    check(tdsl_list_devices(
        [](const char* spec, const char* name, void* user) {
          static_cast<std::vector<std::pair<std::string, std::string>>*>(user)->emplace_back(spec, name);
        },
        &devices));
    return devices;
  }

  /// Opens the device that `name` specifies: "gpu", "cpu", "P:D", or a part of a name; "": the default one.
  explicit Device(const std::string& name = "") {
    tdsl_device* opened = nullptr;
    check(tdsl_device_open(name.c_str(), &opened));
    handle_.reset(opened);
  }
  /// Opens the device of the program's own context and queue: tdsl_device_open_queue.
  Device(_cl_context* context, _cl_device_id* id, _cl_command_queue* queue) {
    tdsl_device* opened = nullptr;
    check(tdsl_device_open_queue(context, id, queue, &opened));
    handle_.reset(opened);
  }

  /// Returns the device's name, as OpenCL gives it.
  std::string name() const { return tdsl_device_name(get()); }
  /// Returns the handle for calls of the C API; the Device owns it.
  tdsl_device* get() const noexcept { return handle_.get(); }

 private:
  struct Close {
    void operator()(tdsl_device* handle) const noexcept { tdsl_device_close(handle); }
  };
  std::unique_ptr<tdsl_device, Close> handle_;
};

/// A package on a device, ready to run. All calls throw Error as their C functions fail.
class Instance {
 public:
  /// Names and values of params.
  using Params = std::vector<std::pair<std::string, double>>;

  /// Prepares the package on the device. `params` has the value of each param of the package, the largest
  /// that it is run with.
  Instance(const Package& package, const Device& device, const Params& params = {}) {
    const std::vector<tdsl_param> given = c_params(params);
    tdsl_instance* made = nullptr;
    check(tdsl_instance_create(package.get(), device.get(), given.data(), given.size(), &made));
    handle_.reset(made);
  }

  /// Changes some params for the runs to come: tdsl_set_params.
  void set_params(const Params& params) {
    const std::vector<tdsl_param> given = c_params(params);
    check(tdsl_set_params(get(), given.data(), given.size()));
  }
  /// Resets the states to those before the first run: tdsl_clear_states.
  void clear_states() { check(tdsl_clear_states(get())); }

  /// Describes the input of that index with its current shape.
  tdsl_tensor input(std::size_t index) const {
    tdsl_tensor tensor;
    check(tdsl_input(get(), index, &tensor));
    return tensor;
  }
  /// Describes the output of that index with its current shape; one that depends on data is that of the last
  /// run.
  tdsl_tensor output(std::size_t index) const {
    tdsl_tensor tensor;
    check(tdsl_output(get(), index, &tensor));
    return tensor;
  }

  /// Copies `data` to an input; `bytes` must be exactly the tensor's size.
  void write(const std::string& input, const void* data, std::size_t bytes) {
    check(tdsl_write(get(), input.c_str(), data, bytes));
  }
  /// Copies an output of the last run to `data`; `bytes` must be exactly the tensor's size.
  void read(const std::string& output, void* data, std::size_t bytes) const {
    check(tdsl_read(get(), output.c_str(), data, bytes));
  }
  /// Copies a vector or an array, anything with data() and size(), to an input.
  template <typename Elements>
  void write(const std::string& input, const Elements& elements) {
    write(input, elements.data(), elements.size() * sizeof(*elements.data()));
  }
  /// Copies an output of the last run to a vector or an array, anything with data() and size().
  template <typename Elements>
  void read(const std::string& output, Elements&& elements) const {
    static_assert(!std::is_const_v<std::remove_pointer_t<decltype(elements.data())>>,
                  "read() writes the elements");
    read(output, elements.data(), elements.size() * sizeof(*elements.data()));
  }

  /// Binds the host's memory to an input or output: tdsl_bind_host.
  void bind_host(const std::string& name, void* data, std::size_t bytes) {
    check(tdsl_bind_host(get(), name.c_str(), data, bytes));
  }
  /// Binds an OpenCL buffer to an input or output: tdsl_bind_buffer.
  void bind_buffer(const std::string& name, _cl_mem* buffer) {
    check(tdsl_bind_buffer(get(), name.c_str(), buffer));
  }
  /// Binds an OpenCL image to an input or output: tdsl_bind_image.
  void bind_image(const std::string& name, _cl_mem* image) {
    check(tdsl_bind_image(get(), name.c_str(), image));
  }

  /// Runs once, and waits.
  void run() { check(tdsl_run(get())); }
  /// Starts a run without waiting for it. The event, which the caller releases, is complete when the run is.
  [[nodiscard]] _cl_event* start_with_event(const std::vector<_cl_event*>& wait_for = {}) {
    _cl_event* done = nullptr;
    check(tdsl_start(get(), wait_for.data(), wait_for.size(), &done));
    return done;
  }
  /// Starts a run without waiting for it, and makes no event: wait() waits for the run.
  void start(const std::vector<_cl_event*>& wait_for = {}) {
    check(tdsl_start(get(), wait_for.data(), wait_for.size(), nullptr));
  }
  /// Waits for the runs that were started.
  void wait() { check(tdsl_wait(get())); }
  /// Returns the handle for calls of the C API; the Instance owns it.
  tdsl_instance* get() const noexcept { return handle_.get(); }

 private:
  static std::vector<tdsl_param> c_params(const Params& params) {
    std::vector<tdsl_param> given;
    for (const auto& [name, value] : params) given.push_back({name.c_str(), value});
    return given;
  }

  struct Close {
    void operator()(tdsl_instance* handle) const noexcept { tdsl_instance_close(handle); }
  };
  std::unique_ptr<tdsl_instance, Close> handle_;
};

}  // namespace tdsl

#endif
