__kernel __attribute__((reqd_work_group_size(4, 2, 1)))
void out_kernel(__global const float* restrict in, __global float* restrict out) {
  const int block0 = get_group_id(0);
  const int block1 = get_group_id(1);
  const int thread0 = get_local_id(0);
  const int thread1 = get_local_id(1);
  if (block1 * 2 + thread1 < 13) {
    if (block0 * 4 + thread0 < 5) {
      const float s_0 = in[max(block1 * 2 + thread1 - 1, 0) * 20 + block0 * 16 + thread0 * 4 + 1];
      const float s_1 = in[max(block1 * 2 + thread1 - 1, 0) * 20 + block0 * 16 + thread0 * 4 + 2];
      const float s_2 = in[block1 * 40 + thread1 * 20 + block0 * 16 + thread0 * 4 + 1];
      const float s_3 = in[block1 * 40 + thread1 * 20 + block0 * 16 + thread0 * 4 + 2];
      const float s_4 = in[min(block1 * 2 + thread1 + 1, 12) * 20 + block0 * 16 + thread0 * 4 + 1];
      const float s_5 = in[min(block1 * 2 + thread1 + 1, 12) * 20 + block0 * 16 + thread0 * 4 + 2];
      vstore4(((float4)(0.0f) + (float4)(in[max(block1 * 2 + thread1 - 1, 0) * 20 + max(block0 * 16 + thread0 * 4 - 1, 0)], in[max(block1 * 2 + thread1 - 1, 0) * 20 + block0 * 16 + thread0 * 4], s_0, s_1) + vload4(0, in + (max(block1 * 2 + thread1 - 1, 0) * 20 + block0 * 16 + thread0 * 4)) + (float4)(s_0, s_1, in[max(block1 * 2 + thread1 - 1, 0) * 20 + block0 * 16 + thread0 * 4 + 3], in[max(block1 * 2 + thread1 - 1, 0) * 20 + min(block0 * 16 + thread0 * 4 + 4, 19)]) + (float4)(in[block1 * 40 + thread1 * 20 + max(block0 * 16 + thread0 * 4 - 1, 0)], in[block1 * 40 + thread1 * 20 + block0 * 16 + thread0 * 4], s_2, s_3) + vload4(0, in + (block1 * 40 + thread1 * 20 + block0 * 16 + thread0 * 4)) + (float4)(s_2, s_3, in[block1 * 40 + thread1 * 20 + block0 * 16 + thread0 * 4 + 3], in[block1 * 40 + thread1 * 20 + min(block0 * 16 + thread0 * 4 + 4, 19)]) + (float4)(in[min(block1 * 2 + thread1 + 1, 12) * 20 + max(block0 * 16 + thread0 * 4 - 1, 0)], in[min(block1 * 2 + thread1 + 1, 12) * 20 + block0 * 16 + thread0 * 4], s_4, s_5) + vload4(0, in + (min(block1 * 2 + thread1 + 1, 12) * 20 + block0 * 16 + thread0 * 4)) + (float4)(s_4, s_5, in[min(block1 * 2 + thread1 + 1, 12) * 20 + block0 * 16 + thread0 * 4 + 3], in[min(block1 * 2 + thread1 + 1, 12) * 20 + min(block0 * 16 + thread0 * 4 + 4, 19)])) * (float4)(0.11111111f), 0, out + (block1 * 40 + thread1 * 20 + block0 * 16 + thread0 * 4));
    }
  }
}
