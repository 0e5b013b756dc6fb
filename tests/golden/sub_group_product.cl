#ifdef cl_khr_subgroups
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#endif
#if defined(cl_khr_subgroup_shuffle)
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
#elif defined(cl_intel_subgroups)
#define sub_group_shuffle intel_sub_group_shuffle
#endif
#if defined(cl_intel_required_subgroup_size)
__attribute__((intel_reqd_sub_group_size(16)))
#elif defined(cl_qcom_reqd_sub_group_size)
#pragma OPENCL EXTENSION cl_qcom_reqd_sub_group_size : enable
__attribute__((qcom_reqd_sub_group_size("half")))
#endif
__kernel __attribute__((reqd_work_group_size(16, 1, 1)))
void smooth_kernel(__global const float* restrict left, __global const float* restrict right, __global float* restrict smooth) {
  const int block0 = get_group_id(0);
  const int block1 = get_group_id(1);
  const int thread0 = get_local_id(0);
  const int a_0 = block1 * 48 + thread0;
  const int a_1 = block0 * 16 + thread0;
  float product_1;
  product_1 = 0.0f;
  for (int product_1_ko = 0; product_1_ko < 3; ++product_1_ko) {
    const int a_2 = product_1_ko * 1024 + a_1;
    float row_1;
    row_1 = left[product_1_ko * 16 + a_0];
    for (int product_1_ki = 0; product_1_ki < 16; ++product_1_ki) {
      float row_0_0;
      row_0_0 = sub_group_broadcast(row_1, product_1_ki);
      product_1 = product_1 + row_0_0 * right[product_1_ki * 64 + a_2];
    }
  }
  float product_0_0;
  product_0_0 = sub_group_shuffle(product_1, (thread0 >> 1) * 2);
  smooth[block1 * 64 + block0 * 16 + thread0] = product_1 + product_0_0;
}
