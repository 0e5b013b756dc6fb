// OpenCL's functions, from the library that OpenClLibrary found. A program that links this file does not link
// libOpenCL.
#include "backends/opencl/device/handle.h"
#include "backends/opencl/loader/opencl_library.h"

namespace {

using tensordsl::opencl::OpenClLibrary;

constexpr cl_int kNoPlatform = -1001;  // CL_PLATFORM_NOT_FOUND_KHR, as of a loader that finds no driver

/// The function of the library that `own` stands for, looked up once.
template <auto* own>
auto* real(const char* name) {
  static auto* const found = reinterpret_cast<decltype(own)>(OpenClLibrary::instance().function(name));
  return found;
}

}  // namespace

cl_int CL_API_CALL clGetPlatformIDs(cl_uint num_entries, cl_platform_id* platforms, cl_uint* num_platforms) {
  if (!OpenClLibrary::instance().is_there()) return kNoPlatform;
  return real<clGetPlatformIDs>("clGetPlatformIDs")(num_entries, platforms, num_platforms);
}

cl_int CL_API_CALL clBuildProgram(cl_program program, cl_uint num_devices, const cl_device_id* device_list,
                                  const char* options,
                                  void(CL_CALLBACK* pfn_notify)(cl_program program, void* user_data),
                                  void* user_data) {
  return real<clBuildProgram>("clBuildProgram")(program, num_devices, device_list, options, pfn_notify,
                                                user_data);
}

cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void* host_ptr,
                                  cl_int* errcode_ret) {
  return real<clCreateBuffer>("clCreateBuffer")(context, flags, size, host_ptr, errcode_ret);
}

cl_command_queue CL_API_CALL clCreateCommandQueue(cl_context context, cl_device_id device,
                                                  cl_command_queue_properties properties,
                                                  cl_int* errcode_ret) {
  return real<clCreateCommandQueue>("clCreateCommandQueue")(context, device, properties, errcode_ret);
}

cl_context CL_API_CALL clCreateContext(
    const cl_context_properties* properties, cl_uint num_devices, const cl_device_id* devices,
    void(CL_CALLBACK* pfn_notify)(const char* errinfo, const void* private_info, size_t cb, void* user_data),
    void* user_data, cl_int* errcode_ret) {
  return real<clCreateContext>("clCreateContext")(properties, num_devices, devices, pfn_notify, user_data,
                                                  errcode_ret);
}

cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags flags, const cl_image_format* image_format,
                                 const cl_image_desc* image_desc, void* host_ptr, cl_int* errcode_ret) {
  return real<clCreateImage>("clCreateImage")(context, flags, image_format, image_desc, host_ptr,
                                              errcode_ret);
}

cl_kernel CL_API_CALL clCreateKernel(cl_program program, const char* kernel_name, cl_int* errcode_ret) {
  return real<clCreateKernel>("clCreateKernel")(program, kernel_name, errcode_ret);
}

cl_program CL_API_CALL clCreateProgramWithBinary(cl_context context, cl_uint num_devices,
                                                 const cl_device_id* device_list, const size_t* lengths,
                                                 const unsigned char** binaries, cl_int* binary_status,
                                                 cl_int* errcode_ret) {
  return real<clCreateProgramWithBinary>("clCreateProgramWithBinary")(
      context, num_devices, device_list, lengths, binaries, binary_status, errcode_ret);
}

cl_program CL_API_CALL clCreateProgramWithSource(cl_context context, cl_uint count, const char** strings,
                                                 const size_t* lengths, cl_int* errcode_ret) {
  return real<clCreateProgramWithSource>("clCreateProgramWithSource")(context, count, strings, lengths,
                                                                      errcode_ret);
}

cl_mem CL_API_CALL clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags,
                                     cl_buffer_create_type buffer_create_type, const void* buffer_create_info,
                                     cl_int* errcode_ret) {
  return real<clCreateSubBuffer>("clCreateSubBuffer")(buffer, flags, buffer_create_type, buffer_create_info,
                                                      errcode_ret);
}

cl_int CL_API_CALL clEnqueueBarrierWithWaitList(cl_command_queue command_queue,
                                                cl_uint num_events_in_wait_list,
                                                const cl_event* event_wait_list, cl_event* event) {
  return real<clEnqueueBarrierWithWaitList>("clEnqueueBarrierWithWaitList")(
      command_queue, num_events_in_wait_list, event_wait_list, event);
}

cl_int CL_API_CALL clEnqueueMarkerWithWaitList(cl_command_queue command_queue,
                                               cl_uint num_events_in_wait_list,
                                               const cl_event* event_wait_list, cl_event* event) {
  return real<clEnqueueMarkerWithWaitList>("clEnqueueMarkerWithWaitList")(
      command_queue, num_events_in_wait_list, event_wait_list, event);
}

cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
                                          const size_t* global_work_offset, const size_t* global_work_size,
                                          const size_t* local_work_size, cl_uint num_events_in_wait_list,
                                          const cl_event* event_wait_list, cl_event* event) {
  return real<clEnqueueNDRangeKernel>("clEnqueueNDRangeKernel")(
      command_queue, kernel, work_dim, global_work_offset, global_work_size, local_work_size,
      num_events_in_wait_list, event_wait_list, event);
}

cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_read,
                                       size_t offset, size_t size, void* ptr, cl_uint num_events_in_wait_list,
                                       const cl_event* event_wait_list, cl_event* event) {
  return real<clEnqueueReadBuffer>("clEnqueueReadBuffer")(command_queue, buffer, blocking_read, offset, size,
                                                          ptr, num_events_in_wait_list, event_wait_list,
                                                          event);
}

cl_int CL_API_CALL clEnqueueReadImage(cl_command_queue command_queue, cl_mem image, cl_bool blocking_read,
                                      const size_t* origin, const size_t* region, size_t row_pitch,
                                      size_t slice_pitch, void* ptr, cl_uint num_events_in_wait_list,
                                      const cl_event* event_wait_list, cl_event* event) {
  return real<clEnqueueReadImage>("clEnqueueReadImage")(command_queue, image, blocking_read, origin, region,
                                                        row_pitch, slice_pitch, ptr, num_events_in_wait_list,
                                                        event_wait_list, event);
}

cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_write,
                                        size_t offset, size_t size, const void* ptr,
                                        cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                                        cl_event* event) {
  return real<clEnqueueWriteBuffer>("clEnqueueWriteBuffer")(command_queue, buffer, blocking_write, offset,
                                                            size, ptr, num_events_in_wait_list,
                                                            event_wait_list, event);
}

cl_int CL_API_CALL clEnqueueWriteImage(cl_command_queue command_queue, cl_mem image, cl_bool blocking_write,
                                       const size_t* origin, const size_t* region, size_t input_row_pitch,
                                       size_t input_slice_pitch, const void* ptr,
                                       cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                                       cl_event* event) {
  return real<clEnqueueWriteImage>("clEnqueueWriteImage")(command_queue, image, blocking_write, origin,
                                                          region, input_row_pitch, input_slice_pitch, ptr,
                                                          num_events_in_wait_list, event_wait_list, event);
}

cl_int CL_API_CALL clFinish(cl_command_queue command_queue) {
  return real<clFinish>("clFinish")(command_queue);
}

cl_int CL_API_CALL clFlush(cl_command_queue command_queue) { return real<clFlush>("clFlush")(command_queue); }

cl_int CL_API_CALL clGetCommandQueueInfo(cl_command_queue command_queue, cl_command_queue_info param_name,
                                         size_t param_value_size, void* param_value,
                                         size_t* param_value_size_ret) {
  return real<clGetCommandQueueInfo>("clGetCommandQueueInfo")(command_queue, param_name, param_value_size,
                                                              param_value, param_value_size_ret);
}

cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id platform, cl_device_type device_type, cl_uint num_entries,
                                  cl_device_id* devices, cl_uint* num_devices) {
  return real<clGetDeviceIDs>("clGetDeviceIDs")(platform, device_type, num_entries, devices, num_devices);
}

cl_int CL_API_CALL clGetDeviceInfo(cl_device_id device, cl_device_info param_name, size_t param_value_size,
                                   void* param_value, size_t* param_value_size_ret) {
  return real<clGetDeviceInfo>("clGetDeviceInfo")(device, param_name, param_value_size, param_value,
                                                  param_value_size_ret);
}

cl_int CL_API_CALL clGetEventInfo(cl_event event, cl_event_info param_name, size_t param_value_size,
                                  void* param_value, size_t* param_value_size_ret) {
  return real<clGetEventInfo>("clGetEventInfo")(event, param_name, param_value_size, param_value,
                                                param_value_size_ret);
}

cl_int CL_API_CALL clGetEventProfilingInfo(cl_event event, cl_profiling_info param_name,
                                           size_t param_value_size, void* param_value,
                                           size_t* param_value_size_ret) {
  return real<clGetEventProfilingInfo>("clGetEventProfilingInfo")(event, param_name, param_value_size,
                                                                  param_value, param_value_size_ret);
}

void* CL_API_CALL clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char* func_name) {
  return real<clGetExtensionFunctionAddressForPlatform>("clGetExtensionFunctionAddressForPlatform")(
      platform, func_name);
}

cl_int CL_API_CALL clGetImageInfo(cl_mem image, cl_image_info param_name, size_t param_value_size,
                                  void* param_value, size_t* param_value_size_ret) {
  return real<clGetImageInfo>("clGetImageInfo")(image, param_name, param_value_size, param_value,
                                                param_value_size_ret);
}

