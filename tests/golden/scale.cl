__kernel __attribute__((reqd_work_group_size(8, 1, 1)))
void out_kernel(__global const float* restrict in, __global float* restrict out) {
  const int block0 = get_group_id(0);
  const int thread0 = get_local_id(0);
  const int a_0 = block0 * 32 + thread0 * 4;
  *(__global float4*)(out + a_0) = *(__global const float4*)(in + a_0) * (float4)(2.0f) + (float4)(1.0f);
}
