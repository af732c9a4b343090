import {release} from 'node:os';
import {arch, getgid, getuid, pid} from 'node:process';
import {provide} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-settings/contract';
import {PlaceSandbox} from '../place-sandbox.js';

/** Holds the programs of a place to what was approved. */
export default provide('sandbox', {
  version: '1.0.0',
  scope: 'place',
  capability: 'process',
  methods: ['state', 'isWanted', 'confines', 'assess', 'confine', 'force', 'enclose', 'explain'],
  create: (context) =>
    new PlaceSandbox(context, {
      ...{arch, pid, release: release()},
      ...{user: getuid?.() ?? 0, group: getgid?.() ?? 0},
    }),
  async describe(sandbox) {
    const {isOn, why, program, fault, missing} = await sandbox.state();
    const lack = fault ?? missing;
    return [`${isOn ? 'on' : 'off'}: ${why}`, program && `${program}.`, lack?.sentence].filter(Boolean).join(' ');
  },
  dispose: (sandbox) => (sandbox as PlaceSandbox).close(),
});
