__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void softmax_kernel(__global const float* restrict x0, __global float* restrict softmax) {
  const int thread0 = get_local_id(0);
  const int a_0 = (thread0 >> 2) * 24 + (thread0 & 3);
  if (thread0 < 24) {
    float softmax_max_0;
    softmax_max_0 = -INFINITY;
    for (int softmax_max_1_r_0 = 0; softmax_max_1_r_0 < 6; ++softmax_max_1_r_0) {
      softmax_max_0 = fmax(softmax_max_0, x0[softmax_max_1_r_0 * 4 + a_0]);
    }
    float softmax_sum_0;
    softmax_sum_0 = 0.0f;
    for (int softmax_sum_1_r_0 = 0; softmax_sum_1_r_0 < 6; ++softmax_sum_1_r_0) {
      softmax_sum_0 = softmax_sum_0 + exp(x0[softmax_sum_1_r_0 * 4 + a_0] - softmax_max_0);
    }
    for (int softmax_d3 = 0; softmax_d3 < 6; ++softmax_d3) {
      const int a_1 = softmax_d3 * 4 + a_0;
      softmax[a_1] = exp(x0[a_1] - softmax_max_0) / softmax_sum_0;
    }
  }
}
