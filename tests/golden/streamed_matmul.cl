#if defined(__x86_64__) || defined(__aarch64__)
#define read_ahead(address, level) __builtin_prefetch(address, 0, level)
#else
#define read_ahead(address, level)
#endif

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void out_kernel(__global const float* restrict rhs, __constant float* restrict lhs, __global float* restrict out) {
  const int block0 = get_group_id(0);
  const int a_0 = block0 * 256;
  const int a_1 = block0 * 32;
  float16 product_0;
  float16 product_1;
  product_0 = (float16)(0.0f);
  product_1 = (float16)(0.0f);
  for (int product_1_r_0 = 0; product_1_r_0 < 128; ++product_1_r_0) {
    read_ahead(rhs + (product_1_r_0 * 16 + 2048), 3);
    const int a_2 = a_0 + product_1_r_0;
    const float16 t_0 = *(__global const float16*)(rhs + product_1_r_0 * 16);
    const float16 v_0 = (float16)(lhs[a_2]);
    product_0 = product_0 + v_0 * t_0;
    const float16 v_1 = (float16)(lhs[a_2 + 128]);
    product_1 = product_1 + v_1 * t_0;
  }
  *(__global float16*)(out + a_1) = product_0;
  ((__global float16*)(out + a_1))[1] = product_1;
}
