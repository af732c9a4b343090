import {isToolError, listen, type ToolResult} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import type {Problem} from '../contract.js';
import {readSource} from '../parse/source-file.js';
import {newProblems} from '../servers/new-problems.js';
import {problemText} from '../show/problem-text.js';
import {pathShower} from '../show/shown-path.js';

/** How long an edit waits for a server, in all. */
const DEADLINE_MS = 2000;
/** Longer files are not checked. */
const MOST_TEXT = 1024 * 1024;

/** After an edit, the errors that the file has now and had not before, where a language server is installed. */
export default listen('tool:run', {
  filter: {tool: ['write_file', 'replace'], live: true},
  phase: 'post',
  async run(call, {next, service, signal}) {
    const path = call.touches.find(({kind, access}) => kind === 'path' && access === 'write')?.value;
    const servers = await service('code-servers');
    if (path === undefined || !(await servers.checks(path))) return next();
    const old = textOf(path, '');
    // The server reads the old text while the tool runs.
    const asked = old === undefined ? undefined : quietly(servers.problems(path, old, signal), signal);
    // It is awaited below, after the tool.
    asked?.catch(() => undefined);
    const result = await next();
    const late = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
    const before = await until(asked, late);
    const text = before === undefined ? undefined : textOf(path);
    if (before === undefined || text === undefined) return result;
    const after = await quietly(servers.problems(path, text, late), late);
    const added = after === undefined ? [] : newProblems(before.problems, after.problems).filter(isError);
    if (after === undefined || added.length === 0) return result;
    const shown = (await pathShower(await service('workspace')))(path);
    return withText(result, `\n\nNew errors in ${shown} since this edit:\n${problemText(shown, added, after.server)}`);
  },
});

function isError({severity}: Problem): boolean {
  return severity === 'error';
}

function withText(result: ToolResult, text: string): ToolResult {
  const {model} = result;
  return {...result, model: typeof model === 'string' ? model + text : [...model, {text}]};
}

/** Undefined for one that is not checked: too long, no file, not UTF-8. A new file was empty before. */
function textOf(path: string, missing?: ''): string | undefined {
  const source = readSource(path, MOST_TEXT);
  if ('text' in source) return source.text;
  return source.fault === 'does not exist' ? missing : undefined;
}

/** A server that fails or is late takes nothing from the edit. */
async function quietly<T>(asked: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return asked.catch((error: unknown) => {
    if (isToolError(error) || signal.aborted) return undefined;
    throw error;
  });
}

async function until<T>(asked: Promise<T> | undefined, late: AbortSignal): Promise<T | undefined> {
  const lateness = new Promise<undefined>((resolve) => {
    late.addEventListener('abort', () => resolve(undefined), {once: true});
  });
  return Promise.race([asked, lateness]);
}
