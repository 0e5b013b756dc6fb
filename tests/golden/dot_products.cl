#if defined(cl_arm_integer_dot_product_int8)
#pragma OPENCL EXTENSION cl_arm_integer_dot_product_int8 : enable
#endif
#if defined(cl_arm_integer_dot_product_accumulate_int8)
#pragma OPENCL EXTENSION cl_arm_integer_dot_product_accumulate_int8 : enable
#endif
int dot_product_ui(uchar4 a, char4 b, int c) {
#if defined(__opencl_c_integer_dot_product_input_4x8bit)
  return c + (int)dot(a, b);
#elif defined(__opencl_c_integer_dot_product_input_4x8bit_packed)
  return c + (int)dot_4x8packed_us_int(as_uint(a), as_uint(b));
#elif defined(cl_arm_integer_dot_product_int8)
  const char4 lower = as_char4(as_uint(a) ^ 0x80808080u);
  return c + arm_dot(lower, b) - arm_dot((char4)(-128), b);
#else
  return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
#endif
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void out_kernel(__constant uchar* restrict lhs, __constant char* restrict rhs, __global int* restrict out) {
  const int block0 = get_group_id(0);
  const int a_0 = block0 * 32;
  int sum_0;
  int sum_1;
  int sum_2;
  int sum_3;
  int sum_4;
  int sum_5;
  int sum_6;
  int sum_7;
  sum_0 = 0;
  sum_1 = 0;
  sum_2 = 0;
  sum_3 = 0;
  sum_4 = 0;
  sum_5 = 0;
  sum_6 = 0;
  sum_7 = 0;
  for (int sum_1_ro = 0; sum_1_ro < 8; ++sum_1_ro) {
    const int a_1 = sum_1_ro * 4;
    const uchar4 t_0 = *(__constant uchar4*)(lhs + (sum_1_ro * 4 + a_0));
    sum_0 = dot_product_ui(t_0, *(__constant char4*)(rhs + a_1), sum_0);
    sum_1 = dot_product_ui(t_0, *(__constant char4*)(rhs + (a_1 + 32)), sum_1);
    sum_2 = dot_product_ui(t_0, *(__constant char4*)(rhs + (a_1 + 64)), sum_2);
    sum_3 = dot_product_ui(t_0, *(__constant char4*)(rhs + (a_1 + 96)), sum_3);
    sum_4 = dot_product_ui(t_0, *(__constant char4*)(rhs + (a_1 + 128)), sum_4);
    sum_5 = dot_product_ui(t_0, *(__constant char4*)(rhs + (a_1 + 160)), sum_5);
    sum_6 = dot_product_ui(t_0, *(__constant char4*)(rhs + (a_1 + 192)), sum_6);
    sum_7 = dot_product_ui(t_0, *(__constant char4*)(rhs + (a_1 + 224)), sum_7);
  }
  *(__global int8*)(out + block0 * 8) = (int8)(sum_0, sum_1, sum_2, sum_3, sum_4, sum_5, sum_6, sum_7);
}
