#include "generator/launcher_runtime.h"

namespace tensordsl::generator {

const char* const kLauncherRuntime =
    R"header(namespace detail {

inline void check(cl_int status, const char* call, const char* what) {
  if (status == CL_SUCCESS) return;
  throw std::runtime_error(std::string(call) + " failed with status " + std::to_string(status) + ": " + what);
}

// Sizes: exact, or an error.

[[noreturn]] inline void too_large() { throw std::invalid_argument("a size does not fit into 64 bits"); }

template <typename T>
std::int64_t wide(T value) {
  return static_cast<std::int64_t>(value);
}
inline std::int64_t wide(std::uint64_t value) {
  if (value > INT64_MAX) too_large();
  return static_cast<std::int64_t>(value);
}

inline std::int64_t plus(std::int64_t a, std::int64_t b) {
  if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b) too_large();
  return a + b;
}

inline std::int64_t minus(std::int64_t a, std::int64_t b) {
  if (b < 0 ? a > INT64_MAX + b : a < INT64_MIN + b) too_large();
  return a - b;
}

inline std::int64_t times(std::int64_t a, std::int64_t b) {
  const bool fits = a == 0 || b == 0 ||
                    (b > 0 ? a <= INT64_MAX / b && a >= INT64_MIN / b
                           : a > 0 ? b >= INT64_MIN / a : b >= INT64_MAX / a);
  if (!fits) too_large();
  return a * b;
}

inline std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  if (b == 0) return 0;
  if (b == -1) return minus(0, a);
  const std::int64_t quotient = a / b;
  return quotient - (a % b != 0 && (a % b < 0) != (b < 0));
}

inline std::int64_t floor_mod(std::int64_t a, std::int64_t b) {
  if (b == 0 || b == -1) return 0;
  const std::int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

/// Kernels compute indices in 32 bits.
inline std::int64_t extent(std::int64_t value, const char* tensor) {
  if (value >= 0 && value <= INT32_MAX) return value;
  throw std::invalid_argument(std::string("an extent of \"") + tensor + "\" is " + std::to_string(value) +
                              "; it must be from 0 to " + std::to_string(INT32_MAX));
}

/// Calls visit(index, k) with each index of a tensor, in row-major order, and its number.
template <std::size_t Rank, typename Visit>
void for_each_index(const std::array<std::int64_t, Rank>& extents, const Visit& visit) {
  std::array<std::int64_t, Rank> i{};
  for (const std::int64_t e : extents) {
    if (e == 0) return;
  }
  for (std::size_t k = 0;; ++k) {
    visit(i, k);
    std::size_t d = Rank;
    while (d > 0 && ++i[d - 1] == extents[d - 1]) i[--d] = 0;
    if (d == 0) return;
  }
}

/// A buffer, or an image of texels.
struct Storage {
  const char* name;
  std::int64_t elements;  // in memory
  std::size_t element_bytes;
  cl_mem_object_type type = CL_MEM_OBJECT_BUFFER;
  cl_image_format format{};
  std::int64_t width = 1, height = 1, layers = 1;

  std::size_t bytes() const {
    // 2^31 less what rounding up may add to an index.
    if (elements < 0 || elements > 2130706432)
      throw std::invalid_argument(std::string("\"") + name + "\" has more elements than a kernel can index");
    return static_cast<std::size_t>(elements) * element_bytes;
  }
  std::array<std::size_t, 3> region() const {
    const auto positive = [](std::int64_t size) { return static_cast<std::size_t>(size > 0 ? size : 1); };
    return {positive(width), positive(height), positive(layers)};
  }
};

}  // namespace detail

/// A cl_mem that is released with it.
class Memory {
 public:
  Memory() = default;
  explicit Memory(cl_mem memory) : memory_(memory) {}
  Memory(Memory&& other) noexcept : memory_(std::exchange(other.memory_, nullptr)) {}
  Memory& operator=(Memory&& other) noexcept {
    std::swap(memory_, other.memory_);
    return *this;
  }
  ~Memory() {
    if (memory_ != nullptr) clReleaseMemObject(memory_);
  }
  cl_mem get() const { return memory_; }
  operator cl_mem() const { return memory_; }

 private:
  cl_mem memory_ = nullptr;
};

