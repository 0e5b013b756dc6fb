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
  const int a_0 = block2 * 36 + block1 * 24 + thread1 * 6 + thread0;
  const int a_1 = 0 - block1 * 8 - thread1 * 2;
  const int a_2 = 0 - thread0 * 2;
  const int a_3 = max(a_2 + 1, 0);
  const int a_4 = min(a_2 + 12, 3);
  const int a_5 = block2 * 121 + block1 * 88 + thread1 * 22 + thread0 * 2;
  if (block1 * 4 + thread1 < 6) {
    if (thread0 < 6) {
      float out_acc_0;
      out_acc_0 = out[a_0];
      const int out_1_r_0_first0 = max(a_1 + 1, 0);
      const int out_1_r_0_end0 = min(a_1 + 12, 3);
      for (int out_1_r_0 = 0; out_1_r_0 < out_1_r_0_first0; ++out_1_r_0) {
        for (int out_1_r_1 = 0; out_1_r_1 < 3; ++out_1_r_1) {
          out_acc_0 = out_acc_0 < -1e+30f ? -1e+30f : out_acc_0;
        }
      }
      for (int out_1_r_0 = out_1_r_0_first0; out_1_r_0 < out_1_r_0_end0; ++out_1_r_0) {
        const int a_6 = out_1_r_0 * 11 + a_5;
        const int out_1_r_1_first1 = a_3;
        const int out_1_r_1_end1 = a_4;
        for (int out_1_r_1 = 0; out_1_r_1 < out_1_r_1_first1; ++out_1_r_1) {
          out_acc_0 = out_acc_0 < -1e+30f ? -1e+30f : out_acc_0;
        }
        for (int out_1_r_1 = out_1_r_1_first1; out_1_r_1 < out_1_r_1_end1; ++out_1_r_1) {
          const float s_0 = in[a_6 + out_1_r_1 - 12];
          out_acc_0 = out_acc_0 < s_0 || s_0 != s_0 ? s_0 : out_acc_0;
        }
        for (int out_1_r_1 = out_1_r_1_end1; out_1_r_1 < 3; ++out_1_r_1) {
          out_acc_0 = out_acc_0 < -1e+30f ? -1e+30f : out_acc_0;
        }
      }
      for (int out_1_r_0 = out_1_r_0_end0; out_1_r_0 < 3; ++out_1_r_0) {
        for (int out_1_r_1 = 0; out_1_r_1 < 3; ++out_1_r_1) {
          out_acc_0 = out_acc_0 < -1e+30f ? -1e+30f : out_acc_0;
        }
      }
      out[a_0] = out_acc_0;
    }
  }
}
