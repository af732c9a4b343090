import {KernelError} from '@gemini-kernel/kernel';

/**
 * What the head of a prompt file may set. A file can come from anyone, so nothing here lets a run do more than the
 * person allowed: no approval mode, tools, trust, folders, policies, or files to read or write. Everything else is
 * refused.
 */
const LIMITS = ['max-turns', 'max-cost', 'timeout', 'fail-on-refused'] as const;
const ALLOWED = ['description', 'model', 'output-format', ...LIMITS] as const;
const FORMATS: readonly string[] = ['text', 'json', 'stream-json'];

/** Values by flag name, as typed. */
export type FileFlags = Readonly<Partial<Record<(typeof ALLOWED)[number], string>>>;

interface PromptFile {
  readonly flags: FileFlags;
  readonly body: string;
}

/**
 * Removes the first line of a script and the head between `---` from a prompt. Throws KernelError PROMPT_FILE_INVALID.
 */
export function splitFrontMatter(file: string, text: string): PromptFile {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const first = lines[0]?.startsWith('#!') ? 1 : 0;
  if (lines[first]?.trimEnd() !== '---') return {flags: {}, body: lines.slice(first).join('\n')};
  const end = lines.findIndex((line, index) => index > first && line.trimEnd() === '---');
  if (end < 0) throw invalid(file, first + 1, 'opens a head that is not closed by another line ---');
  const flags: Record<string, string> = {};
  for (const [index, line] of lines.slice(first + 1, end).entries()) {
    const fail = (why: string): KernelError => invalid(file, first + 2 + index, why);
    const entry = readLine(line, fail);
    if (entry && Object.hasOwn(flags, entry.key)) throw fail(`sets ${entry.key} a second time`);
    if (entry) flags[entry.key] = entry.value;
  }
  return {flags, body: lines.slice(end + 1).join('\n')};
}

interface HeadLine {
  readonly key: string;
  readonly value: string;
}

function readLine(line: string, fail: (why: string) => KernelError): HeadLine | undefined {
  if (/^\s*(#.*)?$/.test(line)) return undefined;
  const [, key = '', rest = ''] = /^([a-z][a-z-]*):(?:\s+(.*))?$/.exec(line.trimEnd()) ?? [];
  if (key === '') throw fail('is not of the form "name: value"');
  if (!(ALLOWED as readonly string[]).includes(key)) throw fail(`sets ${key}, which a prompt file may not set`);
  const value = unquote(rest);
  const fault = findFault(key, value);
  if (fault) throw fail(`gives ${key} ${fault}`);
  return {key, value};
}

function unquote(text: string): string {
  const quoted = /^(["'])(.*)\1$/.exec(text.trim());
  return quoted?.[2] ?? text.replace(/(^|\s+)#.*$/, '').trim();
}

function findFault(key: string, value: string): string | undefined {
  if (value === '' && key !== 'description') return 'no value';
  if (key === 'output-format' && !FORMATS.includes(value)) return `a value that is not ${FORMATS.join(', ')}`;
  if (key === 'fail-on-refused' && value !== 'true') return 'another value than true';
  if (key === 'model' && /^(-|replay:)/.test(value)) return `the value ${value}, which is not the name of a model`;
  return undefined;
}

function invalid(file: string, line: number, why: string): KernelError {
  const hint = `A head may set ${ALLOWED.join(', ')}. Pass everything else on the command line, before --prompt-file.`;
  return new KernelError('PROMPT_FILE_INVALID', `Line ${line} of ${file} ${why}.`, {hint});
}
