// The runtime for C++ programs: tensordsl/runtime.h with owners and exceptions. All of it is in this header;
// it needs C++17.
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

/// What a call of the C API said: its text, and its status.
class Error : public std::runtime_error {
 public:
  /// `text`: what tdsl_error_text() gave.
  Error(tdsl_status status, const std::string& text) : std::runtime_error(text), status_(status) {}
  /// Never TDSL_OK.
  tdsl_status status() const noexcept { return status_; }

 private:
  tdsl_status status_;
};

/// Throws Error unless `status` is TDSL_OK.
inline void check(tdsl_status status) {
  if (status != TDSL_OK) throw Error(status, tdsl_error_text());
}

/// A package, open. Throws Error if it cannot be read or is damaged.
class Package {
 public:
  /// A file or a folder.
  explicit Package(const std::string& path) {
    tdsl_package* opened = nullptr;
    check(tdsl_package_open(path.c_str(), &opened));
    handle_.reset(opened);
  }
  /// Of a package in memory, which stays the caller's: tdsl_package_open_memory.
  Package(const void* bytes, std::size_t size) {
    tdsl_package* opened = nullptr;
    check(tdsl_package_open_memory(bytes, size, &opened));
    handle_.reset(opened);
  }

  /// With the extents that no param decides; the names live as long as the package.
  std::vector<tdsl_tensor> inputs() const {
    return list(tdsl_package_input_count(get()), tdsl_package_input);
  }
  /// The same of outputs.
  std::vector<tdsl_tensor> outputs() const {
    return list(tdsl_package_output_count(get()), tdsl_package_output);
  }
  /// The names of what an Instance needs values of.
  std::vector<std::string> params() const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < tdsl_package_param_count(get()); ++i)
      names.emplace_back(tdsl_package_param_name(get(), i));
    return names;
  }
  /// For calls of the C API; it stays the Package's.
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

/// A device, open. Throws Error if there is none.
class Device {
 public:
  /// What opens each device ("0:0"), and its name.
  static std::vector<std::pair<std::string, std::string>> list() {
    std::vector<std::pair<std::string, std::string>> devices;
    check(tdsl_list_devices(
        [](const char* spec, const char* name, void* user) {
          static_cast<std::vector<std::pair<std::string, std::string>>*>(user)->emplace_back(spec, name);
        },
        &devices));
    return devices;
  }

  /// "gpu", "cpu", "P:D", a part of a name; "": the default one.
  explicit Device(const std::string& name = "") {
    tdsl_device* opened = nullptr;
    check(tdsl_device_open(name.c_str(), &opened));
    handle_.reset(opened);
  }
  /// Of the program's own context and queue: tdsl_device_open_queue.
  Device(_cl_context* context, _cl_device_id* id, _cl_command_queue* queue) {
    tdsl_device* opened = nullptr;
    check(tdsl_device_open_queue(context, id, queue, &opened));
    handle_.reset(opened);
  }

  /// As OpenCL says it.
  std::string name() const { return tdsl_device_name(get()); }
  /// For calls of the C API; it stays the Device's.
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

  /// `params`: the value of each param of the package, the largest that it is run with.
  Instance(const Package& package, const Device& device, const Params& params = {}) {
    const std::vector<tdsl_param> given = c_params(params);
    tdsl_instance* made = nullptr;
    check(tdsl_instance_create(package.get(), device.get(), given.data(), given.size(), &made));
    handle_.reset(made);
  }

  /// tdsl_set_params
  void set_params(const Params& params) {
    const std::vector<tdsl_param> given = c_params(params);
    check(tdsl_set_params(get(), given.data(), given.size()));
  }
  /// tdsl_clear_states
  void clear_states() { check(tdsl_clear_states(get())); }

  /// With the shape that it has now.
  tdsl_tensor input(std::size_t index) const {
    tdsl_tensor tensor;
    check(tdsl_input(get(), index, &tensor));
    return tensor;
  }
  /// With the shape that it has now; where that depends on data, of the last run.
  tdsl_tensor output(std::size_t index) const {
    tdsl_tensor tensor;
    check(tdsl_output(get(), index, &tensor));
    return tensor;
  }

  /// Copies to an input; `bytes` must be just the tensor's.
  void write(const std::string& input, const void* data, std::size_t bytes) {
    check(tdsl_write(get(), input.c_str(), data, bytes));
  }
  /// Copies from an output of the last run.
  void read(const std::string& output, void* data, std::size_t bytes) const {
    check(tdsl_read(get(), output.c_str(), data, bytes));
  }
  /// From a vector, an array: whatever has data() and size().
  template <typename Elements>
  void write(const std::string& input, const Elements& elements) {
    write(input, elements.data(), elements.size() * sizeof(*elements.data()));
  }
  /// The same to one.
  template <typename Elements>
  void read(const std::string& output, Elements&& elements) const {
    static_assert(!std::is_const_v<std::remove_pointer_t<decltype(elements.data())>>,
                  "read() writes the elements");
    read(output, elements.data(), elements.size() * sizeof(*elements.data()));
  }

  /// tdsl_bind_host
  void bind_host(const std::string& name, void* data, std::size_t bytes) {
    check(tdsl_bind_host(get(), name.c_str(), data, bytes));
  }
  /// tdsl_bind_buffer
  void bind_buffer(const std::string& name, _cl_mem* buffer) {
    check(tdsl_bind_buffer(get(), name.c_str(), buffer));
  }
  /// tdsl_bind_image
  void bind_image(const std::string& name, _cl_mem* image) {
    check(tdsl_bind_image(get(), name.c_str(), image));
  }

  /// Runs once, and waits.
  void run() { check(tdsl_run(get())); }
  /// Does not wait; the event, which the caller releases, is complete when the run is.
  [[nodiscard]] _cl_event* start_with_event(const std::vector<_cl_event*>& wait_for = {}) {
    _cl_event* done = nullptr;
    check(tdsl_start(get(), wait_for.data(), wait_for.size(), &done));
    return done;
  }
  /// The same without an event: wait() tells when the run is complete.
  void start(const std::vector<_cl_event*>& wait_for = {}) {
    check(tdsl_start(get(), wait_for.data(), wait_for.size(), nullptr));
  }
  /// For what was started.
  void wait() { check(tdsl_wait(get())); }
  /// For calls of the C API; it stays the Instance's.
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
