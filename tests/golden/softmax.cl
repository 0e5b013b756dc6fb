__kernel __attribute__((reqd_work_group_size(4, 1, 1)))
void highest_kernel(__global float* restrict highest) {
  const int block0 = get_group_id(0);
  const int thread0 = get_local_id(0);
  const int a_0 = block0 * 4 + thread0;
  if (a_0 < 5) {
    highest[a_0] = -INFINITY;
  }
}

__kernel __attribute__((reqd_work_group_size(4, 1, 1)))
void highest_update0_kernel(__global const float* restrict in, __global float* restrict highest) {
  const int block0 = get_group_id(0);
  const int thread0 = get_local_id(0);
  const int a_0 = block0 * 4 + thread0;
  const int a_1 = block0 * 148 + thread0 * 37;
  if (a_0 < 5) {
    float highest_acc_0;
    highest_acc_0 = highest[a_0];
    for (int highest_1_r_0 = 0; highest_1_r_0 < 37; ++highest_1_r_0) {
      const float s_0 = in[a_1 + highest_1_r_0];
      highest_acc_0 = highest_acc_0 < s_0 || s_0 != s_0 ? s_0 : highest_acc_0;
    }
    highest[a_0] = highest_acc_0;
  }
}

__kernel __attribute__((reqd_work_group_size(4, 1, 1)))
void sum_kernel(__global float* restrict sum) {
  const int block0 = get_group_id(0);
  const int thread0 = get_local_id(0);
  const int a_0 = block0 * 4 + thread0;
  if (a_0 < 5) {
    sum[a_0] = 0.0f;
  }
}

__kernel __attribute__((reqd_work_group_size(4, 1, 1)))
void sum_update0_kernel(__global const float* restrict in, __global const float* restrict highest, __global float* restrict sum) {
  const int block0 = get_group_id(0);
  const int thread0 = get_local_id(0);
  const int a_0 = block0 * 4 + thread0;
  const int a_1 = block0 * 148 + thread0 * 37;
  if (a_0 < 5) {
    float sum_acc_0;
    sum_acc_0 = sum[a_0];
    for (int sum_1_r_0 = 0; sum_1_r_0 < 37; ++sum_1_r_0) {
      sum_acc_0 = sum_acc_0 + exp(in[a_1 + sum_1_r_0] - highest[a_0]);
    }
    sum[a_0] = sum_acc_0;
  }
}

__kernel __attribute__((reqd_work_group_size(16, 1, 1)))
void out_kernel(__global const float* restrict in, __global const float* restrict highest, __global const float* restrict sum, __global float* restrict out) {
  const int block0 = get_group_id(0);
  const int block1 = get_group_id(1);
  const int thread0 = get_local_id(0);
  const int a_0 = block1 * 37 + block0 * 16 + thread0;
  if (block0 * 16 + thread0 < 37) {
    out[a_0] = exp(in[a_0] - highest[block1]) / sum[block1];
  }
}
