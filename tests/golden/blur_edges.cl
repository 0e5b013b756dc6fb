__kernel __attribute__((reqd_work_group_size(4, 2, 1)))
void out_kernel(__global const float* restrict in, __global float* restrict out) {
  const int block0 = get_group_id(0);
  const int block1 = get_group_id(1);
  const int thread0 = get_local_id(0);
  const int thread1 = get_local_id(1);
  const int a_0 = block1 * 2 + thread1;
  const int a_1 = block0 * 16 + thread0 * 4;
  const int a_2 = max(a_1 - 1, 0);
  const int a_3 = max(a_0 - 1, 0);
  const int a_4 = a_3 * 20 + block0 * 16 + thread0 * 4;
  const int a_5 = min(a_1 + 4, 19);
  const int a_6 = block1 * 40 + thread1 * 20 + block0 * 16 + thread0 * 4;
  const int a_7 = min(a_0 + 1, 12);
  const int a_8 = a_7 * 20 + block0 * 16 + thread0 * 4;
  if (a_0 < 13) {
    if (block0 * 4 + thread0 < 5) {
      const float s_0 = in[a_4 + 1];
      const float s_1 = in[a_4 + 2];
      const float s_2 = in[a_6 + 1];
      const float s_3 = in[a_6 + 2];
      const float s_4 = in[a_8 + 1];
      const float s_5 = in[a_8 + 2];
      *(__global float4*)(out + a_6) = ((float4)(0.0f) + (float4)(in[a_3 * 20 + a_2], in[a_4], s_0, s_1) + *(__global const float4*)(in + a_4) + (float4)(s_0, s_1, in[a_4 + 3], in[a_3 * 20 + a_5]) + (float4)(in[block1 * 40 + thread1 * 20 + a_2], in[a_6], s_2, s_3) + *(__global const float4*)(in + a_6) + (float4)(s_2, s_3, in[a_6 + 3], in[block1 * 40 + thread1 * 20 + a_5]) + (float4)(in[a_7 * 20 + a_2], in[a_8], s_4, s_5) + *(__global const float4*)(in + a_8) + (float4)(s_4, s_5, in[a_8 + 3], in[a_7 * 20 + a_5])) * (float4)(0.11111111f);
    }
  }
}
