__kernel __attribute__((reqd_work_group_size(16, 6, 1)))
void out_kernel(__global const float* restrict in, __global float* restrict out) {
  const int block0 = get_group_id(0);
  const int block1 = get_group_id(1);
  const int thread0 = get_local_id(0);
  const int thread1 = get_local_id(1);
  __local float staged[108];
  const int a_0 = block1 * 136 + thread1 * 34 + block0 * 16 + thread0;
  const int a_1 = thread1 * 18 + thread0;
  staged[a_1] = in[a_0] * 0.25f;
  if (thread0 < 2) {
    staged[a_1 + 16] = in[a_0 + 16] * 0.25f;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (thread1 < 4) {
    out[block1 * 128 + thread1 * 32 + block0 * 16 + thread0] = staged[a_1] + staged[a_1 + 19] + staged[a_1 + 38];
  }
}
