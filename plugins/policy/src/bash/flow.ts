import type {Doubt} from './analysis.js';
import {classifyOutput} from './outputs.js';
import type {NestedScript, ShellWord} from './syntax.js';

/**
 * `number`: it is computed with, and bash runs substitutions in what it computes with. `plain`: it must not turn into
 * an option.
 */
export type Demand = 'number' | 'plain';

type Origin = Pick<ShellWord, 'raw' | 'value' | 'lead' | 'isNumber' | 'isOpen' | 'names' | 'scripts'>;

interface Use {
  readonly demand: Demand;
  readonly names: readonly string[];
  readonly isOpen: boolean;
  readonly scripts: readonly NestedScript[];
  /** Blanks in the value would make words. */
  readonly splits: boolean;
  readonly doubt: Doubt;
}

/**
 * Where the values of variables come from, for a whole line. Variables that the line does not set are the person's own,
 * and trusted.
 */
export interface Flow {
  readonly origins: Map<string, Origin[]>;
  readonly uses: Use[];
}

const FROM_OUTSIDE: Origin = {
  raw: '',
  value: undefined,
  lead: '',
  isNumber: false,
  isOpen: true,
  names: [],
  scripts: [],
};

/** Notes that a variable takes a value; without one, a value from outside the line. */
export function noteOrigin({origins}: Flow, name: string, origin: Origin = FROM_OUTSIDE): void {
  const known = origins.get(name);
  if (known) known.push(origin);
  else origins.set(name, [origin]);
}

/** Notes a doubt that holds unless what a word is made of is harmless. */
export function noteUse(
  {uses}: Flow,
  demand: Demand,
  {names, isOpen, scripts, splits = false}: Pick<Use, 'names' | 'isOpen' | 'scripts'> & Partial<Pick<Use, 'splits'>>,
  doubt: Doubt,
): void {
  uses.push({demand, names, isOpen, scripts, splits, doubt});
}

/** The doubts that remain once all assignments of the line are known. */
export function remainingDoubts(flow: Flow, functions: ReadonlySet<string>): readonly Doubt[] {
  const isHarmless = ({demand, names, isOpen, scripts, splits}: Use): boolean => {
    const seen = new Set<string>();
    const isPlain = (name: string): boolean => {
      if (seen.has(name)) return true;
      seen.add(name);
      return (flow.origins.get(name) ?? []).every((origin) => isHarmlessOrigin(origin, demand, isPlain));
    };
    const prints = (nested: readonly NestedScript[]): boolean =>
      nested.every((one) => meets(classifyOutput(one, functions), demand));
    const isHarmlessOrigin = (origin: Origin, wanted: Demand, visit: (name: string) => boolean): boolean => {
      if (wanted === 'plain' && !splits && /^[^-]/.test(origin.lead)) return true;
      if (origin.isOpen || !prints(origin.scripts)) return false;
      if (origin.isNumber) return true;
      if (wanted === 'number') return namesIn(origin)?.every(visit) === true;
      return !/(?:^|\s)-/.test(origin.value ?? origin.lead) && origin.names.every(visit);
    };
    return !isOpen && prints(scripts) && names.every(isPlain);
  };
  return flow.uses.filter((use) => !isHarmless(use)).map(({doubt}) => doubt);
}

/** One variable and nothing else: text around it, or a part of it, could make the name of another. */
const ONE_VARIABLE = /^"?-?\$(?:\{(!?)([A-Za-z_]\w*)(?:\[[\w@*$]+\])?(?::?-\d*)?\}|([A-Za-z_]\w*))"?$/;

/** The variables that bash looks into when it computes with a value; undefined when it could find a command there. */
function namesIn({value, raw}: Origin): readonly string[] | undefined {
  if (value !== undefined) return /[[`$]/.test(value) ? undefined : (value.match(/[A-Za-z_]\w*/g) ?? []);
  const [all, keys, name, bare] = ONE_VARIABLE.exec(raw) ?? [];
  return all === undefined ? undefined : [keys === '!' ? keysOf(name ?? '') : (name ?? bare ?? '')];
}

/** Stands for the keys of an array. Those of an ordinary one are numbers. */
export function keysOf(name: string): string {
  return `keys of ${name}`;
}

function meets(output: Demand | undefined, demand: Demand): boolean {
  return output === 'number' || output === demand;
}
