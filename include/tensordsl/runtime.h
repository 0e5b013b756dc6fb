/** @file
 * The runtime: runs packages (tensordsl compile MODEL -o NAME.tdsl) on OpenCL devices. For programs in C, and
 * in languages that can call C; tensordsl/runtime.hpp is the same for C++.
 *
 * The library, libtensordsl_rt, needs only the system's libraries; it loads OpenCL when the first device is
 * opened.
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
 * says what was found and what to do. Its results are then NULL or unchanged. No C++ exception
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

/** Version of this header's declarations. It grows when a program has to be changed for it. */
#define TDSL_API_VERSION 1

/** Marks a function of the library. */
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

/** Result of a call. */
typedef enum tdsl_status {
  TDSL_OK = 0,               /**< success */
  TDSL_INVALID_ARGUMENT = 1, /**< a null pointer, an unknown name, a read before a run */
  TDSL_INVALID_PACKAGE = 2,  /**< a package that cannot be read, is damaged, or of another version */
  TDSL_INVALID_SHAPE = 3,    /**< sizes that the kernels do not support, memory of another size */
  TDSL_NO_OPENCL = 4,        /**< the system has no OpenCL library, or no such device */
  /** A device that does not exist, a failed call of OpenCL, a kernel that does not build, too little memory.
   */
  TDSL_DEVICE_ERROR = 5,
  TDSL_OUT_OF_MEMORY = 6, /**< the host has too little memory */
  TDSL_INTERNAL_ERROR = 7 /**< a bug of this library: please report it */
} tdsl_status;

/** Type of an element in memory; all are little-endian. */
typedef enum tdsl_type {
  TDSL_BOOL = 0, /**< a byte, 0 or 1 */
  TDSL_F16 = 1,  /**< 2 bytes, IEEE binary16 */
  TDSL_F32 = 2,  /**< 4 bytes, float */
  TDSL_F64 = 3,  /**< 8 bytes, double */
  TDSL_I8 = 4,   /**< 1 byte, signed */
  TDSL_I16 = 5,  /**< 2 bytes, signed */
  TDSL_I32 = 6,  /**< 4 bytes, signed */
  TDSL_I64 = 7,  /**< 8 bytes, signed */
  TDSL_U8 = 8,   /**< 1 byte */
  TDSL_U16 = 9,  /**< 2 bytes */
  TDSL_U32 = 10, /**< 4 bytes */
  TDSL_U64 = 11  /**< 8 bytes */
} tdsl_type;

/** Most dimensions of an input or output. */
#define TDSL_MAX_RANK 16

/** An input or output in the host's memory: row-major, the last dimension is innermost. */
typedef struct tdsl_tensor {
  const char* name; /**< lives as long as the package or instance that gave it */
  int32_t type;     /**< a tdsl_type; elements in the device's memory may have another (tdsl_memory) */
  int32_t rank;     /**< 0 to TDSL_MAX_RANK */
  /** Extents, `rank` of them. -1: an extent that is not known (yet), as it depends on a param, or on data. */
  int64_t shape[TDSL_MAX_RANK];
  uint64_t bytes;       /**< size of all elements; 0 if an extent is not known */
  uint64_t reserved[4]; /**< 0 */
} tdsl_tensor;

/** Storage of an input or output in the device's memory, for tdsl_bind_buffer and tdsl_bind_image. */
typedef struct tdsl_memory {
  int32_t type; /**< a tdsl_type: that of an element in memory */
  /** Kind of memory. 0: a buffer; else an image's cl_mem_object_type, such as CL_MEM_OBJECT_IMAGE2D. */
  uint32_t image;
  uint64_t bytes; /**< least size of a buffer */
  /** Order of the elements, such as "d0 d2 d3 d1": docs/PROGRAM.md, Layouts. It lives as long as the
   * instance. */
  const char* layout;
  int32_t is_row_major; /**< 1: the order is that of tdsl_tensor, if the type is the same */
  int32_t channels;     /**< for an image: elements of a texel, 4 (CL_RGBA) or 1 (CL_R) */
  uint64_t width;       /**< for an image: columns in texels */
  uint64_t height;      /**< for an image: rows */
  uint64_t layers;      /**< for an image: layers */
  uint64_t reserved[4]; /**< 0 */
} tdsl_memory;

