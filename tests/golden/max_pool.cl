__kernel __attribute__((reqd_work_group_size(8, 4, 1)))
void out_kernel(__global float* restrict out) {
  const int block1 = get_group_id(1);
  const int block2 = get_group_id(2);
  const int thread0 = get_local_id(0);
  const int thread1 = get_local_id(1);
  if (block1 * 4 + thread1 < 6) {
    if (thread0 < 6) {
      out[block2 * 36 + block1 * 24 + thread1 * 6 + thread0] = -INFINITY;
    }
  }
}

__kernel __attribute__((reqd_work_group_size(8, 4, 1)))
void out_update0_kernel(__global const float* restrict in, __global float* restrict out) {
  const int block1 = get_group_id(1);
  const int block2 = get_group_id(2);
  const int thread0 = get_local_id(0);
  const int thread1 = get_local_id(1);
  if (block1 * 4 + thread1 < 6) {
    if (thread0 < 6) {
      for (int out_1_r_0 = 0; out_1_r_0 < 3; ++out_1_r_0) {
        for (int out_1_r_1 = 0; out_1_r_1 < 3; ++out_1_r_1) {
          out[block2 * 36 + block1 * 24 + thread1 * 6 + thread0] = fmax(out[block2 * 36 + block1 * 24 + thread1 * 6 + thread0], 1 <= block1 * 8 + thread1 * 2 + out_1_r_0 && block1 * 8 + thread1 * 2 + out_1_r_0 < 12 && 1 <= thread0 * 2 + out_1_r_1 && thread0 * 2 + out_1_r_1 < 12 ? in[block2 * 121 + block1 * 88 + thread1 * 22 + out_1_r_0 * 11 + thread0 * 2 + out_1_r_1 - 12] : -1e+30f);
        }
      }
    }
  }
}
