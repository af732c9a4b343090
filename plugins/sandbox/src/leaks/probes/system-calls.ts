import {arch} from 'node:process';
import {contained} from '../probe.js';
import {isMachine} from '../../seccomp/filter-file.js';
import {machines, refused} from '../../seccomp/system-calls.js';

/** Called with numbers that the kernel would answer with another error than the filter does. */
const TRIED: Readonly<Record<string, string>> = {
  ptrace: '0, 0, 0, 0',
  process_vm_readv: '$$, 0, 0, 0, 0, 0',
  pidfd_getfd: '-1, 0, 0',
  add_key: '0, 0, 0, 0, 0',
  keyctl: '0, -3, 1',
  bpf: '0, 0, 0',
  perf_event_open: '0, 0, -1, -1, 0',
  kexec_load: '0, 0, 0, 0',
  init_module: '0, 0, 0',
  io_uring_setup: '1, 0',
  userfaultfd: '0',
  mount: '0, 0, 0, 0, 0',
  move_mount: '-1, 0, -1, 0, 0',
  open_by_handle_at: '-1, 0, 0',
  setns: '-1, 0',
  unshare: '0',
  kcmp: '$$, $$, 0, 0, 0',
};

/** Calls that the filter refuses. EPERM also comes from the kernel where the person has no right: both contain. */
export function systemCalls(): ReturnType<typeof contained> {
  if (!isMachine(arch)) return [];
  const {index} = machines[arch];
  const numbers = Object.assign({}, ...refused.map(({calls}) => calls)) as Record<
    string,
    readonly (number | undefined)[]
  >;
  return contained(
    'call',
    Object.entries(TRIED).map(([name, words]) => [
      name,
      `call ${name}`,
      [
        `perl -e '$r = syscall(${numbers[name]?.[index] ?? -1}, ${words}); `,
        `print "LEAK $r $!" unless $r == -1 && $!{EPERM}'`,
      ].join(''),
    ]),
  );
}
