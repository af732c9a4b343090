'use strict';
// Tells file descriptor 3 the peak memory of the process it is required in, in kilobytes. What `resourceUsage` gives
// begins with the memory of the process that started this one, so on Linux the system's own record counts.
process.on('exit', () => require('node:fs').writeSync(3, String(readPeak() ?? process.resourceUsage().maxRSS)));

function readPeak() {
  try {
    return /^VmHWM:\s+(\d+)/m.exec(require('node:fs').readFileSync('/proc/self/status', 'utf8'))?.[1];
  } catch {
    // Not Linux.
    return undefined;
  }
}
