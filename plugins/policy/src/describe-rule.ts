import type {Conditions, Rule} from './rule.js';

/** How many items of a list a line has room for. */
const MOST = 3;
/** How many characters a pattern, or the items of a list together, may take on a line. */
const LONGEST = 48;

/** What each condition says, in the order it is read. */
const PARTS: readonly ((conditions: Conditions, commands: readonly string[]) => unknown)[] = [
  ({tools}) => (tools.includes('*') ? 'any tool' : list(tools)),
  ({except}) => except && `but ${list(except)}`,
  (_, commands) => commands.length > 0 && list(commands),
  ({server}) => server && `of ${server === '*' ? 'any server' : `server ${server}`}`,
  ({subagent}) => subagent && `by ${subagent}`,
  ({caller}) => caller && `for ${caller === '*' ? 'any caller' : `caller ${caller}`}`,
  ({args}) => args !== undefined && `with ${cut(`/${args.replaceAll('\0', '\\0')}/`)}`,
  ({path}) => path && `in ${list(path)}`,
  ({effect}) => effect && `to ${list(effect)}`,
  ({workspaceRoot}) => workspaceRoot && `below ${list(workspaceRoot)}`,
  ({modes}) => modes && `mode ${modes.join(', ')}`,
  ({interactive}) => interactive !== undefined && (interactive ? 'with a person' : 'without a person'),
  ({trusted}) => trusted !== undefined && (trusted ? 'where trusted' : 'where not trusted'),
  ({sandboxed}) => sandboxed !== undefined && (sandboxed ? 'in the sandbox' : 'outside a sandbox'),
  ({annotations}) => annotations && `marked ${JSON.stringify(annotations)}`,
];

/** What a rule is about, on one line; long lists and patterns are cut, and what was left out is counted. */
export function describeConditions(
  conditions: Conditions,
  commands: readonly string[] = commandsOf(conditions),
): string {
  return PARTS.map((describe) => describe(conditions, commands))
    .filter((part) => typeof part === 'string')
    .join('; ');
}

/** The commands that a rule speaks of, as people are shown them. */
export function commandsOf({command}: Conditions): readonly string[] {
  if (!command) return [];
  return ['prefix' in command ? `"${command.prefix}"` : `/${command.pattern}/`];
}

/** Where a rule stands, without its tier. */
export function placeOf({id, source: {label}}: Pick<Rule, 'id' | 'source'>): string {
  return label === id ? '' : label.replace(/^(?:Default|Workspace|User|Admin): /, '');
}

function list(items: readonly string[]): string {
  const [first = '', ...others] = items;
  const shown = [cut(first)];
  for (const item of others) {
    if (shown.length === MOST || [...shown, item].join(', ').length > LONGEST) break;
    shown.push(item);
  }
  const left = items.length - shown.length;
  return `${shown.join(', ')}${left > 0 ? ` … ${left} more` : ''}`;
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}
