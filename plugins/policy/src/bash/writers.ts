/** Which of its words a program writes; others it reads. */
export interface Writer {
  readonly operands?: 'all' | 'last';
  /** How many operands in front are no files: the mode of chmod. */
  readonly skips?: number;
  /** Options whose value is a file that it writes, or a directory that it writes to. */
  readonly options?: readonly string[];
  /** It writes its operands only with such an option. */
  readonly only?: RegExp;
  /** Operands that name what they are: `of=…`. */
  readonly key?: string;
  /** What it writes to may be a folder, in which the names of the others appear. */
  readonly places?: boolean;
}

const ALL: Writer = {operands: 'all'};
const LAST: Writer = {operands: 'last', options: ['-t', '--target-directory'], places: true};
const OUTPUT: Writer = {options: ['-o', '--output']};
const IN_PLACE: Writer = {operands: 'all', only: /^(?:-[nErsuz]*i|--in-place)/};
const MODE: Writer = {operands: 'all', skips: 1};

/** Programs that write files that their words name. */
export const WRITERS: Readonly<Record<string, Writer>> = {
  rm: ALL,
  rmdir: ALL,
  unlink: ALL,
  mkdir: ALL,
  touch: ALL,
  truncate: ALL,
  shred: ALL,
  tee: ALL,
  mkfifo: ALL,
  mknod: ALL,
  gzip: ALL,
  gunzip: ALL,
  bzip2: ALL,
  xz: ALL,
  zstd: OUTPUT,
  sponge: ALL,
  trash: ALL,
  mv: {...LAST, operands: 'all'},
  cp: LAST,
  ln: LAST,
  install: LAST,
  rsync: LAST,
  scp: LAST,
  ditto: LAST,
  dd: {key: 'of'},
  chmod: MODE,
  chown: MODE,
  chgrp: MODE,
  chattr: MODE,
  setfacl: MODE,
  sed: IN_PLACE,
  gsed: IN_PLACE,
  perl: {operands: 'all', only: /^-\w*i/},
  ruby: {operands: 'all', only: /^-\w*i/},
  sort: OUTPUT,
  curl: {options: ['-o', '--output', '--output-dir', '-D', '--dump-header', '-c', '--cookie-jar']},
  wget: {options: ['-O', '--output-document', '-P', '--directory-prefix', '-o', '--output-file', '-a']},
  tar: {options: ['-f', '--file'], only: /^(?:-?\w*[xcruf]|--(?:extract|create|append|update|get))/},
  unzip: {},
  zip: {operands: 'all'},
  patch: {operands: 'all', options: ['-o', '--output']},
  split: {operands: 'last'},
  csplit: {options: ['-f', '--prefix']},
  gcc: OUTPUT,
  cc: OUTPUT,
  clang: OUTPUT,
  'g++': OUTPUT,
  ld: OUTPUT,
  pandoc: OUTPUT,
  tsc: {options: ['--outDir', '--outFile']},
  script: ALL,
  'ssh-keygen': {options: ['-f']},
  openssl: {options: ['-out']},
  base64: OUTPUT,
  iconv: OUTPUT,
  tree: {options: ['-o']},
  yq: {operands: 'all', only: /^(?:-\w*i|--inplace)/},
  prettier: {operands: 'all', only: /^(?:-w|--write)/},
};

/** When a program goes through all that is below its operands, and what it does there. */
interface Descent {
  readonly when: RegExp;
  readonly access: 'read' | 'write';
  /** Without an operand it begins where it runs. */
  readonly here?: boolean;
  /** It passes by what is hidden, unless such an option is given. */
  readonly shows?: RegExp;
}

/** Programs that go through folders. */
export const DESCENDING: Readonly<Record<string, Descent>> = {
  rm: {when: /^-\w*[rR]|^--recursive/, access: 'write'},
  mv: {when: /^/, access: 'write'},
  chmod: {when: /^-\w*R|^--recursive/, access: 'write'},
  chown: {when: /^-\w*R|^--recursive/, access: 'write'},
  chgrp: {when: /^-\w*R|^--recursive/, access: 'write'},
  cp: {when: /^-\w*[rRa]|^--(?:recursive|archive)/, access: 'read'},
  rsync: {when: /^-\w*[ra]|^--(?:recursive|archive)/, access: 'read'},
  scp: {when: /^-\w*r/, access: 'read'},
  tar: {when: /^-?\w*[cru]|^--(?:create|append|update)/, access: 'read'},
  zip: {when: /^-\w*r/, access: 'read'},
  rg: {when: /^/, access: 'read', here: true, shows: /^-\w*[u.]|^--(?:hidden|unrestricted|no-ignore)/},
  ag: {when: /^/, access: 'read', here: true, shows: /^-\w*[uU]|^--(?:hidden|unrestricted)/},
  ack: {when: /^/, access: 'read', here: true},
  grep: {when: /^-\w*[rR]|^--(?:dereference-)?recursive/, access: 'read', here: true},
  zgrep: {when: /^-\w*[rR]/, access: 'read', here: true},
};

/** A program that unpacks what it is given. */
interface Unpacker {
  readonly when: RegExp;
  readonly unless?: RegExp;
  /** Options whose value is the folder it unpacks in; without one it is where it runs. */
  readonly folder: readonly string[];
}

export const UNPACKERS: Readonly<Record<string, Unpacker>> = {
  tar: {when: /^-?[A-Za-z]*x|^--(?:extract|get)$/, folder: ['-C', '--directory']},
  bsdtar: {when: /^-?[A-Za-z]*x/, folder: ['-C', '--directory']},
  unzip: {when: /^/, unless: /^-[a-zA-Z]*[ltvZ]/, folder: ['-d']},
  cpio: {when: /^-[a-zA-Z]*i|^--extract/, folder: ['-D', '--directory']},
  '7z': {when: /^[xe]$/, folder: []},
  patch: {when: /^/, folder: ['-d', '--directory']},
};
