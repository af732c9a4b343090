/** Files that may read with Node's own functions, without the bounds of @gemini-kernel/files, and why. */
export default {
  'bin/src/**': 'It reads what the program brings along; what a person owns it reads through the kernel.',
  'kernel/src/testing/index.ts': 'It runs in tests.',
  'kernel/admission/src/hash-tree.ts': 'It opens what it has just listed as regular files.',
  'kernel/admission/src/module-checks.ts': 'It reads what Node is about to run, in the place of Node.',
  'kernel/admission/src/verify-tree.ts': 'It reads a record that a start wrote.',
  'plugins/*/src/build.ts': 'It runs when the program is built.',
  'plugins/devkit/src/**': 'It reads the files of the plugin that its author builds.',
  'plugins/ide/src/**': 'Its discovery checks each file on its own terms: owner, links, size.',
  'plugins/ide-neovim/src/**': 'It reads what it brings along, and what the editor shows.',
  'plugins/isolation/src/child/**': 'It runs in the process of a plugin, and reads what is mounted for it.',
  'plugins/isolation/src/host/code-folders.ts': 'It reads package.json of packages of the program.',
  'plugins/isolation/src/host/process-memory.ts': 'It reads what the kernel says of a process, in /proc.',
  'plugins/policy/src/prepared-rules.ts': 'It reads what its build wrote.',
  'plugins/sandbox/src/linux/inherited-descriptors.ts': 'It reads what the kernel says of descriptors of this process.',
  'plugins/sandbox/src/linux/listening-sockets.ts': 'It reads a table of the kernel, which has no size.',
  'plugins/sandbox/src/linux/open-path.ts': 'It reads what is mounted for a process, which has no size.',
  'plugins/sandbox/src/linux/made-names.ts':
    'It reads tables of the kernel, and two bytes of a file that it looked at.',
  'plugins/sessions/src/watch/watch-limits.ts': 'It reads two numbers of the kernel, which must be read at once.',
  'plugins/shell/src/platform.ts': 'It reads hundreds of files of /proc at once.',
  'plugins/tools/src/commands/tools/call.ts': 'A person names the file, and may name a stream such as <(command).',
};