/** The value of a param: a symbolic size, or a scalar of the kernels. */
typedef struct tdsl_param {
  const char* name; /**< name, as tdsl_package_param_name gives it */
  double value;     /**< integers up to 2^53 are exact */
} tdsl_param;

/** A package that was read. */
typedef struct tdsl_package tdsl_package;
/** A device, and the queue on which instances run. */
typedef struct tdsl_device tdsl_device;
/** A package on a device: its memory, its kernels, its recorded launches. */
typedef struct tdsl_instance tdsl_instance;

/** Returns the TDSL_API_VERSION of the loaded library, which may differ from that of this header. */
TDSL_API int32_t tdsl_api_version(void);

/** Returns the library's version: "0.1.0". */
TDSL_API const char* tdsl_version(void);

/** Returns the error of this thread's last failed call; "" before any has failed. The text stays valid until
 * the next call that fails. */
TDSL_API const char* tdsl_error_text(void);

/* ---- Packages ---- */

/** Reads and checks a package, a file or a folder. Weights are mapped, not copied: do not truncate the file
 * while it is used; replace it by another. */
TDSL_API tdsl_status tdsl_package_open(const char* path, tdsl_package** package);

/** Reads and checks a package from a file in memory: an asset of an app. The caller owns the memory, which
 * must not change until the package and its instances are closed. */
TDSL_API tdsl_status tdsl_package_open_memory(const void* bytes, size_t size, tdsl_package** package);

/** Closes the package; its instances remain usable. */
TDSL_API void tdsl_package_close(tdsl_package* package);

/** Returns the number of inputs; 0 for NULL. */
TDSL_API size_t tdsl_package_input_count(const tdsl_package* package);
/** Returns the number of outputs; 0 for NULL. */
TDSL_API size_t tdsl_package_output_count(const tdsl_package* package);
/** Describes the input of that index, with the extents that depend on no param. Its name lives as long as the
 * package. */
TDSL_API tdsl_status tdsl_package_input(const tdsl_package* package, size_t index, tdsl_tensor* input);
/** Describes the output of that index, with the extents that depend on no param. Its name lives as long as
 * the package. */
TDSL_API tdsl_status tdsl_package_output(const tdsl_package* package, size_t index, tdsl_tensor* output);

/** Returns the number of params for which an instance needs values. */
TDSL_API size_t tdsl_package_param_count(const tdsl_package* package);
/** Returns the name of the param of that index; NULL if there is none. */
TDSL_API const char* tdsl_package_param_name(const tdsl_package* package, size_t index);

/* ---- Devices ---- */

/** Opens the device that `name` specifies: "gpu", "cpu", "P:D" (the numbers of platform and device), or a
 * part of a name. The tool's device "host" is refused, because it needs LLVM. NULL or "" means the
 * environment's TENSORDSL_DEVICE, else the first GPU, else the first device. */
TDSL_API tdsl_status tdsl_device_open(const char* name, tdsl_device** device);

/** Opens the device of the program's own context and in-order queue, which are retained. Instances run after
 * the commands that are in the queue, and before those that are put there next. */
TDSL_API tdsl_status tdsl_device_open_queue(struct _cl_context* context, struct _cl_device_id* id,
                                            struct _cl_command_queue* queue, tdsl_device** device);

/** Closes the device; instances on it remain usable. */
TDSL_API void tdsl_device_close(tdsl_device* device);

/** Returns the device's name, which lives as long as the device. */
TDSL_API const char* tdsl_device_name(const tdsl_device* device);

/** Calls `each` for every device with the spec that opens it ("0:0") and its name. Both live as long as that
 * call. */
