import {SUBCOMMAND_WRAPPERS} from './subcommand-wrappers.js';
import type {Wrapper} from './wrapper.js';

const SU: Wrapper = {
  flags: 'flmpP',
  values: 'gGswu',
  long:
    'login preserve-environment fast pty group= supp-group= shell= user= whitelist-environment= command= ' +
    'session-command=',
  scripts: ['c', 'command', 'session-command'],
  operands: 1,
  permutes: true,
  bare: 'shell',
};
const SHELL_PER_WORD: Wrapper = {
  home: 'same',
  flags: 'r',
  values: 'nwrm',
  long:
    'names= kill-others success= warmup= runs= min-runs= max-runs= prepare= setup= cleanup= export-json= ' +
    'export-markdown= ignore-failure',
  scripts: ['p', 's', 'prepare', 'setup', 'cleanup'],
  each: true,
};
/** Commands that run what follows them. Two words are a command and its subcommand. */
export const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  env: {
    home: 'same without options',
    flags: 'i0v',
    values: 'uPa',
    long:
      'ignore-environment null debug unset= argv0= block-signal= default-signal= ignore-signal= ' +
      'list-signal-handling chdir= split-string=',
    directory: ['C', 'chdir'],
    split: ['S', 'split-string'],
    assigns: true,
    bare: 'nothing',
    idle: 'help version',
  },
  sudo: {
    flags: 'AbBEHknNPSis',
    values: 'aCcghpRrtTUu',
    directory: ['D', 'chdir'],
    assigns: true,
    bare: 'shell',
    idle: 'l v V K list validate version help remove-timestamp',
    long:
      'askpass background bell preserve-env set-home login non-interactive preserve-groups stdin shell ' +
      'reset-timestamp chdir= group= host= prompt= user= other-user= type= role= preserve-env= command-timeout=',
  },
  doas: {flags: 'nsL', values: 'uCa', bare: 'shell'},
  su: SU,
  runuser: {...SU, operands: 0},
  pkexec: {long: 'user= disable-internal-agent keep-cwd', bare: 'shell'},
  sg: {scripts: ['c'], operands: 1, permutes: true, bare: 'shell'},
  choom: {home: 'same', values: 'n', long: 'adjust=', idle: 'p pid V h version help'},
  faketime: {home: 'same', flags: 'fm', values: 'p', long: 'exclude-monotonic', operands: 1},
  proxychains: {home: 'same', flags: 'q', values: 'f'},
  proxychains4: {home: 'same', flags: 'q', values: 'f'},
  torsocks: {home: 'same', flags: 'diq', values: 'aPup', long: 'debug isolate quiet'},
  torify: {home: 'same'},
  tsocks: {home: 'same'},
  eatmydata: {home: 'same'},
  firejail: {long: 'quiet noprofile net= private'},
  cgexec: {values: 'g', long: 'sticky'},
  nohup: {home: 'same'},
  setsid: {home: 'same', flags: 'cfw', long: 'ctty fork wait'},
  fakeroot: {},
  caffeinate: {home: 'same', flags: 'dimsu', values: 'tw', bare: 'nothing'},
  nice: {home: 'same', values: 'n', long: 'adjustment=', numeric: true, bare: 'nothing'},
  ionice: {home: 'same', flags: 't', values: 'cn', long: 'class= classdata= ignore', idle: 'p pid'},
  chrt: {
    home: 'same',
    flags: 'abdfimorRv',
    values: 'DPT',
    long: 'batch deadline fifo idle other rr reset-on-fork verbose',
    operands: 1,
    idle: 'p pid',
  },
  taskset: {home: 'same', flags: 'c', long: 'cpu-list', operands: 1, idle: 'p pid'},
  numactl: {
    home: 'same',
    values: 'CNmilp',
    long: 'cpunodebind= membind= interleave= physcpubind= localalloc',
    idle: 'H s hardware show',
  },
  prlimit: {home: 'same', long: 'nofile= cpu= as= core= data= fsize= nproc= stack= rss= memlock=', bare: 'nothing'},
  timeout: {
    home: 'same',
    flags: 'v',
    values: 'ks',
    long: 'foreground preserve-status verbose kill-after= signal=',
    operands: 1,
  },
  stdbuf: {home: 'same', values: 'ioe', long: 'input= output= error='},
  unbuffer: {home: 'same', flags: 'p'},
  rlwrap: {home: 'same', flags: 'acn'},
  catchsegv: {home: 'same'},
  time: {
    home: 'same',
    flags: 'pvalhq',
    values: 'fo',
    long: 'portability verbose append format= output= quiet',
    assigns: true,
    bare: 'nothing',
  },
  command: {home: 'same', flags: 'p', idle: 'v V', bare: 'nothing', isBuiltin: true},
  builtin: {home: 'same', bare: 'nothing', isBuiltin: true},
  exec: {home: 'same without options', flags: 'cl', values: 'a', bare: 'nothing', isBuiltin: true},
  noglob: {home: 'same'},
  nocorrect: {home: 'same'},
  '-': {home: 'same'},
  chroot: {long: 'userspec= groups= skip-chdir', operands: 1, bare: 'shell'},
  unshare: {
    flags: 'fr',
    attached: 'muinpUCT',
    long:
      'fork map-root-user map-current-user mount-proc mount uts ipc net pid user cgroup time kill-child setuid= ' +
      'setgid=',
    bare: 'shell',
  },
  nsenter: {
    flags: 'aF',
    attached: 'muinpCTUrw',
    values: 'tSG',
    long: 'all target= mount uts ipc net pid cgroup user setuid= setgid= no-fork',
    bare: 'shell',
  },
  setpriv: {
    long:
      'reuid= regid= clear-groups keep-groups init-groups groups= inh-caps= ambient-caps= bounding-set= ' +
      'no-new-privs reset-env securebits= pdeathsig=',
    idle: 'd dump',
  },
  'systemd-run': {
    flags: 'dGPqtr',
    values: 'pEu',
    long:
      'user system scope unit= description= slice= wait pty pipe collect quiet same-dir uid= gid= nice= setenv= ' +
      'property=',
    directory: ['working-directory'],
    bare: 'shell',
  },
  'dbus-run-session': {},
  'xvfb-run': {flags: 'al', values: 'efnpsw', long: 'auto-servernum server-args= server-num='},
  setarch: {
    flags: 'vRFLXZBI3St',
    long: 'addr-no-randomize verbose uname-2.6 3gb 4gb 32bit',
    operands: 1,
    isOptional: true,
    bare: 'shell',
  },
  linux32: {bare: 'shell'},
  linux64: {bare: 'shell'},
  arch: {flags: 'x', values: 'e', long: 'arm64 x86_64', bare: 'nothing'},
  busybox: {idle: 'list help', bare: 'nothing'},
  toybox: {bare: 'nothing'},
  strace: {
    home: 'same',
    flags: 'cCdfFhiknqrtTvVwxyYzZ',
    values: 'abeEIopPsSuUX',
    long: 'follow-forks seccomp-bpf summary-only trace= output= string-limit=',
  },
  ltrace: {home: 'same', flags: 'cCfiLnrStTV', values: 'aAeloDnpsux'},
  valgrind: {
    home: 'same',
    flags: 'qv',
    long:
      'quiet verbose tool= leak-check= error-exitcode= track-origins= show-leak-kinds= log-file= suppressions= ' +
      'num-callers=',
  },
  watch: {
    home: 'same',
    flags: 'bcCdegrtwx',
    values: 'nq',
    attached: 'd',
    long: 'beep color differences errexit chgexit no-title no-wrap precise interval= equexit=',
    joins: true,
  },
  entr: {home: 'same', flags: 'acdnprxz', scripts: ['s'], adds: true},
  flock: {
    home: 'same',
    flags: 'eFnosuxv',
    values: 'Ew',
    long: 'exclusive shared nonblock nb unlock close no-fork verbose wait= timeout= conflict-exit-code=',
    scripts: ['c', 'command'],
    operands: 1,
    permutes: true,
    bare: 'nothing',
  },
  script: {
    home: 'same',
    flags: 'aefq',
    values: 'oEIOTBm',
    long: 'append return flush force quiet echo= log-in= log-out= log-io= log-timing=',
    scripts: ['c', 'command'],
    operands: 1,
    permutes: true,
    bare: 'shell',
  },
  ssh: {
    flags: '46AaCfgKkMnqsTtvXxYy',
    values: 'BbcDeFIiJLlmopQRSWw',
    idle: 'N V G O',
    operands: 1,
    joins: true,
    bare: 'shell',
  },
  xargs: {
    home: 'same',
    flags: '0rtxop',
    values: 'aEsdnPLIJRS',
    attached: 'eil',
    adds: true,
    bare: 'echo',
    idle: 'version help',
    long:
      'null no-run-if-empty verbose exit interactive open-tty arg-file= delimiter= max-args= max-procs= max-lines= ' +
      'max-chars= replace= process-slot-var= eof= replace eof max-lines show-limits',
  },
  parallel: {
    home: 'same',
    flags: '0kmqrtXvu',
    values: 'jnNILPsdCS',
    joins: true,
    adds: true,
    bare: 'shell',
    idle: 'version help citation',
    each: false,
    long:
      'null keep-order no-run-if-empty dry-run bar eta progress verbose jobs= max-args= max-procs= delay= retries= ' +
      'timeout= halt= joblog= results= colsep= tag line-buffer ungroup will-cite max-replace-args=',
  },
  hyperfine: SHELL_PER_WORD,
  concurrently: SHELL_PER_WORD,
  'cross-env': {assigns: true},
  'cross-env-shell': {assigns: true, joins: true},
  dotenv: {values: 'ef', long: 'file='},
  npx: {
    flags: 'yq',
    long: 'yes no quiet prefer-offline offline no-install ignore-existing package= call=',
    values: 'p',
    scripts: ['c', 'call'],
  },
  bunx: {long: 'bun package='},
  uvx: {flags: 'q', values: 'p', long: 'from= with= python= quiet'},
  ...SUBCOMMAND_WRAPPERS,
};
