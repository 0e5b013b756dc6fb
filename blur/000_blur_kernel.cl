__kernel __attribute__((reqd_work_group_size(16, 4, 1)))
void blur_kernel(__global const float* restrict image, __global float* restrict blur) {
  const int block0 = get_group_id(0);
  const int block1 = get_group_id(1);
  const int thread0 = get_local_id(0);
  const int thread1 = get_local_id(1);
  const int a_0 = block1 * 2560 + thread1 * 640 + block0 * 64 + thread0 * 4;
  const int a_1 = block1 * 2552 + thread1 * 638 + block0 * 64 + thread0 * 4;
  if (block0 * 16 + thread0 < 159) {
    const float4 t_0 = *(__global const float4*)(image + a_0);
    const float2 t_1 = *(__global const float2*)(image + (a_0 + 4));
    vstore4((t_0 + (float4)(t_0.s123, t_1.s0) + (float4)(t_0.s23, t_1)) / (float4)(3.0f), 0, blur + a_1);
  } else {
    const float4 t_2 = *(__global const float4*)(image + a_0);
    blur[a_1] = (t_2.s0 + t_2.s1 + t_2.s2) / 3.0f;
    blur[a_1 + 1] = (t_2.s1 + t_2.s2 + t_2.s3) / 3.0f;
  }
}