namespace detail {

inline Memory create_buffer(cl_context context, const char* name, std::size_t bytes, const void* contents) {
  cl_int status = CL_SUCCESS;
  const cl_mem_flags flags = CL_MEM_READ_WRITE | (contents != nullptr ? CL_MEM_COPY_HOST_PTR : 0);
  Memory memory(clCreateBuffer(context, flags, bytes > 0 ? bytes : 1, const_cast<void*>(contents), &status));
  check(status, "clCreateBuffer", name);
  return memory;
}

/// `contents`, if there are any, are as stored.
inline Memory create(cl_context context, const Storage& storage, const void* contents = nullptr) {
  const std::size_t bytes = storage.bytes();
  if (storage.type == CL_MEM_OBJECT_BUFFER) return create_buffer(context, storage.name, bytes, contents);
  const auto region = storage.region();
  cl_image_desc what{};
  what.image_type = storage.type;
  what.image_width = region[0];
  what.image_height = storage.type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? 0 : region[1];
  what.image_array_size = storage.type == CL_MEM_OBJECT_IMAGE2D_ARRAY ? region[2] : 0;
  Memory buffer;
  if (storage.type == CL_MEM_OBJECT_IMAGE1D_BUFFER) {
    // An image without elements has one texel all the same.
    const std::size_t texel = storage.element_bytes * (storage.format.image_channel_order == CL_RGBA ? 4 : 1);
    if (bytes == 0) contents = nullptr;
    buffer = create_buffer(context, storage.name, std::max(bytes, texel), contents);
    what.buffer = buffer.get();
    contents = nullptr;
  }
  cl_int status = CL_SUCCESS;
  const cl_mem_flags flags = CL_MEM_READ_WRITE | (contents != nullptr ? CL_MEM_COPY_HOST_PTR : 0);
  Memory image(clCreateImage(context, flags, &storage.format, &what, const_cast<void*>(contents), &status));
  check(status, "clCreateImage", storage.name);
  return image;  // which keeps its buffer
}

[[noreturn]] inline void refuse(const Storage& storage, const std::string& found) {
  throw std::invalid_argument(std::string("the memory for \"") + storage.name + "\" " + found +
                              "; create it with create_X() of this launcher and its Params");
}

template <typename T, typename Get>
T info(const Get& get, cl_mem memory, cl_uint what, const Storage& storage) {
  T value{};
  const cl_int status = get(memory, what, sizeof value, &value, nullptr);
  if (status == CL_INVALID_MEM_OBJECT) refuse(storage, "is not a cl_mem");
  check(status, "asking what memory is", storage.name);
  return value;
}

/// Checks that a memory object has the kind and the size that kernels need.
inline void check_memory(cl_mem memory, const Storage& storage) {
  if (memory == nullptr) refuse(storage, "is null");
  const auto type = info<cl_mem_object_type>(clGetMemObjectInfo, memory, CL_MEM_TYPE, storage);
  if (storage.type == CL_MEM_OBJECT_BUFFER) {
    if (type != storage.type) refuse(storage, "is an image; a buffer is needed");
    const auto bytes = info<std::size_t>(clGetMemObjectInfo, memory, CL_MEM_SIZE, storage);
    if (bytes >= storage.bytes()) return;
    refuse(storage, "has " + std::to_string(bytes) + " bytes, but needs " + std::to_string(storage.bytes()));
  }
  if (type != storage.type) refuse(storage, "is a buffer, or an image of another kind; an image is needed");
  const auto format = info<cl_image_format>(clGetImageInfo, memory, CL_IMAGE_FORMAT, storage);
  if (format.image_channel_order != storage.format.image_channel_order ||
      format.image_channel_data_type != storage.format.image_channel_data_type)
    refuse(storage, "is an image of another format");
  const auto region = storage.region();
  std::array<std::size_t, 3> found{info<std::size_t>(clGetImageInfo, memory, CL_IMAGE_WIDTH, storage), 1, 1};
  if (type != CL_MEM_OBJECT_IMAGE1D_BUFFER)
    found[1] = info<std::size_t>(clGetImageInfo, memory, CL_IMAGE_HEIGHT, storage);
  if (type == CL_MEM_OBJECT_IMAGE2D_ARRAY)
    found[2] = info<std::size_t>(clGetImageInfo, memory, CL_IMAGE_ARRAY_SIZE, storage);
  const auto text = [](const std::array<std::size_t, 3>& size) {
    return std::to_string(size[0]) + " x " + std::to_string(size[1]) + " x " + std::to_string(size[2]);
  };
  for (std::size_t d = 0; d < 3; ++d) {
    if (found[d] < region[d])
      refuse(storage, "has " + text(found) + " texels, but needs " + text(region));
  }
}

/// Writes the contents of an image or a buffer, in its storage format. Waits until it is done.
inline void write(cl_command_queue queue, cl_mem memory, const Storage& storage, const void* from) {
  const std::size_t origin[3] = {0, 0, 0};
  check_memory(memory, storage);
  if (storage.bytes() == 0) return;
  const cl_int status =
      storage.type == CL_MEM_OBJECT_BUFFER
          ? clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, storage.bytes(), from, 0, nullptr, nullptr)
          : clEnqueueWriteImage(queue, memory, CL_TRUE, origin, storage.region().data(), 0, 0, from, 0,
                                nullptr, nullptr);
  check(status, "writing to the device", storage.name);
}

