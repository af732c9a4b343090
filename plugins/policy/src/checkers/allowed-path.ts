import {place} from '../engine/judge-part.js';
import {compilePaths} from '../engine/path-pattern.js';
import {findGlobFault} from '../read/path-pattern.js';
import {passed, type CheckContext, type CheckVerdict} from './verdict.js';

interface Config {
  readonly included_args?: readonly string[];
  readonly excluded_args?: readonly string[];
  /** Globs; when there are any, a path must match one. */
  readonly allowed_paths?: readonly string[];
}

const NAMES_A_PATH = /path|directory|file/i;
const REFUSED = new Set(['.git', '.env']);
const ASKED = new Set(['node_modules', '.vscode']);

/** Every path among the arguments must lie in the workspace, and away from what is delicate. */
export async function checkPaths({call, checker, roots, system, realPaths}: CheckContext): Promise<CheckVerdict> {
  const config = checker.config as Config;
  const given = [...findPaths(call.input, config)];
  const fault = config.allowed_paths?.map(findGlobFault).find((one) => one !== undefined);
  if (fault) return {decision: 'deny', reason: `The checker ${fault}.`};
  const allowed = config.allowed_paths && compilePaths(config.allowed_paths, system);
  const verdicts = (await realPaths(given)).map((real, index): CheckVerdict => {
    const {value, root} = place(real, roots);
    const shown = given[index] ?? real;
    if (allowed && !allowed.matches({value, root}))
      return {decision: 'deny', reason: `${shown} is not one of the paths that the checker allows.`};
    if (root === undefined) return {decision: 'deny', reason: `${shown} is outside the workspace.`};
    const names = value.slice(root.length).toLowerCase().split('/');
    const refused = names.find((name) => REFUSED.has(name));
    if (refused) return {decision: 'deny', reason: `${shown} lies in ${refused}.`};
    const asked = names.find((name) => ASKED.has(name));
    return asked ? {decision: 'ask', reason: `${shown} lies in ${asked}.`} : passed;
  });
  return (
    verdicts.find(({decision}) => decision === 'deny') ?? verdicts.find(({decision}) => decision === 'ask') ?? passed
  );
}

/**
 * Texts under keys that sound like paths, however deep, and those that the configuration adds, without those it takes
 * away.
 */
function* findPaths(input: unknown, config: Config, place = ''): Generator<string> {
  if (typeof input !== 'object' || input === null) return;
  for (const [key, value] of Object.entries(input)) {
    const own = Array.isArray(input) ? place : join(place, key);
    if (config.excluded_args?.includes(own)) continue;
    if (typeof value === 'string' && namesPath(own, config)) yield value;
    else yield* findPaths(value, config, own);
  }
}

function join(place: string, key: string): string {
  return place ? `${place}.${key}` : key;
}

function namesPath(place: string, {included_args: included = []}: Config): boolean {
  const last = place.split('.').at(-1) ?? '';
  return included.includes(place) || NAMES_A_PATH.test(last) || last === 'source' || last === 'destination';
}
