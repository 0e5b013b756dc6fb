// Everything a kernel author needs.
#pragma once

#include "tensordsl/boundary.h"
#include "tensordsl/buffer.h"
#include "tensordsl/device.h"
#include "tensordsl/error.h"
#include "tensordsl/expr.h"
#include "tensordsl/func.h"
#include "tensordsl/half.h"
#include "tensordsl/image.h"
#include "tensordsl/kernel_source.h"
#include "tensordsl/layout.h"
#include "tensordsl/memory_scope.h"
#include "tensordsl/param_value.h"
#include "tensordsl/pipeline.h"
#include "tensordsl/stage.h"
#include "tensordsl/type.h"
#include "tensordsl/var.h"
