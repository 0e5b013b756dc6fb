/* An OpenCL library for tests: one device, in whose kernels nothing but copies happens, so that it runs
 * wherever a C compiler builds it: on another processor in an emulator, say. A kernel copies its first buffer
 * or image to its last.
 *
 * FAKE_OPENCL_FAILS=NAME: the call of that name fails from then on with CL_OUT_OF_RESOURCES. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ARGUMENTS = 64 };

struct _cl_platform_id {
  int unused;
};
struct _cl_device_id {
  int unused;
};
struct _cl_context {
  _Atomic int references;
};
struct _cl_command_queue {
  _Atomic int references;
  cl_context context;
};
struct _cl_mem {
  _Atomic int references;
  cl_context context;
  cl_mem_flags flags;
  size_t size;
  unsigned char* bytes;
  cl_mem whole;
  int is_image;
  cl_image_format format;
  cl_image_desc desc;
};
struct _cl_program {
  _Atomic int references;
  char* text;
};
struct _cl_kernel {
  _Atomic int references;
  cl_uint arguments;
  cl_mem memory[MAX_ARGUMENTS];
};
struct _cl_event {
  _Atomic int references;
};

static struct _cl_platform_id platform;
static struct _cl_device_id device;

static int fails(const char* call) {
  const char* name = getenv("FAKE_OPENCL_FAILS");
  return name != NULL && strcmp(name, call) == 0;
}

static void* fail(cl_int* code) {
  if (code != NULL) *code = CL_OUT_OF_RESOURCES;
  return NULL;
}

static void* good(cl_int* code, void* made) {
  if (code != NULL) *code = CL_SUCCESS;
  return made;
}

static cl_int give(const void* value, size_t bytes, size_t room, void* to, size_t* needed) {
  if (needed != NULL) *needed = bytes;
  if (to == NULL) return CL_SUCCESS;
  if (room < bytes) return CL_INVALID_VALUE;
  memcpy(to, value, bytes);
  return CL_SUCCESS;
}

static cl_int give_text(const char* text, size_t room, void* to, size_t* needed) {
  return give(text, strlen(text) + 1, room, to, needed);
}

#define GIVE(type, value)                                \
  do {                                                   \
    const type given = (value);                          \
    return give(&given, sizeof given, room, to, needed); \
  } while (0)

cl_int clGetPlatformIDs(cl_uint room, cl_platform_id* ids, cl_uint* count) {
  if (fails("clGetPlatformIDs")) return CL_OUT_OF_RESOURCES;
  if (count != NULL) *count = 1;
  if (ids != NULL && room > 0) ids[0] = &platform;
  return CL_SUCCESS;
}

cl_int clGetPlatformInfo(cl_platform_id id, cl_platform_info what, size_t room, void* to, size_t* needed) {
  (void)id;
  return give_text(what == CL_PLATFORM_VERSION ? "OpenCL 1.2 fake" : "fake", room, to, needed);
}

cl_int clGetDeviceIDs(cl_platform_id of, cl_device_type type, cl_uint room, cl_device_id* ids,
                      cl_uint* count) {
  (void)of;
  (void)type;
  if (count != NULL) *count = 1;
  if (ids != NULL && room > 0) ids[0] = &device;
  return CL_SUCCESS;
}

cl_int clGetDeviceInfo(cl_device_id id, cl_device_info what, size_t room, void* to, size_t* needed) {
  static const size_t sizes[3] = {1024, 1024, 1024};
  (void)id;
  switch (what) {
    case CL_DEVICE_NAME:
    case CL_DEVICE_VENDOR:
    case CL_DRIVER_VERSION:
      return give_text("fake device", room, to, needed);
    case CL_DEVICE_VERSION:
      return give_text("OpenCL 1.2 fake", room, to, needed);
    case CL_DEVICE_EXTENSIONS:
      return give_text("", room, to, needed);
    case CL_DEVICE_TYPE:
      GIVE(cl_device_type, CL_DEVICE_TYPE_GPU);
    case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS:
      GIVE(cl_uint, 3);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES:
      return give(sizes, sizeof sizes, room, to, needed);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
      GIVE(size_t, 1024);
    case CL_DEVICE_LOCAL_MEM_SIZE:
      GIVE(cl_ulong, 1 << 16);
    case CL_DEVICE_LOCAL_MEM_TYPE:
      GIVE(cl_device_local_mem_type, CL_LOCAL);
    case CL_DEVICE_GLOBAL_MEM_SIZE:
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
      GIVE(cl_ulong, 1 << 30);
    case CL_DEVICE_MEM_BASE_ADDR_ALIGN:
      GIVE(cl_uint, 1024);
    case CL_DEVICE_IMAGE_SUPPORT:
      GIVE(cl_bool, CL_TRUE);
    case CL_DEVICE_IMAGE2D_MAX_WIDTH:
    case CL_DEVICE_IMAGE2D_MAX_HEIGHT:
    case CL_DEVICE_IMAGE_MAX_BUFFER_SIZE:
    case CL_DEVICE_IMAGE_MAX_ARRAY_SIZE:
      GIVE(size_t, 16384);
    case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE:
    case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE:
      GIVE(cl_ulong, 1 << 16);
    case CL_DEVICE_PROFILING_TIMER_RESOLUTION:
      GIVE(size_t, 1);
    default:
      GIVE(cl_uint, 16);
  }
}

void* clGetExtensionFunctionAddressForPlatform(cl_platform_id of, const char* name) {
  (void)of;
  (void)name;
  return NULL;
}

cl_context clCreateContext(const cl_context_properties* properties, cl_uint count,
                           const cl_device_id* devices,
                           void(CL_CALLBACK* notify)(const char*, const void*, size_t, void*), void* user,
                           cl_int* code) {
  cl_context made;
  (void)properties;
  (void)count;
  (void)devices;
  (void)notify;
  (void)user;
  if (fails("clCreateContext")) return fail(code);
  made = calloc(1, sizeof *made);
  made->references = 1;
  return good(code, made);
}

#define REFERENCES(Kind, type, end)     \
  cl_int clRetain##Kind(type object) {  \
    ++object->references;               \
    return CL_SUCCESS;                  \
  }                                     \
  cl_int clRelease##Kind(type object) { \
    if (--object->references == 0) {    \
      end;                              \
      free(object);                     \
    }                                   \
    return CL_SUCCESS;                  \
  }

REFERENCES(Context, cl_context, (void)0)
REFERENCES(CommandQueue, cl_command_queue, clReleaseContext(object->context))
REFERENCES(Program, cl_program, free(object->text))
REFERENCES(Kernel, cl_kernel, (void)0)
REFERENCES(Event, cl_event, (void)0)

cl_int clRetainMemObject(cl_mem object) {
  ++object->references;
  return CL_SUCCESS;
}

cl_int clReleaseMemObject(cl_mem object) {
  if (--object->references > 0) return CL_SUCCESS;
  if (object->whole != NULL) {
    clReleaseMemObject(object->whole);
  } else {
    free(object->bytes);
  }
  clReleaseContext(object->context);
  free(object);
  return CL_SUCCESS;
}

cl_command_queue clCreateCommandQueue(cl_context of, cl_device_id id, cl_command_queue_properties properties,
                                      cl_int* code) {
  cl_command_queue made;
  (void)id;
  (void)properties;
  if (fails("clCreateCommandQueue")) return fail(code);
  made = calloc(1, sizeof *made);
  made->references = 1;
  made->context = of;
  clRetainContext(of);
  return good(code, made);
}

cl_int clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info what, size_t room, void* to,
                             size_t* needed) {
  switch (what) {
    case CL_QUEUE_CONTEXT:
      GIVE(cl_context, queue->context);
    case CL_QUEUE_DEVICE:
      GIVE(cl_device_id, &device);
    default:
      GIVE(cl_command_queue_properties, 0);
  }
}

cl_mem clCreateBuffer(cl_context of, cl_mem_flags flags, size_t size, void* host, cl_int* code) {
  cl_mem made;
  (void)host;
  if (fails("clCreateBuffer")) return fail(code);
  made = calloc(1, sizeof *made);
  made->references = 1;
  made->context = of;
  made->flags = flags;
  made->size = size;
  made->bytes = calloc(1, size);
  clRetainContext(of);
  return good(code, made);
}

cl_mem clCreateSubBuffer(cl_mem whole, cl_mem_flags flags, cl_buffer_create_type type, const void* info,
                         cl_int* code) {
  const cl_buffer_region* region = info;
  cl_mem made = calloc(1, sizeof *made);
  (void)type;
  made->references = 1;
  made->context = whole->context;
  made->flags = flags;
  made->size = region->size;
  made->bytes = whole->bytes + region->origin;
  made->whole = whole;
  clRetainMemObject(whole);
  clRetainContext(made->context);
  return good(code, made);
}

static size_t texel_bytes(const cl_image_format* format) {
  const size_t channels = format->image_channel_order == CL_RGBA ? 4 : 1;
  return channels *
         (format->image_channel_data_type == CL_FLOAT || format->image_channel_data_type == CL_SIGNED_INT32
              ? 4
          : format->image_channel_data_type == CL_HALF_FLOAT ? 2
                                                             : 1);
}

cl_mem clCreateImage(cl_context of, cl_mem_flags flags, const cl_image_format* format,
                     const cl_image_desc* desc, void* host, cl_int* code) {
  const size_t height = desc->image_height > 0 ? desc->image_height : 1;
  const size_t layers = desc->image_array_size > 0 ? desc->image_array_size : 1;
  cl_mem made;
  if (fails("clCreateImage")) return fail(code);
  made = clCreateBuffer(of, flags, texel_bytes(format) * desc->image_width * height * layers, host, code);
  made->is_image = 1;
  made->format = *format;
  made->desc = *desc;
  return made;
}

cl_int clGetSupportedImageFormats(cl_context of, cl_mem_flags flags, cl_mem_object_type type, cl_uint room,
                                  cl_image_format* formats, cl_uint* count) {
  static const cl_image_format known[] = {
      {CL_RGBA, CL_FLOAT}, {CL_RGBA, CL_HALF_FLOAT}, {CL_R, CL_FLOAT}, {CL_R, CL_HALF_FLOAT}};
  cl_uint i;
  (void)of;
  (void)flags;
  (void)type;
  if (count != NULL) *count = 4;
  for (i = 0; formats != NULL && i < room && i < 4; ++i) formats[i] = known[i];
  return CL_SUCCESS;
}

cl_int clGetMemObjectInfo(cl_mem memory, cl_mem_info what, size_t room, void* to, size_t* needed) {
  switch (what) {
    case CL_MEM_TYPE:
      GIVE(cl_mem_object_type, memory->is_image ? memory->desc.image_type : CL_MEM_OBJECT_BUFFER);
    case CL_MEM_FLAGS:
      GIVE(cl_mem_flags, memory->flags);
    case CL_MEM_SIZE:
      GIVE(size_t, memory->size);
    case CL_MEM_HOST_PTR:
      GIVE(void*, NULL);
    case CL_MEM_CONTEXT:
      GIVE(cl_context, memory->context);
    case CL_MEM_ASSOCIATED_MEMOBJECT:
      GIVE(cl_mem, memory->whole);
    default:
      return CL_INVALID_VALUE;
  }
}

cl_int clGetImageInfo(cl_mem image, cl_image_info what, size_t room, void* to, size_t* needed) {
  switch (what) {
    case CL_IMAGE_FORMAT:
      return give(&image->format, sizeof image->format, room, to, needed);
    case CL_IMAGE_WIDTH:
      GIVE(size_t, image->desc.image_width);
    case CL_IMAGE_HEIGHT:
      GIVE(size_t, image->desc.image_height);
    case CL_IMAGE_ARRAY_SIZE:
      GIVE(size_t, image->desc.image_array_size);
    default:
      return CL_INVALID_VALUE;
  }
}

static cl_program program_of(const char* text, size_t size) {
  cl_program made = calloc(1, sizeof *made);
  made->references = 1;
  made->text = calloc(1, size + 1);
  memcpy(made->text, text, size);
  return made;
}

cl_program clCreateProgramWithSource(cl_context of, cl_uint count, const char** texts, const size_t* lengths,
                                     cl_int* code) {
  (void)of;
  (void)count;
  return good(code, program_of(texts[0], lengths[0]));
}

cl_program clCreateProgramWithBinary(cl_context of, cl_uint count, const cl_device_id* devices,
                                     const size_t* lengths, const unsigned char** binaries, cl_int* each,
                                     cl_int* code) {
  (void)of;
  (void)count;
  (void)devices;
  if (each != NULL) each[0] = CL_SUCCESS;
  return good(code, program_of((const char*)binaries[0], lengths[0]));
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id* devices, const char* options,
                      void(CL_CALLBACK* notify)(cl_program, void*), void* user) {
  (void)program;
  (void)count;
  (void)devices;
  (void)options;
  (void)notify;
  (void)user;
  return fails("clBuildProgram") ? CL_BUILD_PROGRAM_FAILURE : CL_SUCCESS;
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id id, cl_program_build_info what, size_t room,
                             void* to, size_t* needed) {
  (void)program;
  (void)id;
  (void)what;
  return give_text("the log of the fake compiler", room, to, needed);
}

cl_int clGetProgramInfo(cl_program program, cl_program_info what, size_t room, void* to, size_t* needed) {
  const size_t size = strlen(program->text);
  if (what == CL_PROGRAM_NUM_DEVICES) GIVE(cl_uint, 1);
  if (what == CL_PROGRAM_DEVICES) GIVE(cl_device_id, &device);
  if (what == CL_PROGRAM_BINARY_SIZES) return give(&size, sizeof size, room, to, needed);
  if (to != NULL) memcpy(*(unsigned char**)to, program->text, size);
  return CL_SUCCESS;
}

/* How many arguments the text has: those of its first kernel function of that name. */
cl_kernel clCreateKernel(cl_program program, const char* name, cl_int* code) {
  const char* at = program->text;
  const size_t length = strlen(name);
  cl_kernel made;
  while (length > 0 && (at = strstr(at, name)) != NULL && at[length] != '(') at += length;
  if (length == 0 || at == NULL || fails("clCreateKernel")) return fail(code);
  made = calloc(1, sizeof *made);
  made->references = 1;
  made->arguments = 1;
  for (at += length; *at != ')'; ++at) made->arguments += *at == ',';
  return good(code, made);
}

