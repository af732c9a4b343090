import {isTable} from '../config/is-table.js';
import type {FoundServer} from './found-server.js';

type Table = Readonly<Record<string, unknown>>;

const READ = new Set([
  ...['command', 'args', 'env', 'cwd', 'url', 'http_headers', 'env_http_headers', 'bearer_token_env_var', 'env_vars'],
  ...['tool_timeout_sec', 'enabled', 'enabled_tools', 'disabled_tools'],
]);

/** The servers of a `config.toml` of Codex. */
export async function convertCodex(text: string): Promise<readonly FoundServer[]> {
  const {parse} = await import('smol-toml');
  const whole: Table = parse(text);
  const servers = whole['mcp_servers'];
  if (!isTable(servers)) return [];
  return Object.entries(servers).flatMap(([name, given]) => (isTable(given) ? [convert(name, given)] : []));
}

function convert(name: string, given: Table): FoundServer {
  const {command, args, cwd, url, enabled_tools: includeTools, disabled_tools: excludeTools} = given;
  const seconds = given['tool_timeout_sec'];
  const entry = {
    command,
    args,
    cwd,
    url,
    type: url === undefined ? undefined : 'http',
    env: joined(given['env'], passed(given['env_vars'])),
    headers: headersOf(given),
    timeout: typeof seconds === 'number' ? seconds * 1000 : undefined,
    includeTools,
    excludeTools,
  };
  const unknown = Object.keys(given).filter((key) => !READ.has(key));
  const notes = unknown.length > 0 ? [`${unknown.join(', ')} has no counterpart and is left out.`] : [];
  if (JSON.stringify([command, args, url, given['env'], given['http_headers']]).includes('$'))
    notes.push('It has a $ in it, which names a variable here, and is plain text there.');
  if (given['enabled'] === false) notes.push(`It is disabled there: \`gemini mcp disable ${name}\` does the same.`);
  return {name, entry: Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined)), notes};
}

/** Variables that a server gets under their own names. */
function passed(names: unknown): Readonly<Record<string, string>> {
  const texts = Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
  return Object.fromEntries(texts.map((name) => [name, `\${${name}}`]));
}

function headersOf({
  http_headers: plain,
  env_http_headers: named,
  bearer_token_env_var: bearer,
}: Table): Table | undefined {
  const byVariable = isTable(named)
    ? Object.fromEntries(Object.entries(named).map(([header, variable]) => [header, `\${${String(variable)}}`]))
    : {};
  const token = typeof bearer === 'string' ? {Authorization: `Bearer \${${bearer}}`} : {};
  return joined(plain, {...byVariable, ...token});
}

/** Both together; undefined when there is nothing. */
function joined(one: unknown, other: Table): Table | undefined {
  const both = {...(isTable(one) ? one : {}), ...other};
  return Object.keys(both).length === 0 ? undefined : both;
}
