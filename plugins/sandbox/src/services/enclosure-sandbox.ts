import {realpathSync} from 'node:fs';
import {argv, execPath, getgid, getuid, stdin} from 'node:process';
import {provide} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-settings/contract';
import {LiveEnclosure} from '../enclosure/live-enclosure.js';

/** Starts conversations in docker, podman, gVisor, lxc or sandbox-exec where one of them is asked for. */
export default provide('enclosure:sandbox', {
  version: '1.0.0',
  scope: 'session',
  capability: 'process',
  // Its signal and the terminal belong to this process.
  local: true,
  reserved: true,
  create: (context) =>
    new LiveEnclosure(context, {
      file: realpathSync(argv[1] ?? ''),
      node: execPath,
      hasTerminal: stdin.isTTY,
      user: getuid?.(),
      group: getgid?.(),
    }),
});
