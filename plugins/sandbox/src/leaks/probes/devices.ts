import {contained, type Probe} from '../probe.js';

/** The kernel, and devices. */
export const devices = (): readonly Probe[] =>
  contained('machine', [
    ['core-pattern', 'have the kernel run a program', 'echo "|/bin/sh" > /proc/sys/kernel/core_pattern && echo LEAK'],
    ['sysrq', 'give the kernel orders', ': > /proc/sysrq-trigger && echo LEAK'],
    ['sysctl', 'configure the kernel', 'echo 1 > /proc/sys/vm/drop_caches && echo LEAK'],
    [
      'helper',
      'have the kernel run a helper',
      ': > /sys/kernel/uevent_helper && echo LEAK; : > /proc/sys/kernel/modprobe && echo LEAK',
    ],
    [
      'cgroup',
      'change limits of the machine',
      'mkdir /sys/fs/cgroup/leak 2>/dev/null && echo LEAK; mkdir /sys/fs/cgroup/*/leak && echo LEAK',
    ],
    ['disk', 'find a disk', 'find /dev -type b | grep -q . && echo LEAK'],
    ['disk-made', 'make a device', 'mknod disk b 8 0 && echo LEAK; mknod mem c 1 1 && echo LEAK'],
    [
      'memory-device',
      'read the memory of the machine',
      'for f in /dev/mem /dev/kmem /dev/port /proc/kcore; do head -c 1 $f && echo LEAK; done',
    ],
    ['kernel-log', 'read the log of the kernel', 'head -c 1 /dev/kmsg && echo LEAK; dmesg >/dev/null && echo LEAK'],
    [
      'terminal',
      'reach a terminal of the machine',
      ': > /dev/tty && echo LEAK; ls /dev/pts | grep -q "^[0-9]" && echo LEAK',
    ],
  ]);