cl_int clGetKernelInfo(cl_kernel kernel, cl_kernel_info what, size_t room, void* to, size_t* needed) {
  (void)what;
  GIVE(cl_uint, kernel->arguments);
}

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id id, cl_kernel_work_group_info what,
                                size_t room, void* to, size_t* needed) {
  (void)kernel;
  (void)id;
  if (what == CL_KERNEL_WORK_GROUP_SIZE) GIVE(size_t, 1024);
  GIVE(cl_ulong, 0);
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void* value) {
  if (index >= MAX_ARGUMENTS) return CL_INVALID_ARG_INDEX;
  kernel->memory[index] = NULL;
  /* An argument of a pointer's size is taken for memory; only the first and last are used. */
  if (size == sizeof(cl_mem)) memcpy(&kernel->memory[index], value, size);
  return CL_SUCCESS;
}

static cl_event make_event(void) {
  cl_event made = calloc(1, sizeof *made);
  made->references = 1;
  return made;
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint rank, const size_t* offset,
                              const size_t* global, const size_t* local, cl_uint count,
                              const cl_event* events, cl_event* event) {
  const cl_mem from = kernel->memory[0], to = kernel->memory[kernel->arguments - 1];
  (void)queue;
  (void)rank;
  (void)offset;
  (void)global;
  (void)local;
  (void)count;
  (void)events;
  if (fails("clEnqueueNDRangeKernel")) return CL_OUT_OF_RESOURCES;
  if (from != NULL && to != NULL)
    memmove(to->bytes, from->bytes, from->size < to->size ? from->size : to->size);
  if (event != NULL) *event = make_event();
  return CL_SUCCESS;
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem to, cl_bool blocks, size_t offset, size_t size,
                            const void* from, cl_uint count, const cl_event* events, cl_event* event) {
  (void)queue;
  (void)blocks;
  (void)count;
  (void)events;
  (void)event;
  if (offset > to->size || size > to->size - offset) return CL_INVALID_VALUE;
  memcpy(to->bytes + offset, from, size);
  return CL_SUCCESS;
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem from, cl_bool blocks, size_t offset, size_t size,
                           void* to, cl_uint count, const cl_event* events, cl_event* event) {
  (void)queue;
  (void)blocks;
  (void)count;
  (void)events;
  (void)event;
  if (fails("clEnqueueReadBuffer")) return CL_OUT_OF_RESOURCES;
  if (offset > from->size || size > from->size - offset) return CL_INVALID_VALUE;
  memcpy(to, from->bytes + offset, size);
  return CL_SUCCESS;
}

