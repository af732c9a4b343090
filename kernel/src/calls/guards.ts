import {askListener} from '../hooks/ask-listener.js';
import type {Core} from '../hooks/core.js';
import type {Stage} from '../hooks/dispatch.js';
import {KernelError, messageOf} from '../contract/error.js';
import type {GuardReport} from '../contract/session-handle.js';
import {toJson} from '../hooks/to-json.js';
import {toolJudge} from '../contract/moments/tool-judge.js';
import type {ToolCall, Verdict} from '../contract/tool-call.js';

/** Gives each guard the call that it must refuse. Nothing runs. */
export async function attestGuards(core: Core, options: Stage): Promise<readonly GuardReport[]> {
  const guards = core.catalog.listeners.get(toolJudge.name) ?? [];
  return Promise.all(
    guards.map(async (entry): Promise<GuardReport> => {
      const {plugin, probe} = entry;
      if (!probe) return {plugin, state: 'unproven', reason: 'It declares no call that it must refuse.'};
      const call: ToolCall = toJson(
        {
          id: 'guard-probe',
          tool: 'guard_probe',
          effect: 'other',
          annotations: {},
          input: {},
          touches: [],
          ...probe,
          session: options.session,
        },
        'the probe',
      );
      const answered = await askListener(core, {
        hook: toolJudge,
        entry,
        value: call,
        next: undefined,
        options: {...options, callId: call.id},
      });
      if (!answered.ok) return {plugin, state: 'down', reason: `It failed: ${messageOf(answered.error)}`};
      const {decision = 'nothing', reason = ''} = (answered.answer ?? {}) as Partial<Verdict>;
      return decision === 'deny'
        ? {plugin, state: 'proven', reason}
        : {plugin, state: 'down', reason: `It answered ${decision} to a call that it must refuse.`};
    }),
  );
}

/** Throws KernelError GUARDS_UNPROVEN unless there are guards and all of them are proven. */
export function requireProven(reports: readonly GuardReport[]): void {
  const faults = reports
    .filter(({state}) => state !== 'proven')
    .map(({plugin, state, reason}) => `${plugin} is ${state}: ${reason}`);
  if (faults.length === 0 && reports.length > 0) return;
  throw new KernelError('GUARDS_UNPROVEN', faults.length > 0 ? faults.join(' ') : 'No plugin guards tool calls.');
}
