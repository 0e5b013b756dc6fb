__kernel __attribute__((reqd_work_group_size(4, 4, 1)))
void out_kernel(__global const float* restrict lhs, __global const float* restrict rhs, __global float* restrict out) {
  const int block0 = get_group_id(0);
  const int block1 = get_group_id(1);
  const int thread0 = get_local_id(0);
  const int thread1 = get_local_id(1);
  __local float lhs_in_product[128];
  __local float rhs_in_product[256] __attribute__((aligned(16)));
  const int a_0 = block1 * 192 + (thread1 >> 1) * 24 + (thread1 & 1) * 4 + thread0;
  const int a_1 = thread1 * 4 + thread0;
  const int a_2 = block0 * 16 + thread1 * 4 + thread0;
  const int a_3 = thread0 * 4;
  const int a_4 = thread1 * 16;
  const int a_5 = block1 * 256 + thread1 * 64 + block0 * 16 + thread0 * 4;
  float4 product_0;
  float4 product_1;
  product_0 = (float4)(0.0f);
  product_1 = (float4)(0.0f);
  for (int lhs_in_product_yo = 0; lhs_in_product_yo < 4; ++lhs_in_product_yo) {
    lhs_in_product[lhs_in_product_yo * 16 + a_1] = lhs[lhs_in_product_yo * 48 + a_0];
  }
  for (int rhs_in_product_yo = 0; rhs_in_product_yo < 8; ++rhs_in_product_yo) {
    rhs_in_product[rhs_in_product_yo * 16 + a_1] = rhs[rhs_in_product_yo * 32 + a_2];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int product_1_ko = 0; product_1_ko < 3; ++product_1_ko) {
    const bool a_6 = product_1_ko < 2;
    const int a_7 = product_1_ko * 8 + a_0;
    const int a_8 = product_1_ko * 256 + a_2;
    const int a_9 = product_1_ko & 1;
    const int a_10 = a_9 * 128 + a_3;
    const int a_11 = a_9 * 64 + a_4;
    const int a_12 = (product_1_ko + 1) & 1;
    const int a_13 = a_12 * 64 + a_1;
    const int a_14 = a_12 * 128 + a_1;
    float rhs_in_product_next[8];
    float lhs_in_product_next[4];
    if (a_6) {
      for (int lhs_in_product_yo = 0; lhs_in_product_yo < 4; ++lhs_in_product_yo) {
        lhs_in_product_next[lhs_in_product_yo] = lhs[lhs_in_product_yo * 48 + a_7 + 8];
      }
      for (int rhs_in_product_yo = 0; rhs_in_product_yo < 8; ++rhs_in_product_yo) {
        rhs_in_product_next[rhs_in_product_yo] = rhs[rhs_in_product_yo * 32 + a_8 + 256];
      }
    }
    for (int product_1_ki = 0; product_1_ki < 8; ++product_1_ki) {
      const int a_15 = a_11 + product_1_ki;
      const float4 t_0 = *(__local float4*)(rhs_in_product + (product_1_ki * 16 + a_10));
      const float4 v_0 = (float4)(lhs_in_product[a_15]);
      product_0 = product_0 + v_0 * t_0;
      const float4 v_1 = (float4)(lhs_in_product[a_15 + 8]);
      product_1 = product_1 + v_1 * t_0;
    }
    if (a_6) {
      for (int lhs_in_product_yo = 0; lhs_in_product_yo < 4; ++lhs_in_product_yo) {
        lhs_in_product[lhs_in_product_yo * 16 + a_13] = lhs_in_product_next[lhs_in_product_yo];
      }
      for (int rhs_in_product_yo = 0; rhs_in_product_yo < 8; ++rhs_in_product_yo) {
        rhs_in_product[rhs_in_product_yo * 16 + a_14] = rhs_in_product_next[rhs_in_product_yo];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  *(__global float4*)(out + a_5) = product_0;
  ((__global float4*)(out + a_5))[8] = product_1;
}
