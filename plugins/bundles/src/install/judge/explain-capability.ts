import {oneLine} from '../../one-line.js';
import {describeCapability} from './describe-plugin.js';

/** A capability in words. JSON. */
export interface ExplainedCapability {
  readonly capability: string;
  /** What it lets a plugin do. */
  readonly allows: string;
  /** What a plugin that means harm could do with it, as a sentence. */
  readonly worst: string;
}

const WORST: Readonly<Record<string, string>> = {
  'fs:read': 'It reads every file of the workspace, also what is secret there.',
  'fs:write': 'It changes or deletes every file of the workspace, also code that you run later.',
  process: 'It runs any program that is installed, which can do everything that the plugin may do.',
  model: 'It asks the model as often as it wants, at your cost, and sends it everything that it can read.',
  'net:*': 'It sends everything that it can read to anyone, and loads more code from there.',
  'env:*': 'It learns the values of all variables, also tokens and passwords, and can act with them as you.',
};

/** The beginning of a capability for one thing, and the sentence about that thing. */
const WORST_OF: readonly (readonly [string, (thing: string) => string])[] = [
  ['fs:read:', (path) => `It reads everything in ${path}, also what is secret there.`],
  ['fs:write:', (path) => `It changes or deletes everything in ${path}, also what programs obey or run later.`],
  ['run:', (program) => `It asks gemini to run ${program} with any arguments, as the model does; your rules decide.`],
  ['net:', (host) => `It sends everything that it can read to ${host}.`],
  ['env:', (name) => `It learns the value of ${name}, and can act with it as you, if it is a token.`],
];

const LONGEST = 80;

/** What a capability allows, and what it allows at worst. The same words wherever a person decides about it. */
export function explainCapability(capability: string): ExplainedCapability {
  const [start = '', say] = WORST_OF.find(([one]) => capability.startsWith(one)) ?? [];
  const worst = WORST[capability] ?? say?.(oneLine(capability.slice(start.length), LONGEST));
  return {
    capability,
    allows: describeCapability(capability),
    worst: worst ?? 'This version of gemini does not know it, and gives nothing for it.',
  };
}

/** What holds a plugin to what it declares. */
export function describeTier(mode: 'required' | 'preferred' | 'off' | undefined): string {
  return mode === undefined || mode === 'off'
    ? 'nothing: it runs in the process of gemini, and can do everything that you can (see security.pluginIsolation)'
    : mode === 'required'
      ? 'a process of its own, in which the system refuses everything else'
      : 'a process of its own, in which the system refuses everything else, where this machine can';
}
