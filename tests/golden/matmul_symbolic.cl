__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void out_kernel(__global const float* restrict rhs, __global const float* restrict lhs, __global float* restrict out, const int k, const int m, const int n) {
  const int block0 = get_group_id(0);
  const int block1 = get_group_id(1);
  const int a_0 = block1 * 2;
  const bool a_1 = a_0 + 1 < m;
  const int a_2 = block0 * 4;
  const bool a_3 = a_2 + 3 < n;
  const int a_4 = block1 * k * 2;
  const int a_5 = k * (a_0 + 1);
  const int a_6 = block0 * 4 + block1 * n * 2;
  const int a_7 = block0 * 4 + n * (a_0 + 1);
  const bool a_8 = a_0 < m;
  const int a_9 = (min(n - block0 * 4, 4) + 3) >> 2;
  const bool a_10 = a_2 < n;
  const bool a_11 = a_2 + 1 < n;
  const bool a_12 = a_2 + 2 < n;
  if (a_1 && a_3) {
    float4 product_0;
    float4 product_1;
    product_0 = (float4)(0.0f);
    product_1 = (float4)(0.0f);
    for (int product_1_r_0 = 0; product_1_r_0 < k; ++product_1_r_0) {
      const float4 t_0 = vload4(0, rhs + (a_2 + n * product_1_r_0));
      const float4 v_0 = (float4)(lhs[a_4 + product_1_r_0]);
      product_0 = product_0 + v_0 * t_0;
      const float4 v_1 = (float4)(lhs[a_5 + product_1_r_0]);
      product_1 = product_1 + v_1 * t_0;
    }
    vstore4(product_0, 0, out + a_6);
    vstore4(product_1, 0, out + a_7);
  } else {
    float product_2 = 0.0f;
    float product_3 = 0.0f;
    float product_4 = 0.0f;
    float product_5 = 0.0f;
    float product_6 = 0.0f;
    float product_7 = 0.0f;
    float product_8 = 0.0f;
    float product_9 = 0.0f;
    if (a_8) {
      for (int product_x_o = 0; product_x_o < a_9; ++product_x_o) {
        if (a_3) {
          product_2 = 0.0f;
          product_3 = 0.0f;
          product_4 = 0.0f;
          product_5 = 0.0f;
        } else {
          if (a_10) {
            product_2 = 0.0f;
          }
          if (a_11) {
            product_3 = 0.0f;
          }
          if (a_12) {
            product_4 = 0.0f;
          }
        }
      }
    }
    if (a_1) {
      for (int product_x_o = 0; product_x_o < a_9; ++product_x_o) {
        if (a_3) {
          product_6 = 0.0f;
          product_7 = 0.0f;
          product_8 = 0.0f;
          product_9 = 0.0f;
        } else {
          if (a_10) {
            product_6 = 0.0f;
          }
          if (a_11) {
            product_7 = 0.0f;
          }
          if (a_12) {
            product_8 = 0.0f;
          }
        }
      }
    }
    for (int product_1_r_0 = 0; product_1_r_0 < k; ++product_1_r_0) {
      const int a_13 = a_4 + product_1_r_0;
      const int a_14 = a_2 + n * product_1_r_0;
      const int a_15 = a_5 + product_1_r_0;
      if (a_8) {
        for (int product_1_x_o = 0; product_1_x_o < a_9; ++product_1_x_o) {
          if (a_3) {
            const float4 v_2 = (float4)(lhs[a_13]);
            const float4 product_value = (float4)(product_2, product_3, product_4, product_5) + v_2 * vload4(0, rhs + a_14);
            product_2 = product_value.s0;
            product_3 = product_value.s1;
            product_4 = product_value.s2;
            product_5 = product_value.s3;
          } else {
            if (a_10) {
              product_2 = product_2 + lhs[a_13] * rhs[a_14];
            }
            if (a_11) {
              product_3 = product_3 + lhs[a_13] * rhs[a_14 + 1];
            }
            if (a_12) {
              product_4 = product_4 + lhs[a_13] * rhs[a_14 + 2];
            }
          }
        }
      }
      if (a_1) {
        for (int product_1_x_o = 0; product_1_x_o < a_9; ++product_1_x_o) {
          if (a_3) {
            const float4 v_3 = (float4)(lhs[a_15]);
            const float4 product_value = (float4)(product_6, product_7, product_8, product_9) + v_3 * vload4(0, rhs + a_14);
            product_6 = product_value.s0;
            product_7 = product_value.s1;
            product_8 = product_value.s2;
            product_9 = product_value.s3;
          } else {
            if (a_10) {
              product_6 = product_6 + lhs[a_15] * rhs[a_14];
            }
            if (a_11) {
              product_7 = product_7 + lhs[a_15] * rhs[a_14 + 1];
            }
            if (a_12) {
              product_8 = product_8 + lhs[a_15] * rhs[a_14 + 2];
            }
          }
        }
      }
    }
    if (a_8) {
      if (a_3) {
        vstore4((float4)(product_2, product_3, product_4, product_5), 0, out + a_6);
      } else {
        if (a_10) {
          out[a_6] = product_2;
        }
        if (a_11) {
          out[a_6 + 1] = product_3;
        }
        if (a_12) {
          out[a_6 + 2] = product_4;
        }
      }
    }
    if (a_1) {
      if (a_3) {
        vstore4((float4)(product_6, product_7, product_8, product_9), 0, out + a_7);
      } else {
        if (a_10) {
          out[a_7] = product_6;
        }
        if (a_11) {
          out[a_7 + 1] = product_7;
        }
        if (a_12) {
          out[a_7 + 2] = product_8;
        }
      }
    }
  }
}