cl_int clEnqueueWriteImage(cl_command_queue queue, cl_mem to, cl_bool blocks, const size_t* origin,
                           const size_t* region, size_t row, size_t slice, const void* from, cl_uint count,
                           const cl_event* events, cl_event* event) {
  (void)origin;
  (void)region;
  (void)row;
  (void)slice;
  return clEnqueueWriteBuffer(queue, to, blocks, 0, to->size, from, count, events, event);
}

cl_int clEnqueueReadImage(cl_command_queue queue, cl_mem from, cl_bool blocks, const size_t* origin,
                          const size_t* region, size_t row, size_t slice, void* to, cl_uint count,
                          const cl_event* events, cl_event* event) {
  (void)origin;
  (void)region;
  (void)row;
  (void)slice;
  return clEnqueueReadBuffer(queue, from, blocks, 0, from->size, to, count, events, event);
}

cl_int clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint count, const cl_event* events,
                                   cl_event* event) {
  (void)queue;
  (void)count;
  (void)events;
  if (event != NULL) *event = make_event();
  return CL_SUCCESS;
}

cl_int clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint count, const cl_event* events,
                                    cl_event* event) {
  return clEnqueueMarkerWithWaitList(queue, count, events, event);
}

cl_int clGetEventInfo(cl_event event, cl_event_info what, size_t room, void* to, size_t* needed) {
  (void)event;
  (void)what;
  GIVE(cl_int, CL_COMPLETE);
}

cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info what, size_t room, void* to,
                               size_t* needed) {
  (void)event;
  (void)what;
  GIVE(cl_ulong, 0);
}

cl_int clSetEventCallback(cl_event event, cl_int type, void(CL_CALLBACK* notify)(cl_event, cl_int, void*),
                          void* user) {
  notify(event, type, user);
  return CL_SUCCESS;
}

cl_int clFlush(cl_command_queue queue) {
  (void)queue;
  return CL_SUCCESS;
}

cl_int clFinish(cl_command_queue queue) {
  (void)queue;
  return fails("clFinish") ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
}
