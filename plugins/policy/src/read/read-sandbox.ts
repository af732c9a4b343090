import {isAbsolute} from 'node:path';
import {onlyTightens, type SandboxGrant} from '../rule.js';
import type {Entry} from './entry.js';
import {isTable} from './rule-keys.js';

const HINT =
  'Write sandbox = {network = ["packages.example.com"], write = ["/srv/cache"]}; network = true is all of it. ' +
  'Limits are memory = "2GB" and processes = 200.';

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
  if (fault === undefined) return {sandbox: toGrant(value as Table)};
  entry.break('sandbox', fault, HINT);
  return {};
}

type Table = Readonly<Record<string, unknown>>;

function toGrant({memory, ...others}: Table): SandboxGrant {
  const megabytes = memory === undefined ? undefined : readMegabytes(memory);
  // Its values were looked at before.
  return {...(others as SandboxGrant), ...(megabytes === undefined ? {} : {memory: megabytes})};
}

/** Reads `2GB`, `500MB` or a number of megabytes; undefined for anything else. */
function readMegabytes(value: unknown): number | undefined {
  const [, figures, unit] = /^([1-9]\d{0,8}) ?([MG]B)?$/.exec(String(value)) ?? [];
  return figures === undefined ? undefined : Number(figures) * (unit === 'GB' ? 1024 : 1);
}

function limitFault(key: string, given: unknown): string | undefined {
  if (key === 'memory')
    return readMegabytes(given) === undefined ? `takes "2GB", "500MB" or megabytes as "memory"` : undefined;
  const isCount = Number.isInteger(given) && Number(given) >= 1 && Number(given) <= 4_000_000;
  return isCount ? undefined : 'takes a whole number from 1 to 4000000 as "processes"';
}

function faultOf(value: unknown): string | undefined {
  if (!isTable(value)) return 'must be a table';
  for (const [key, given] of Object.entries(value)) {
    const fault = ['memory', 'processes'].includes(key) ? limitFault(key, given) : reachFault(key, given);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function reachFault(key: string, given: unknown): string | undefined {
  if (key === 'network' && given === true) return undefined;
  if (!['network', 'read', 'write'].includes(key)) return `does not take "${key}"`;
  if (!Array.isArray(given) || !given.every((one) => typeof one === 'string' && one !== ''))
    return `takes a list of texts as "${key}"`;
  const relative = key === 'network' ? undefined : given.find((one: string) => !isAbsolute(one));
  return relative === undefined ? undefined : `takes absolute paths, not "${String(relative)}"`;
}
