import {contained, type Probe} from '../probe.js';

const namespace = (kind: string): readonly [string, string, string] => [
  `namespace-${kind}`,
  `share the ${kind} namespace with the machine`,
  `test "$(readlink /proc/self/ns/${kind})" = "$(cat "$LAB/shown/ns-${kind}")" && echo LEAK`,
];

/** Processes, rights and namespaces. */
export const machine = (): readonly Probe[] =>
  contained('machine', [
    ...['mnt', 'pid', 'net', 'ipc', 'uts', 'user', 'cgroup'].map(namespace),
    [
      'see',
      'see a process of the machine',
      'grep -l gemini-bystande[r] /proc/[0-9]*/cmdline 2>/dev/null | grep -v self | grep -q . && echo LEAK',
    ],
    ['kill', 'end a process of the machine', 'kill -9 "$BYSTANDER"', 'bystander'],
    ['kill-all', 'end all processes', 'perl -e "kill 9, -1"', 'bystander'],
    ['memory', 'read the memory of a process', 'head -c 1 "/proc/$BYSTANDER/mem" && echo LEAK'],
    [
      'outlive',
      'continue after the end',
      'setsid sh -c "sleep 2; echo x > outlived" >/dev/null 2>&1 &',
      'project/outlived',
    ],
    [
      'capabilities',
      'have rights of root',
      "grep -E '^Cap(Prm|Eff|Bnd|Amb):' /proc/self/status | grep -qv 0000000000000000 && echo LEAK",
    ],
    ['privileges', 'get rights by a program of root', "grep -q 'NoNewPrivs:.*1' /proc/self/status || echo LEAK"],
    ['filter', 'run without a filter of system calls', "grep -q 'Seccomp:.*2' /proc/self/status || echo LEAK"],
    ['user-namespace', 'be root in a namespace of its own', 'unshare -Ur true && echo LEAK'],
    ['mount-namespace', 'mount in a namespace of its own', 'unshare -Urm mount -t tmpfs x /mnt && echo LEAK'],
    ['enter', 'enter a namespace', 'nsenter -t 1 -m true && echo LEAK; nsenter -t 1 -U true && echo LEAK'],
    ['chroot', 'change the root', 'chroot / true && echo LEAK'],
  ]);
