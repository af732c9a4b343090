import {provide} from '@gemini-kernel/kernel';
import type {SandboxModes} from '@gemini-kernel/plugin-sandbox/contract';
import {tableOf} from '../mode-limits.js';
import {readLimits} from '../read-policy.js';
import {modes, type Mode, type SandboxLimits} from '../rule.js';

/** What `sandbox.toml` says about each approval mode, read once for a place. */
export default provide('sandbox-modes', {
  version: '1.0.0',
  scope: 'place',
  methods: ['read'],
  create(context): SandboxModes {
    let limits: Promise<readonly SandboxLimits[]> | undefined;
    return {
      async read(mode) {
        limits ??= readLimits(context);
        const {network, readOnly, hasOverrides} = tableOf(await limits, modeNamed(mode));
        return {
          ...(network?.value ? {network: network.from} : {}),
          ...(readOnly?.value ? {readOnly: readOnly.from} : {}),
          ...(hasOverrides?.value === false ? {isFinal: hasOverrides.from} : {}),
        };
      },
    };
  },
});

function modeNamed(name: string): Mode {
  return modes.find((mode) => mode === name) ?? 'default';
}
