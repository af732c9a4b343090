import type {HookInfo} from './contract.js';

/** One line about a hook, without its name. */
export function describeHook({event, matcher, layer, failure, timeoutMs, sequential, shape}: HookInfo): string {
  return [
    matcher ? `${event} (${matcher})` : event,
    layer,
    `failure: ${failure}`,
    ...(timeoutMs === 60_000 ? [] : [`timeout: ${timeoutMs} ms`]),
    ...(sequential ? ['sequential'] : []),
    ...(shape === 'claude' ? ['Claude Code'] : []),
  ].join(', ');
}
