__constant sampler_t image_sampler = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

__kernel __attribute__((reqd_work_group_size(5, 3, 1)))
void out_kernel(__read_only image2d_array_t in, __read_only image2d_t weights, __write_only image2d_array_t out) {
  const int block1 = get_group_id(1);
  const int block2 = get_group_id(2);
  const int thread0 = get_local_id(0);
  const int thread1 = get_local_id(1);
  const int a_0 = block1 * 3 + thread1;
  const int a_1 = thread0 * 2;
  const int a_2 = block2 * 9;
  float4 conv_0;
  float4 conv_1;
  conv_0 = (float4)(0.0f);
  conv_1 = (float4)(0.0f);
  for (int conv_1_r_0 = 0; conv_1_r_0 < 3; ++conv_1_r_0) {
    const int a_3 = a_0 + conv_1_r_0;
    const int a_4 = conv_1_r_0 * 3 + a_2;
    for (int conv_1_r_1 = 0; conv_1_r_1 < 3; ++conv_1_r_1) {
      const int a_5 = a_1 + conv_1_r_1;
      const int a_6 = a_4 + conv_1_r_1;
      for (int conv_1_ro = 0; conv_1_ro < 2; ++conv_1_ro) {
        const int a_7 = conv_1_ro * 4;
        const float4 t_0 = read_imagef(in, image_sampler, (int4)(a_5 - 1, a_3 - 1, conv_1_ro, 0));
        const float4 t_1 = read_imagef(weights, (int2)(a_6, a_7));
        conv_0 = conv_0 + t_0.s0 * t_1;
        const float4 t_2 = read_imagef(in, image_sampler, (int4)(a_5, a_3 - 1, conv_1_ro, 0));
        conv_1 = conv_1 + t_2.s0 * t_1;
        const float4 t_3 = read_imagef(weights, (int2)(a_6, a_7 + 1));
        conv_0 = conv_0 + t_0.s1 * t_3;
        conv_1 = conv_1 + t_2.s1 * t_3;
        const float4 t_4 = read_imagef(weights, (int2)(a_6, a_7 + 2));
        conv_0 = conv_0 + t_0.s2 * t_4;
        conv_1 = conv_1 + t_2.s2 * t_4;
        const float4 t_5 = read_imagef(weights, (int2)(a_6, a_7 + 3));
        conv_0 = conv_0 + t_0.s3 * t_5;
        conv_1 = conv_1 + t_2.s3 * t_5;
      }
    }
  }
  write_imagef(out, (int4)(a_1, a_0, block2, 0), fmax(conv_0, (float4)(0.0f)));
  write_imagef(out, (int4)(a_1 + 1, a_0, block2, 0), fmax(conv_1, (float4)(0.0f)));
}