cl_int CL_API_CALL clGetKernelInfo(cl_kernel kernel, cl_kernel_info param_name, size_t param_value_size,
                                   void* param_value, size_t* param_value_size_ret) {
  return real<clGetKernelInfo>("clGetKernelInfo")(kernel, param_name, param_value_size, param_value,
                                                  param_value_size_ret);
}

cl_int CL_API_CALL clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                            cl_kernel_work_group_info param_name, size_t param_value_size,
                                            void* param_value, size_t* param_value_size_ret) {
  return real<clGetKernelWorkGroupInfo>("clGetKernelWorkGroupInfo")(
      kernel, device, param_name, param_value_size, param_value, param_value_size_ret);
}

cl_int CL_API_CALL clGetMemObjectInfo(cl_mem memobj, cl_mem_info param_name, size_t param_value_size,
                                      void* param_value, size_t* param_value_size_ret) {
  return real<clGetMemObjectInfo>("clGetMemObjectInfo")(memobj, param_name, param_value_size, param_value,
                                                        param_value_size_ret);
}

cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info param_name,
                                     size_t param_value_size, void* param_value,
                                     size_t* param_value_size_ret) {
  return real<clGetPlatformInfo>("clGetPlatformInfo")(platform, param_name, param_value_size, param_value,
                                                      param_value_size_ret);
}

cl_int CL_API_CALL clGetProgramBuildInfo(cl_program program, cl_device_id device,
                                         cl_program_build_info param_name, size_t param_value_size,
                                         void* param_value, size_t* param_value_size_ret) {
  return real<clGetProgramBuildInfo>("clGetProgramBuildInfo")(program, device, param_name, param_value_size,
                                                              param_value, param_value_size_ret);
}

cl_int CL_API_CALL clGetProgramInfo(cl_program program, cl_program_info param_name, size_t param_value_size,
                                    void* param_value, size_t* param_value_size_ret) {
  return real<clGetProgramInfo>("clGetProgramInfo")(program, param_name, param_value_size, param_value,
                                                    param_value_size_ret);
}

cl_int CL_API_CALL clGetSupportedImageFormats(cl_context context, cl_mem_flags flags,
                                              cl_mem_object_type image_type, cl_uint num_entries,
                                              cl_image_format* image_formats, cl_uint* num_image_formats) {
  return real<clGetSupportedImageFormats>("clGetSupportedImageFormats")(
      context, flags, image_type, num_entries, image_formats, num_image_formats);
}

cl_int CL_API_CALL clReleaseCommandQueue(cl_command_queue command_queue) {
  return real<clReleaseCommandQueue>("clReleaseCommandQueue")(command_queue);
}

cl_int CL_API_CALL clReleaseContext(cl_context context) {
  return real<clReleaseContext>("clReleaseContext")(context);
}

cl_int CL_API_CALL clReleaseEvent(cl_event event) { return real<clReleaseEvent>("clReleaseEvent")(event); }

cl_int CL_API_CALL clReleaseKernel(cl_kernel kernel) {
  return real<clReleaseKernel>("clReleaseKernel")(kernel);
}

cl_int CL_API_CALL clReleaseMemObject(cl_mem memobj) {
  return real<clReleaseMemObject>("clReleaseMemObject")(memobj);
}

cl_int CL_API_CALL clReleaseProgram(cl_program program) {
  return real<clReleaseProgram>("clReleaseProgram")(program);
}

cl_int CL_API_CALL clRetainCommandQueue(cl_command_queue command_queue) {
  return real<clRetainCommandQueue>("clRetainCommandQueue")(command_queue);
}

cl_int CL_API_CALL clRetainContext(cl_context context) {
  return real<clRetainContext>("clRetainContext")(context);
}

cl_int CL_API_CALL clRetainEvent(cl_event event) { return real<clRetainEvent>("clRetainEvent")(event); }

cl_int CL_API_CALL clRetainKernel(cl_kernel kernel) { return real<clRetainKernel>("clRetainKernel")(kernel); }

cl_int CL_API_CALL clRetainMemObject(cl_mem memobj) {
  return real<clRetainMemObject>("clRetainMemObject")(memobj);
}

cl_int CL_API_CALL clRetainProgram(cl_program program) {
  return real<clRetainProgram>("clRetainProgram")(program);
}

cl_int CL_API_CALL clSetEventCallback(cl_event event, cl_int command_exec_callback_type,
                                      void(CL_CALLBACK* pfn_notify)(cl_event event,
                                                                    cl_int event_command_status,
                                                                    void* user_data),
                                      void* user_data) {
  return real<clSetEventCallback>("clSetEventCallback")(event, command_exec_callback_type, pfn_notify,
                                                        user_data);
}

cl_int CL_API_CALL clSetKernelArg(cl_kernel kernel, cl_uint arg_index, size_t arg_size,
                                  const void* arg_value) {
  return real<clSetKernelArg>("clSetKernelArg")(kernel, arg_index, arg_size, arg_value);
}
