import {makeLimits} from './host/heap-limit.js';
import type {BuildTools} from '@gemini-kernel/plugin-devkit/contract';

/**
 * Puts the first program of a plugin's process into one file, and what plugins use of the kernel into another: read
 * one by one, their modules take longer than Node itself needs to start.
 */
export async function build({bundle}: BuildTools): Promise<void> {
  await bundle({entries: {'child.cjs': 'child/main.js', 'child-kernel.js': 'child/kernel.js'}});
  await makeLimits();
}
