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
 * own. A thread that opens packages or makes instances needs a stack of 1 MiB.
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

/** Of what this header declares; it grows when a program has to be changed for it. */
#define TDSL_API_VERSION 1

/** A function of the library. */
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

/** How a call ended. */
typedef enum tdsl_status {
  TDSL_OK = 0,               /**< it did what it says */
  TDSL_INVALID_ARGUMENT = 1, /**< a null pointer, a name that there is not, a read before a run */
  TDSL_INVALID_PACKAGE = 2,  /**< a package that cannot be read, is damaged, or of another version */
  TDSL_INVALID_SHAPE = 3,    /**< sizes that the kernels are not for, memory of another size */
  TDSL_NO_OPENCL = 4,        /**< the system has no OpenCL library, or that no device */
  /** No such device, a failed call of OpenCL, a kernel that does not build, too little memory. */
  TDSL_DEVICE_ERROR = 5,
  TDSL_OUT_OF_MEMORY = 6, /**< of the host */
  TDSL_INTERNAL_ERROR = 7 /**< a bug of this library: please report it */
} tdsl_status;

/** Of an element in memory; all are little-endian. */
typedef enum tdsl_type {
  TDSL_BOOL = 0, /**< a byte, 0 or 1 */
  TDSL_F16 = 1,  /**< 2 bytes, IEEE binary16 */
  TDSL_F32 = 2,  /**< 4 bytes, float */
  TDSL_F64 = 3,  /**< 8 bytes, double */
  TDSL_I8 = 4,   /**< 1 byte, with a sign */
  TDSL_I16 = 5,  /**< 2 bytes, with a sign */
  TDSL_I32 = 6,  /**< 4 bytes, with a sign */
  TDSL_I64 = 7,  /**< 8 bytes, with a sign */
  TDSL_U8 = 8,   /**< 1 byte */
  TDSL_U16 = 9,  /**< 2 bytes */
  TDSL_U32 = 10, /**< 4 bytes */
  TDSL_U64 = 11  /**< 8 bytes */
} tdsl_type;

/** Dimensions of an input or output at most. */
#define TDSL_MAX_RANK 16

/** An input or output as the program gives and gets it: row-major, the last dimension is innermost. */
typedef struct tdsl_tensor {
  const char* name; /**< lives as long as what it was asked of */
  int32_t type;     /**< a tdsl_type: of its elements; memory of the device may have another (tdsl_memory) */
  int32_t rank;     /**< 0 to TDSL_MAX_RANK */
  /** `rank` extents. -1: one that is not known (yet), as it depends on a param, or on data. */
  int64_t shape[TDSL_MAX_RANK];
  uint64_t bytes;       /**< of all elements; 0 where an extent is not known */
  uint64_t reserved[4]; /**< 0 */
} tdsl_tensor;

/** How an input or output lies in the device's memory: what tdsl_bind_buffer and tdsl_bind_image take. */
typedef struct tdsl_memory {
  int32_t type; /**< a tdsl_type: of an element in memory */
  /** 0: a buffer; else an image's cl_mem_object_type, such as CL_MEM_OBJECT_IMAGE2D. */
  uint32_t image;
  uint64_t bytes; /**< that a buffer has at least */
  /** The order of elements, "d0 d2 d3 d1" say: docs/PROGRAM.md, Layouts. It lives as long as the instance. */
  const char* layout;
  int32_t is_row_major; /**< 1: in the order of tdsl_tensor, if the type is the same */
  int32_t channels;     /**< of an image: elements of a texel, 4 (CL_RGBA) or 1 (CL_R) */
  uint64_t width;       /**< of an image, in texels */
  uint64_t height;      /**< the same */
  uint64_t layers;      /**< the same */
  uint64_t reserved[4]; /**< 0 */
} tdsl_memory;

/** The value of a param: an open size, or a scalar of the kernels. */
typedef struct tdsl_param {
  const char* name; /**< as tdsl_package_param_name gives it */
  double value;     /**< integers up to 2^53 are exact */
} tdsl_param;

/** A package that was read. */
typedef struct tdsl_package tdsl_package;
/** A device, and the queue on which instances run. */
typedef struct tdsl_device tdsl_device;
/** A package on a device: its memory, its kernels, its recorded launches. */
typedef struct tdsl_instance tdsl_instance;

