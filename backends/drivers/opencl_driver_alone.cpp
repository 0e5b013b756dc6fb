// The drivers of the tool for phones (TENSORDSL_TOOL_ON_DEVICE), in place of bundled_drivers.cpp.
#include "backends/drivers/bundled_drivers.h"
#include "backends/opencl/device/opencl_driver.h"

namespace tensordsl {

runtime::Drivers bundled_drivers() { return {std::make_shared<opencl::OpenClDriver>()}; }

}  // namespace tensordsl
