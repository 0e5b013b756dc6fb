/* Builds OpenCL C files on the first device that there is, and prints what became of each:
 *   compile_kernels LIST
 * LIST has a line for each file: its path, a tab, the build options. The compilers of Mesa print machine code to
 * standard error while they build; that, and these lines, come out in their order:
 *   @file PATH
 *   @kernel NAME PRIVATE_BYTES      one for each kernel that was built
 *   @log TEXT                       the lines of the build log, if the file was refused
 *   @done STATUS CPU_SECONDS
 * C99, as it is compiled for the system whose drivers run in an emulator (scripts/mobile-compilers). */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static cl_device_id first_device(void) {
  cl_platform_id platforms[8];
  cl_uint count = 0;
  clGetPlatformIDs(8, platforms, &count);
  for (cl_uint i = 0; i < count && i < 8; ++i) {
    cl_device_id device = NULL;
    cl_uint devices = 0;
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, &devices) == CL_SUCCESS && devices > 0) return device;
  }
  return NULL;
}

static char* text_of(const char* path, size_t* size) {
  FILE* file = fopen(path, "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  char* text = malloc(*size + 1);
  if (text) *size = fread(text, 1, *size, file);
  fclose(file);
  return text;
}

static void print_log(cl_program program, cl_device_id device) {
  size_t size = 0;
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
  char* log = calloc(1, size + 1);
  if (!log) return;
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
  for (char* line = strtok(log, "\n"); line; line = strtok(NULL, "\n")) printf("@log %s\n", line);
  free(log);
}

static void print_kernels(cl_program program, cl_device_id device) {
  cl_kernel kernels[64];
  cl_uint count = 0;
  if (clCreateKernelsInProgram(program, 64, kernels, &count) != CL_SUCCESS) return;
  for (cl_uint i = 0; i < count; ++i) {
    char name[512] = "";
    cl_ulong bytes = 0;
    clGetKernelInfo(kernels[i], CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
    clGetKernelWorkGroupInfo(kernels[i], device, CL_KERNEL_PRIVATE_MEM_SIZE, sizeof bytes, &bytes, NULL);
    printf("@kernel %s %lu\n", name, (unsigned long)bytes);
    clReleaseKernel(kernels[i]);
  }
}

static void build(cl_context context, cl_device_id device, const char* path, const char* options) {
  size_t size = 0;
  cl_int status = CL_INVALID_VALUE;
  char* text = text_of(path, &size);
  printf("@file %s\n", path);
  const double begin = cpu_seconds();
  if (text) {
    cl_program program = clCreateProgramWithSource(context, 1, (const char**)&text, &size, &status);
    if (status == CL_SUCCESS) {
      status = clBuildProgram(program, 1, &device, options, NULL, NULL);
      if (status == CL_SUCCESS)
        print_kernels(program, device);
      else
        print_log(program, device);
      clReleaseProgram(program);
    }
  }
  printf("@done %d %.3f\n", (int)status, cpu_seconds() - begin);
  free(text);
}

int main(int argc, char** argv) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  dup2(STDOUT_FILENO, STDERR_FILENO);
  FILE* list = argc == 2 ? fopen(argv[1], "r") : NULL;
  cl_device_id device = first_device();
  if (!list || !device) {
    printf("@log %s\n", list ? "there is no OpenCL device" : "usage: compile_kernels LIST");
    return 1;
  }
  cl_int status = CL_SUCCESS;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  char line[8192];
  while (status == CL_SUCCESS && fgets(line, sizeof line, list)) {
    line[strcspn(line, "\n")] = '\0';
    char* options = strchr(line, '\t');
    if (options) *options++ = '\0';
    build(context, device, line, options ? options : "");
  }
  fclose(list);
  return status == CL_SUCCESS ? 0 : 1;
}