TDSL_API tdsl_status tdsl_list_devices(void (*each)(const char* spec, const char* name, void* user),
                                       void* user);

/* ---- Instances ---- */

/** Allocates memory, uploads weights, builds kernels (or reads them from the cache on disk). `params` has
 * `count` values, one for each param of the package; NULL and 0 if it has none. They are the largest values
 * that the instance is run with. */
TDSL_API tdsl_status tdsl_instance_create(tdsl_package* package, tdsl_device* device,
                                          const tdsl_param* params, size_t count, tdsl_instance** instance);

/** Closes the instance after its work is complete. Memory that was bound may be reused by the caller. */
TDSL_API void tdsl_instance_close(tdsl_instance* instance);

/** Changes some params for the runs to come. Contents of inputs are lost if their shapes change. */
TDSL_API tdsl_status tdsl_set_params(tdsl_instance* instance, const tdsl_param* params, size_t count);

/** Resets the states (a decoder's keys and values, say) to those before the first run. */
TDSL_API tdsl_status tdsl_clear_states(tdsl_instance* instance);

/** Describes the input of that index with its current shape. */
TDSL_API tdsl_status tdsl_input(const tdsl_instance* instance, size_t index, tdsl_tensor* input);
/** Describes the output of that index with its current shape; a shape that depends on data is that of the
 * last run. */
TDSL_API tdsl_status tdsl_output(const tdsl_instance* instance, size_t index, tdsl_tensor* output);

/** Copies `data` to an input. `bytes` is the size of `data`, which must be exactly the tensor's. */
TDSL_API tdsl_status tdsl_write(tdsl_instance* instance, const char* input, const void* data, size_t bytes);
/** Waits for the last run and copies an output of it to `data`. `bytes` must be exactly the tensor's size. */
TDSL_API tdsl_status tdsl_read(tdsl_instance* instance, const char* output, void* data, size_t bytes);

/** Copies the input from this memory before each run, or the output to it after each run. The caller owns the
 * memory, which must stay valid while the instance runs. NULL ends the binding. */
TDSL_API tdsl_status tdsl_bind_host(tdsl_instance* instance, const char* name, void* data, size_t bytes);

/** Describes the storage of the input or output in the device's memory, for the current params. It may be
 * bound. */
TDSL_API tdsl_status tdsl_memory_of(const tdsl_instance* instance, const char* name, tdsl_memory* memory);

/** Makes the program's own buffer the input or output from the next run on; nothing is copied, and a binding
 * to the host's memory ends. The buffer belongs to the context of the instance's device and is retained
 * until another one is bound. It is stored as tdsl_memory_of says, which is often another order than that of
 * tdsl_tensor. */
TDSL_API tdsl_status tdsl_bind_buffer(tdsl_instance* instance, const char* name, struct _cl_mem* buffer);
/** Makes the program's own image the input or output from the next run on, as tdsl_bind_buffer does with a
 * buffer. */
TDSL_API tdsl_status tdsl_bind_image(tdsl_instance* instance, const char* name, struct _cl_mem* image);

/** Runs once, and waits. Every input must have been written or bound before. */
TDSL_API tdsl_status tdsl_run(tdsl_instance* instance);

/** Hands a run to the device, which begins when the `count` events of `wait_for` are complete; NULL and 0: at
 * once. `done`, if not NULL, receives an event that is complete when the run is; the caller releases it. The
 * call does not wait for the run, except if the package has data-dependent sizes, host steps, or states:
 * then it waits for the events, and for those values. Inputs that tdsl_bind_host has bound are copied before
 * the call returns, outputs by tdsl_wait. */
TDSL_API tdsl_status tdsl_start(tdsl_instance* instance, struct _cl_event* const* wait_for, size_t count,
                                struct _cl_event** done);

/** Waits for all work started on the instance's device, that of other instances too. It does nothing if no
 * work was started. */
TDSL_API tdsl_status tdsl_wait(tdsl_instance* instance);

#ifdef __cplusplus
}
#endif

#endif
