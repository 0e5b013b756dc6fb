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
  Error(tdsl_status status, const std::string& text) : std::runtime_error(text), status_(status) {}
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

  std::vector<tdsl_tensor> inputs() const {
    return list(tdsl_package_input_count(get()), tdsl_package_input);
  }
  std::vector<tdsl_tensor> outputs() const {
    return list(tdsl_package_output_count(get()), tdsl_package_output);
  }
  std::vector<std::string> params() const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < tdsl_package_param_count(get()); ++i)
      names.emplace_back(tdsl_package_param_name(get(), i));
    return names;
  }
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

  std::string name() const { return tdsl_device_name(get()); }
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
  using Params = std::vector<std::pair<std::string, double>>;

  Instance(const Package& package, const Device& device, const Params& params = {}) {
    const std::vector<tdsl_param> given = c_params(params);
    tdsl_instance* made = nullptr;
    check(tdsl_instance_create(package.get(), device.get(), given.data(), given.size(), &made));
    handle_.reset(made);
  }

  void set_params(const Params& params) {
    const std::vector<tdsl_param> given = c_params(params);
    check(tdsl_set_params(get(), given.data(), given.size()));
  }
  void clear_states() { check(tdsl_clear_states(get())); }

  tdsl_tensor input(std::size_t index) const {
    tdsl_tensor tensor;
    check(tdsl_input(get(), index, &tensor));
    return tensor;
  }
  tdsl_tensor output(std::size_t index) const {
    tdsl_tensor tensor;
    check(tdsl_output(get(), index, &tensor));
    return tensor;
  }

  void write(const std::string& input, const void* data, std::size_t bytes) {
    check(tdsl_write(get(), input.c_str(), data, bytes));
  }
  void read(const std::string& output, void* data, std::size_t bytes) const {
    check(tdsl_read(get(), output.c_str(), data, bytes));
  }
  /// From and to a vector, an array: whatever has data() and size().
  template <typename Elements>
  void write(const std::string& input, const Elements& elements) {
    write(input, elements.data(), elements.size() * sizeof(*elements.data()));
  }
  template <typename Elements>
  void read(const std::string& output, Elements&& elements) const {
    static_assert(!std::is_const_v<std::remove_pointer_t<decltype(elements.data())>>,
                  "read() writes the elements");
    read(output, elements.data(), elements.size() * sizeof(*elements.data()));
  }

  void bind_host(const std::string& name, void* data, std::size_t bytes) {
    check(tdsl_bind_host(get(), name.c_str(), data, bytes));
  }
  void bind_buffer(const std::string& name, _cl_mem* buffer) {
    check(tdsl_bind_buffer(get(), name.c_str(), buffer));
  }
  void bind_image(const std::string& name, _cl_mem* image) {
    check(tdsl_bind_image(get(), name.c_str(), image));
  }

  void run() { check(tdsl_run(get())); }
  /// Does not wait; the event, which the caller releases, is complete when the run is.
  _cl_event* start(const std::vector<_cl_event*>& wait_for = {}) {
    _cl_event* done = nullptr;
    check(tdsl_start(get(), wait_for.data(), wait_for.size(), &done));
    return done;
  }
  void wait() { check(tdsl_wait(get())); }
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
