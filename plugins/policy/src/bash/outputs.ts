import type {Demand} from './flow.js';
import type {CommandNode, NestedScript} from './syntax.js';

/** Commands that print digits only, whatever they work on. */
const NUMBERS = [
  /^wc -[clmw]$/,
  /^date \+%s(?:%N)?$/,
  /^date \+%[YmdHMSjuV]$/,
  /^nproc$/,
  /^id -[ug]$/,
  /^seq(?: \d+)+$/,
];
/** Commands that print one name or path that never begins with a dash. */
const NAMES = [
  /^git (?:branch --show-current|symbolic-ref --short HEAD|rev-parse(?: --(?:short|verify|abbrev-ref|quiet))* HEAD|rev-parse --(?:show-toplevel|git-dir))$/,
  /^git (?:describe(?: --(?:tags|always|dirty|long|abbrev=\d+))*|merge-base \w[\w/.]* \w[\w/.]*)$/,
  /^date \+[%:\w][%:\w.-]*$/,
  /^(?:pwd|whoami|hostname|uname(?: -\w)?|mktemp(?: -d)?|arch|npm root|npm prefix)$/,
];

/** What a substitution is sure to print, as far as that matters. */
export function classifyOutput({script, via}: NestedScript, functions: ReadonlySet<string>): Demand | undefined {
  if (via === '<(…)' || via === '>(…)') return 'plain';
  const [only, ...more] = script;
  if (!only || more.length > 0 || only.rest.length > 0) return undefined;
  const last = only.first.at(-1);
  const name = last && nameOf(last);
  if (name === undefined || functions.size > 0) return undefined;
  if (NUMBERS.some((pattern) => pattern.test(name))) return 'number';
  return NAMES.some((pattern) => pattern.test(name)) ? 'plain' : undefined;
}

function nameOf(node: CommandNode): string | undefined {
  if (node.kind !== 'simple' || node.assignments.length > 0) return undefined;
  // What it prints may not be mixed with what it says.
  if (node.redirects.some(({operator, raw}) => operator !== '<' && raw.replaceAll(' ', '') !== '2>/dev/null'))
    return undefined;
  const values = node.words.map(({value}) => value);
  return values.includes(undefined) ? undefined : values.join(' ');
}
