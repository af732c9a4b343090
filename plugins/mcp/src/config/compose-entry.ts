import {KernelError} from '@gemini-kernel/kernel';

/** An entry of `mcpServers`, as it is written. */
export type Entry = Readonly<Record<string, unknown>>;

interface Given {
  readonly target: string;
  /** Arguments of a program. */
  readonly words: readonly string[];
  readonly transport?: 'stdio' | 'sse' | 'http' | undefined;
  readonly env?: readonly string[] | undefined;
  readonly header?: readonly string[] | undefined;
  readonly timeout?: number | undefined;
  readonly trust?: boolean | undefined;
  readonly description?: string | undefined;
  readonly 'include-tools'?: readonly string[] | undefined;
  readonly 'exclude-tools'?: readonly string[] | undefined;
}

/** The entry that a command line describes. Throws KernelError MCP_SERVER_INVALID. */
export function composeEntry(given: Given): Entry {
  const isAddress = given.transport === undefined ? /^https?:\/\//i.test(given.target) : given.transport !== 'stdio';
  const common = {
    timeout: given.timeout,
    trust: given.trust === true ? true : undefined,
    description: given.description,
    includeTools: given['include-tools'],
    excludeTools: given['exclude-tools'],
  };
  const entry = {...(isAddress ? composeRemote(given) : composeProgram(given)), ...common};
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
}

function composeRemote({target, words, transport, env, header}: Given): Entry {
  if (words.length > 0) throw invalid(`An address takes no arguments: ${words.join(' ')}.`);
  if (env?.length) throw invalid('--env is for programs; a server at an address has no variables.');
  return {url: target, type: transport, headers: header && pairsOf('--header', 'Name: value', ':', header)};
}

function composeProgram({target, words, env, header}: Given): Entry {
  if (header?.length) throw invalid('--header is for addresses; a program gets no headers.');
  return {command: target, args: words, env: env && pairsOf('--env', 'NAME=value', '=', env)};
}

/** Only the first separator counts, so that values may contain it. */
function pairsOf(flag: string, form: string, separator: string, texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf(separator);
      if (at <= 0) throw invalid(`${flag} must have the form ${form}, not ${JSON.stringify(text)}.`);
      return [text.slice(0, at).trim(), separator === ':' ? text.slice(at + 1).trim() : text.slice(at + 1)];
    }),
  );
}

function invalid(sentence: string): KernelError {
  return new KernelError('MCP_SERVER_INVALID', sentence, {hint: 'See `gemini mcp add --help`.'});
}
