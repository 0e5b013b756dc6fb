/** @file
 * The runtime: runs packages (tensordsl compile MODEL -o NAME.tdsl) on OpenCL devices. For programs in C, and
 * in what can call C; tensordsl/runtime.hpp is the same for C++.
 *
 * The library, libtensordsl_rt, needs no other but the system's; it looks for OpenCL when the first device is
 * asked for.
 *
 *     tdsl_package* package = NULL;
 *     tdsl_device* device = NULL;
 *     tdsl_instance* instance = NULL;
 *     if (tdsl_package_open("mobilenet_v1.tdsl", &package) == TDSL_OK &&
 *         tdsl_device_open(NULL, &device) == TDSL_OK &&
 *         tdsl_instance_create(package, device, NULL, 0, &instance) == TDSL_OK &&
 *         tdsl_write(instance, "input", pixels, sizeof pixels) == TDSL_OK &&
 *         tdsl_run(instance) == TDSL_OK &&
 *         tdsl_read(instance, "output", scores, sizeof scores) == TDSL_OK) {
 *       ...
 *     } else {
 *       fprintf(stderr, "%s\n", tdsl_error_text());
 *     }
 *     tdsl_instance_close(instance);
 *     tdsl_device_close(device);
 *     tdsl_package_close(package);
 *
 * Errors: a function that can fail returns a tdsl_status, and where that is not TDSL_OK, tdsl_error_text()
 * says what was found and what to do. What it should have given is then NULL or as it was. No C++ exception
 * leaves a function.
 *
 * Threads: packages and devices may be used by several threads at once; an instance by one at a time. Several
 * instances, of one package and on one device, may be used by as many threads at once: each has memory of its
 * own.
 *
 * Lifetimes: an instance keeps its package and its device: all three may be closed in any order. Closing NULL
 * does nothing.
 *
 * Stability: what is declared here stays as it is while TDSL_API_VERSION is 1; functions and enumerators may
 * be added.
 */
#ifndef TENSORDSL_RUNTIME_H
#define TENSORDSL_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TDSL_API_VERSION 1

#if defined(__GNUC__)
#define TDSL_API __attribute__((visibility("default")))
#else
#define TDSL_API
#endif

/* OpenCL's objects, as CL/cl.h declares them: cl_context is a struct _cl_context*, and so on. */
struct _cl_context;
struct _cl_device_id;
struct _cl_command_queue;
struct _cl_mem;
struct _cl_event;

typedef enum tdsl_status {
  TDSL_OK = 0,
  TDSL_INVALID_ARGUMENT = 1, /**< a null pointer, a name that there is not, memory of another size */
  TDSL_INVALID_PACKAGE = 2,  /**< a package that cannot be read, is damaged, or of another version */
  TDSL_INVALID_SHAPE = 3,    /**< sizes that the kernels are not for */
  TDSL_NO_OPENCL = 4,        /**< the system has no OpenCL library, or that no device */
  /** No such device, a failed call of OpenCL, a kernel that does not build, too little memory. */
  TDSL_DEVICE_ERROR = 5,
  TDSL_OUT_OF_MEMORY = 6, /**< of the host */
  TDSL_INTERNAL_ERROR = 7 /**< a bug of this library: please report it */
} tdsl_status;

typedef enum tdsl_type {
  TDSL_BOOL = 0, /**< a byte, 0 or 1 */
  TDSL_F16 = 1,
  TDSL_F32 = 2,
  TDSL_F64 = 3,
  TDSL_I8 = 4,
  TDSL_I16 = 5,
  TDSL_I32 = 6,
  TDSL_I64 = 7,
  TDSL_U8 = 8,
  TDSL_U16 = 9,
  TDSL_U32 = 10,
  TDSL_U64 = 11
} tdsl_type;

#define TDSL_MAX_RANK 16

/** An input or output: row-major, the last dimension is innermost. */
typedef struct tdsl_tensor {
  const char* name; /**< lives as long as what it was asked of */
  tdsl_type type;
  int32_t rank; /**< 0 to TDSL_MAX_RANK */
  /** `rank` extents. -1: one that is not known (yet), as it depends on a param, or on data. */
  int64_t shape[TDSL_MAX_RANK];
  size_t bytes; /**< of all elements; 0 where an extent is not known */
} tdsl_tensor;

/** The value of a param: an open size, or a scalar of the kernels. */
typedef struct tdsl_param {
  const char* name;
  double value; /**< integers up to 2^53 are exact */
} tdsl_param;

typedef struct tdsl_package tdsl_package;
typedef struct tdsl_device tdsl_device;
typedef struct tdsl_instance tdsl_instance;

/** The library's version: "0.1.0". */
TDSL_API const char* tdsl_version(void);

/** What went wrong in this thread's last call that failed; "" before any has. It stays until the next that
 * fails. */
TDSL_API const char* tdsl_error_text(void);

/* ---- Packages ---- */

/** Reads and checks a package, a file or a folder. Weights are mapped, not copied: do not cut the file
 * short while it is used; replace it by another. */
TDSL_API tdsl_status tdsl_package_open(const char* path, tdsl_package** package);

