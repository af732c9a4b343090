import {isAbsolute} from 'node:path';
import {onlyTightens, type SandboxGrant} from '../rule.js';
import type {Entry} from './entry.js';
import {isTable} from './rule-keys.js';

const HINT =
  'Write sandbox = {network = ["packages.example.com"], write = ["/srv/cache"]}; network = true is all of it.';

/** What a rule grants to commands in the sandbox. A project and an extension grant nothing. */
export function readSandbox(entry: Entry): {readonly sandbox?: SandboxGrant} {
  const value = entry.value('sandbox');
  if (value === undefined) return {};
  if (onlyTightens({source: entry.source.file})) {
    entry.tell('warning', 'sandbox', {
      message: 'A project or an extension grants nothing to commands in the sandbox; this is not used.',
      hint: 'Put the rule into a file in ~/.gemini/policies if you want it.',
    });
    return {};
  }
  const fault = faultOf(value);
  if (fault === undefined) return {sandbox: value as SandboxGrant};
  entry.break('sandbox', fault, HINT);
  return {};
}

function faultOf(value: unknown): string | undefined {
  if (!isTable(value)) return 'must be a table';
  for (const [key, given] of Object.entries(value)) {
    if (key === 'network' && given === true) continue;
    if (!['network', 'read', 'write'].includes(key)) return `does not take "${key}"`;
    if (!Array.isArray(given) || !given.every((one) => typeof one === 'string' && one !== ''))
      return `takes a list of texts as "${key}"`;
    const relative = key === 'network' ? undefined : given.find((one: string) => !isAbsolute(one));
    if (relative !== undefined) return `takes absolute paths, not "${String(relative)}"`;
  }
  return undefined;
}
