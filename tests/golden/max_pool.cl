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
  const int a_0 = 0 - thread0 * 2;
  const int a_1 = max(a_0 + 1, 0);
  const int a_2 = min(a_0 + 12, 3);
  const int a_3 = block2 * 36 + block1 * 24 + thread1 * 6 + thread0;
  const int a_4 = block1 * 8 + thread1 * 2;
  const bool a_5 = 1 <= thread0;
  const int a_6 = block2 * 121 + block1 * 88 + thread1 * 22 + thread0 * 2;
  const bool a_7 = thread0 < 5;
  if (block1 * 4 + thread1 < 6) {
    if (thread0 < 6) {
      for (int out_1_r_0 = 0; out_1_r_0 < 3; ++out_1_r_0) {
        const int a_8 = a_4 + out_1_r_0;
        const bool a_9 = 1 <= a_8 && a_8 < 12;
        const bool a_10 = a_9 && a_5;
        const int a_11 = out_1_r_0 * 11 + a_6;
        const bool a_12 = a_9 && a_7;
        const int out_1_r_1_first0 = a_1;
        const int out_1_r_1_end0 = a_2;
        for (int out_1_r_1 = 0; out_1_r_1 < out_1_r_1_first0; ++out_1_r_1) {
          out[a_3] = fmax(out[a_3], a_10 ? in[a_11 - 12] : -1e+30f);
        }
        for (int out_1_r_1 = out_1_r_1_first0; out_1_r_1 < out_1_r_1_end0; ++out_1_r_1) {
          out[a_3] = fmax(out[a_3], a_9 ? in[a_11 + out_1_r_1 - 12] : -1e+30f);
        }
        for (int out_1_r_1 = out_1_r_1_end0; out_1_r_1 < 3; ++out_1_r_1) {
          out[a_3] = fmax(out[a_3], a_12 ? in[a_11 - 10] : -1e+30f);
        }
      }
    }
  }
}
