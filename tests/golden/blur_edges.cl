__kernel __attribute__((reqd_work_group_size(4, 2, 1)))
void out_kernel(__global const float* restrict in, __global float* restrict out) {
  const int block0 = get_group_id(0);
  const int block1 = get_group_id(1);
  const int thread0 = get_local_id(0);
  const int thread1 = get_local_id(1);
  const int a_0 = block1 * 2 + thread1;
  const int a_1 = max(a_0 - 1, 0);
  const int a_2 = block1 * 40 + thread1 * 20 + block0 * 16 + thread0 * 4;
  const int a_3 = min(a_0 + 1, 12);
  const int a_4 = block0 * 16 + thread0 * 4;
  const int a_5 = max(a_4 - 1, 0);
  const int a_6 = min(a_4 + 4, 19);
  if (a_0 < 13) {
    if (block0 * 4 + thread0 < 5) {
      const float4 t_0 = *(__global const float4*)(in + (a_1 * 20 + block0 * 16 + thread0 * 4));
      const float4 t_1 = *(__global const float4*)(in + a_2);
      const float4 t_2 = *(__global const float4*)(in + (a_3 * 20 + block0 * 16 + thread0 * 4));
      *(__global float4*)(out + a_2) = ((float4)(0.0f) + (float4)(in[a_1 * 20 + a_5], t_0.s0, t_0.s1, t_0.s2) + t_0 + (float4)(t_0.s1, t_0.s2, t_0.s3, in[a_1 * 20 + a_6]) + (float4)(in[block1 * 40 + thread1 * 20 + a_5], t_1.s0, t_1.s1, t_1.s2) + t_1 + (float4)(t_1.s1, t_1.s2, t_1.s3, in[block1 * 40 + thread1 * 20 + a_6]) + (float4)(in[a_3 * 20 + a_5], t_2.s0, t_2.s1, t_2.s2) + t_2 + (float4)(t_2.s1, t_2.s2, t_2.s3, in[a_3 * 20 + a_6])) * (float4)(0.11111111f);
    }
  }
}