/** The TDSL_API_VERSION of the library that is there, which may be another one than that of this header. */
TDSL_API int32_t tdsl_api_version(void);

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

/** Instances of it stay as they are. */
TDSL_API void tdsl_package_close(tdsl_package* package);

/** Of NULL 0. */
TDSL_API size_t tdsl_package_input_count(const tdsl_package* package);
/** Of NULL 0. */
TDSL_API size_t tdsl_package_output_count(const tdsl_package* package);
/** The input of an index, with the extents that no param decides. Its name lives as long as the package. */
TDSL_API tdsl_status tdsl_package_input(const tdsl_package* package, size_t index, tdsl_tensor* input);
/** The same of an output. */
TDSL_API tdsl_status tdsl_package_output(const tdsl_package* package, size_t index, tdsl_tensor* output);

/** How many params an instance needs values of. */
TDSL_API size_t tdsl_package_param_count(const tdsl_package* package);
/** NULL if there is none of that index. */
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

/** Instances on it stay as they are. */
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

/** Waits for what was started. Memory that was bound is the caller's again. */
TDSL_API void tdsl_instance_close(tdsl_instance* instance);

/** Other values of some params, for the runs to come. What inputs hold is lost where their shapes change. */
TDSL_API tdsl_status tdsl_set_params(tdsl_instance* instance, const tdsl_param* params, size_t count);

/** States (what a decoder remembers from run to run) are as they were before the first run. */
TDSL_API tdsl_status tdsl_clear_states(tdsl_instance* instance);

/** Inputs and outputs with the shapes that they have now; of an output that depends on data, those of the
 * last run. */
TDSL_API tdsl_status tdsl_input(const tdsl_instance* instance, size_t index, tdsl_tensor* input);
/** The same of an output. */
TDSL_API tdsl_status tdsl_output(const tdsl_instance* instance, size_t index, tdsl_tensor* output);

/** Copies to an input, and from an output. `bytes` is the size of the memory, which must be just the
 * tensor's. */
TDSL_API tdsl_status tdsl_write(tdsl_instance* instance, const char* input, const void* data, size_t bytes);
/** The same from an output of the last run, which it waits for. */
TDSL_API tdsl_status tdsl_read(tdsl_instance* instance, const char* output, void* data, size_t bytes);

/** The input is copied from this memory before each run, the output to it behind each run. The memory stays
 * the caller's, and must be there while the instance is run. NULL: no longer. */
TDSL_API tdsl_status tdsl_bind_host(tdsl_instance* instance, const char* name, void* data, size_t bytes);

/** How the input or output lies in the device's memory, for what params are now. Of one that is bound too. */
TDSL_API tdsl_status tdsl_memory_of(const tdsl_instance* instance, const char* name, tdsl_memory* memory);

/** The input or output is the program's own buffer or image from the next run on; nothing is copied, and a
 * binding to the host's memory ends. It is of the context of the instance's device, stored as tdsl_memory_of
 * says, which is often another order than that of tdsl_tensor, and retained until another one is bound. */
TDSL_API tdsl_status tdsl_bind_buffer(tdsl_instance* instance, const char* name, struct _cl_mem* buffer);
/** The same of an image. */
TDSL_API tdsl_status tdsl_bind_image(tdsl_instance* instance, const char* name, struct _cl_mem* image);

/** Runs once, and waits. Every input must have been written or bound before. */
TDSL_API tdsl_status tdsl_run(tdsl_instance* instance);

/** Hands a run to the device, which begins when the `count` events of `wait_for` are complete; NULL and 0: at
 * once. `done`, if it is not NULL, is set to an event that is complete when the run is; the caller releases
 * it. The call does not wait for the run, but where the package has sizes that depend on data, steps of the
 * host, or states: then it waits for the events, and for what is to be known. Inputs that tdsl_bind_host has
 * bound are copied before the call returns, outputs by tdsl_wait. */
TDSL_API tdsl_status tdsl_start(tdsl_instance* instance, struct _cl_event* const* wait_for, size_t count,
                                struct _cl_event** done);

/** Waits for all that was started on the instance's device, of other instances too. Nothing started: it does
 * nothing. */
TDSL_API tdsl_status tdsl_wait(tdsl_instance* instance);

#ifdef __cplusplus
}
#endif

#endif
