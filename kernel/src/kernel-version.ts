/** The version that a plugin's `kernel` range is held against; a test keeps it equal to the package's. */
export const KERNEL_VERSION = '0.1.0';
