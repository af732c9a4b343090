import type {Conditions, Rule} from './rule.js';

/** How many items of a list a line has room for. */
const MOST = 3;
/** How many characters a pattern, or the items of a list together, may take on a line. */
const LONGEST = 48;

/** What a rule is about, on one line; long lists and patterns are cut, and what was left out is counted. */
export function describeConditions(
  conditions: Conditions,
  commands: readonly string[] = commandsOf(conditions),
): string {
  const {tools, except, server, subagent, args, path, effect, workspaceRoot, modes, interactive, trusted, annotations} =
    conditions;
  return [
    tools.includes('*') ? 'any tool' : list(tools),
    except && `but ${list(except)}`,
    commands.length > 0 && list(commands),
    server && `of ${server === '*' ? 'any server' : `server ${server}`}`,
    subagent && `by ${subagent}`,
    args !== undefined && `with ${cut(`/${args.replaceAll('\0', '\\0')}/`)}`,
    path && `in ${list(path)}`,
    effect && `to ${list(effect)}`,
    workspaceRoot && `below ${list(workspaceRoot)}`,
    modes && `mode ${modes.join(', ')}`,
    interactive !== undefined && (interactive ? 'with a person' : 'without a person'),
    trusted !== undefined && (trusted ? 'where trusted' : 'where not trusted'),
    annotations && `marked ${JSON.stringify(annotations)}`,
  ]
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
