__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void product_kernel(__global float* restrict product) {
  const int block0 = get_group_id(0);
  product[block0] = 0.0f;
}

#ifdef cl_khr_subgroups
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#endif
#if defined(cl_intel_required_subgroup_size)
__attribute__((intel_reqd_sub_group_size(32)))
#elif defined(cl_qcom_reqd_sub_group_size)
#pragma OPENCL EXTENSION cl_qcom_reqd_sub_group_size : enable
__attribute__((qcom_reqd_sub_group_size("half")))
#endif
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void product_update0_kernel(__global const float* restrict matrix, __global const float* restrict vector, __global float* restrict product) {
  const int block0 = get_group_id(0);
  const int thread0 = get_local_id(0);
  const int a_0 = block0 * 100 + thread0;
  float product_by_lane_0;
  product_by_lane_0 = 0.0f;
  for (int product_by_lane_1_step = 0; product_by_lane_1_step < 3; ++product_by_lane_1_step) {
    product_by_lane_0 = product_by_lane_0 + matrix[product_by_lane_1_step * 32 + a_0] * vector[product_by_lane_1_step * 32 + thread0];
  }
  if (thread0 < 4) {
    product_by_lane_0 = product_by_lane_0 + matrix[a_0 + 96] * vector[thread0 + 96];
  }
  float product_1_lanes_0;
  product_1_lanes_0 = sub_group_reduce_add(product_by_lane_0);
  if (thread0 == 0) {
    product[block0] = product[block0] + product_1_lanes_0;
  }
}