/** The same of a package in one file that is in memory: an asset of an app. The memory stays the caller's,
 * and must stay as it is until the package and its instances are closed. */
TDSL_API tdsl_status tdsl_package_open_memory(const void* bytes, size_t size, tdsl_package** package);

TDSL_API void tdsl_package_close(tdsl_package* package);

TDSL_API size_t tdsl_package_input_count(const tdsl_package* package);
TDSL_API size_t tdsl_package_output_count(const tdsl_package* package);
TDSL_API tdsl_status tdsl_package_input(const tdsl_package* package, size_t index, tdsl_tensor* input);
TDSL_API tdsl_status tdsl_package_output(const tdsl_package* package, size_t index, tdsl_tensor* output);

/** The params that an instance needs values of, and their names: NULL if there is none of that index. */
TDSL_API size_t tdsl_package_param_count(const tdsl_package* package);
TDSL_API const char* tdsl_package_param_name(const tdsl_package* package, size_t index);

/* ---- Devices ---- */

/** Opens the device that `name` says: "gpu", "cpu", "P:D" (the numbers of platform and device), or a part
 * of a name. NULL or "": what the environment's TENSORDSL_DEVICE says, else the first GPU, else the first
 * device. */
TDSL_API tdsl_status tdsl_device_open(const char* name, tdsl_device** device);

/** The device of the program's own context and queue, which are retained. The queue keeps the order of what
 * is put there: instances run behind what it has, and before what it gets next. */
TDSL_API tdsl_status tdsl_device_open_queue(struct _cl_context* context, struct _cl_device_id* id,
                                            struct _cl_command_queue* queue, tdsl_device** device);

TDSL_API void tdsl_device_close(tdsl_device* device);

/** Lives as long as the device. */
TDSL_API const char* tdsl_device_name(const tdsl_device* device);

/** Calls `each` for every device: with what opens it ("0:0") and its name, which live as long as that
 * call. */
TDSL_API tdsl_status tdsl_list_devices(void (*each)(const char* spec, const char* name, void* user),
                                       void* user);

/* ---- Instances ---- */

/** Takes memory, uploads weights, builds kernels (or reads them from the cache on disk). `params`: the
 * value of each param of the package, `count` of them; NULL and 0 if it has none. They are the largest
 * that the instance is run with. */
TDSL_API tdsl_status tdsl_instance_create(tdsl_package* package, tdsl_device* device,
                                          const tdsl_param* params, size_t count, tdsl_instance** instance);

TDSL_API void tdsl_instance_close(tdsl_instance* instance);

/** Other values of some params, for the runs to come. What inputs hold is lost where their shapes change. */
TDSL_API tdsl_status tdsl_set_params(tdsl_instance* instance, const tdsl_param* params, size_t count);

/** States (what a decoder remembers from run to run) are as they were before the first run. */
TDSL_API tdsl_status tdsl_clear_states(tdsl_instance* instance);

/** Inputs and outputs with the shapes that they have now; of an output that depends on data, those of the
 * last run. */
TDSL_API tdsl_status tdsl_input(const tdsl_instance* instance, size_t index, tdsl_tensor* input);
TDSL_API tdsl_status tdsl_output(const tdsl_instance* instance, size_t index, tdsl_tensor* output);

/** Copies to an input, and from an output. `bytes` is the size of the memory, which must be just the
 * tensor's. */
TDSL_API tdsl_status tdsl_write(tdsl_instance* instance, const char* input, const void* data, size_t bytes);
TDSL_API tdsl_status tdsl_read(tdsl_instance* instance, const char* output, void* data, size_t bytes);

/** The input is copied from this memory before each run, the output to it behind each run. The memory stays
 * the caller's, and must be there while the instance is run. NULL: no longer. */
TDSL_API tdsl_status tdsl_bind_host(tdsl_instance* instance, const char* name, void* data, size_t bytes);

/** The input or output is the program's own buffer or image from the next run on; nothing is copied. It is
 * of the context of the instance's device, stored as the package says (docs/PROGRAM.md), and retained. */
TDSL_API tdsl_status tdsl_bind_buffer(tdsl_instance* instance, const char* name, struct _cl_mem* buffer);
TDSL_API tdsl_status tdsl_bind_image(tdsl_instance* instance, const char* name, struct _cl_mem* image);

/** Runs once, and waits. Every input must have been written or bound before. */
TDSL_API tdsl_status tdsl_run(tdsl_instance* instance);

/** Hands a run to the device, and does not wait, but for sizes that depend on data. It begins when the
 * `count` events of `wait_for` are complete; NULL and 0: at once. `done`, if it is not NULL, is set to an
 * event that is complete when the run is; the caller releases it. What is bound by tdsl_bind_host is
 * copied to its outputs by tdsl_wait. */
TDSL_API tdsl_status tdsl_start(tdsl_instance* instance, struct _cl_event* const* wait_for, size_t count,
                                struct _cl_event** done);

/** Waits for what was started. */
TDSL_API tdsl_status tdsl_wait(tdsl_instance* instance);

#ifdef __cplusplus
}
#endif

#endif
