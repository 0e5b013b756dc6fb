__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void cast_cast_kernel(__global const float* restrict x0, __global int* restrict cast_cast) {
  const int thread0 = get_local_id(0);
  const int a_0 = thread0 * 2;
  if (thread0 < 3) {
    *(__global int2*)(cast_cast + a_0) = convert_int2((*(__global const float2*)(x0 + a_0) != (float2)(0.0f)) & 1);
  }
}