inline void read(cl_command_queue queue, cl_mem memory, const Storage& storage, void* to) {
  const std::size_t origin[3] = {0, 0, 0};
  check_memory(memory, storage);
  check(clFinish(queue), "clFinish", storage.name);
  if (storage.bytes() == 0) return;
  const cl_int status =
      storage.type == CL_MEM_OBJECT_BUFFER
          ? clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, storage.bytes(), to, 0, nullptr, nullptr)
          : clEnqueueReadImage(queue, memory, CL_TRUE, origin, storage.region().data(), 0, 0, to, 0, nullptr,
                               nullptr);
  check(status, "reading from the device", storage.name);
}

/// A program and its kernels, built for one device.
class Kernels {
 public:
  Kernels(cl_context context, cl_device_id device, const std::string& text, const std::string& options,
          std::initializer_list<const char*> entries) {
    cl_int status = CL_SUCCESS;
    const char* source = text.c_str();
    program_ = clCreateProgramWithSource(context, 1, &source, nullptr, &status);
    check(status, "clCreateProgramWithSource", "");
    try {
      build(device, options);
      for (const char* entry : entries) {
        kernels_.push_back(clCreateKernel(program_, entry, &status));
        check(status, "clCreateKernel", entry);
      }
    } catch (...) {
      release();
      throw;
    }
  }
  ~Kernels() { release(); }
  Kernels(Kernels&& other) noexcept
      : program_(std::exchange(other.program_, nullptr)), kernels_(std::move(other.kernels_)) {
    other.kernels_.clear();
  }
  Kernels& operator=(Kernels&& other) noexcept {
    std::swap(program_, other.program_);
    std::swap(kernels_, other.kernels_);
    return *this;
  }

  cl_kernel operator[](std::size_t i) const { return kernels_[i]; }

 private:
  void build(cl_device_id device, const std::string& options) const {
    const cl_int status = clBuildProgram(program_, 1, &device, options.c_str(), nullptr, nullptr);
    if (status == CL_SUCCESS) return;
    std::size_t size = 0;
    clGetProgramBuildInfo(program_, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
    std::string log(size, '\0');
    clGetProgramBuildInfo(program_, device, CL_PROGRAM_BUILD_LOG, size, &log[0], nullptr);
    check(status, "clBuildProgram", log.c_str());
  }
  void release() {
    for (cl_kernel kernel : kernels_) {
      if (kernel != nullptr) clReleaseKernel(kernel);
    }
    if (program_ != nullptr) clReleaseProgram(program_);
  }

  cl_program program_ = nullptr;
  std::vector<cl_kernel> kernels_;
};

template <typename T>
void set_argument(cl_kernel kernel, cl_uint index, const T& value, const char* name) {
  check(clSetKernelArg(kernel, index, sizeof(T), &value), "clSetKernelArg", name);
}

/// Kernels one after another, whatever the order of the queue.
class Chain {
 public:
  Chain(cl_command_queue queue, const std::vector<cl_event>& after) : queue_(queue), after_(after) {}
  ~Chain() {
    if (last_ != nullptr) clReleaseEvent(last_);
  }
  Chain(const Chain&) = delete;
  Chain& operator=(const Chain&) = delete;

  void launch(cl_kernel kernel, const char* entry, const std::array<std::int64_t, 3>& groups,
              const std::array<std::size_t, 3>& group_size) {
    std::array<std::size_t, 3> items{};
    for (std::size_t d = 0; d < 3; ++d) {
      if (groups[d] <= 0) return;
      items[d] = static_cast<std::size_t>(groups[d]) * group_size[d];
    }
    cl_event done = nullptr;
    check(clEnqueueNDRangeKernel(queue_, kernel, 3, nullptr, items.data(), group_size.data(), waits(),
                                 events(), &done),
          "clEnqueueNDRangeKernel", entry);
    replace(done);
  }

  /// The event of the last kernel, which is the caller's now.
  cl_event take() {
    if (last_ == nullptr) {
      cl_event done = nullptr;
      check(clEnqueueMarkerWithWaitList(queue_, waits(), events(), &done), "clEnqueueMarkerWithWaitList", "");
      replace(done);
    }
    return std::exchange(last_, nullptr);
  }

 private:
  cl_uint waits() const { return last_ != nullptr ? 1 : static_cast<cl_uint>(after_.size()); }
  const cl_event* events() const {
    return last_ != nullptr ? &last_ : after_.empty() ? nullptr : after_.data();
  }
  void replace(cl_event event) {
    if (last_ != nullptr) clReleaseEvent(last_);
    last_ = event;
  }

  cl_command_queue queue_;
  const std::vector<cl_event>& after_;
  cl_event last_ = nullptr;
};

}  // namespace detail
)header";

}  // namespace tensordsl::generator
