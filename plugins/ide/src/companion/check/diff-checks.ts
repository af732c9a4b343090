import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join, sep} from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {diffTools, notifications} from '../../protocol.js';
import {meetCompanion, type Stranger} from './mcp-stranger.js';
import {shorten} from './read-messages.js';
import type {Check, Subject} from './subject.js';
import {demand} from './unfit.js';

/** In bytes. */
const LARGE = 1024 * 1024;
const PROPOSED = 'what is proposed\n';
/** How long the companion must stay silent, in milliseconds. */
const QUIET_MS = 300;

interface Scene {
  readonly stranger: Stranger;
  /** A file that exists. */
  readonly path: string;
  /** The folder it is in. */
  readonly folder: string;
  readonly subject: Subject;
}

/** The checks of how changes are shown. */
export function diffChecks(): readonly Check[] {
  return [...viewChecks(), ...decisionChecks(), ...inputChecks()];
}

/** A view opens and closes. */
function viewChecks(): readonly Check[] {
  return [
    diffCheck(
      'diff-opens',
      'openDiff shows the change and answers with empty content; the decision of the person comes later.',
      ({stranger, path}) => open(stranger, path, PROPOSED),
    ),
    diffCheck(
      'diff-closes',
      'closeDiff answers with one text part, {"content": <the text of the view>}.',
      async ({stranger, path}) => {
        await open(stranger, path, PROPOSED);
        demandContent(await close(stranger, path), PROPOSED);
      },
    ),
    diffCheck(
      'diff-closes-nothing',
      'closeDiff of a file without a diff answers with {"content": null}.',
      async ({stranger, folder}) => demandContent(await close(stranger, join(folder, 'never-opened.txt')), null),
    ),
  ];
}

/** The session that opened a view learns how it ended, unless it asked for silence. */
function decisionChecks(): readonly Check[] {
  return [
    diffCheck(
      'diff-silent',
      'closeDiff with suppressNotification sends no notification.',
      async ({stranger, path, subject}) => {
        await open(stranger, path, PROPOSED);
        await close(stranger, path);
        await setTimeout(QUIET_MS, undefined, {signal: subject.signal});
        const said = stranger.ear.told.find(({method, params}) => isDecision(method) && pathOf(params) === path);
        demand(said === undefined, `${said?.method} was sent.`);
      },
    ),
    diffCheck(
      'diff-rejected',
      'closeDiff without it sends ide/diffRejected (or ide/diffClosed) with filePath to the session that opened it.',
      async ({stranger, path}) => {
        await open(stranger, path, PROPOSED);
        await close(stranger, path, false);
        const {method} = await stranger.ear.waitFor(
          ({method: one, params}) => isDecision(one) && pathOf(params) === path,
        );
        demand(method !== notifications.diffAccepted, 'The diff was reported as accepted.');
      },
    ),
  ];
}

/** Files and texts of all kinds are shown, or refused. */
function inputChecks(): readonly Check[] {
  return [
    diffCheck('diff-new-file', 'A file that does not exist yet can be shown too.', async ({stranger, folder}) => {
      const path = join(folder, 'new.txt');
      await open(stranger, path, PROPOSED);
      demandContent(await close(stranger, path), PROPOSED);
    }),
    diffCheck('diff-relative', 'openDiff of a path that is not absolute is an error.', ({stranger}) =>
      demandRefusal(stranger, {filePath: `folder${sep}file.txt`, newContent: PROPOSED}),
    ),
    diffCheck('diff-input', 'openDiff without newContent is an error.', ({stranger, path}) =>
      demandRefusal(stranger, {filePath: path}),
    ),
    diffCheck('diff-large', 'A text of 1 MiB comes back unchanged.', async ({stranger, path}) => {
      const text = 'one more line..\n'.repeat(LARGE / 16);
      await open(stranger, path, text);
      demandContent(await close(stranger, path), text);
    }),
    diffCheck(
      'diff-names',
      'File names with spaces, quotes and letters of all kinds work.',
      async ({stranger, folder}) => {
        const path = join(folder, "an odd name, 'quoted' & äöü 文件 😀 %20#?.txt");
        await open(stranger, path, PROPOSED);
        demandContent(await close(stranger, path), PROPOSED);
      },
    ),
  ];
}

function diffCheck(name: string, says: string, act: (scene: Scene) => Promise<void>): Check {
  return {
    name,
    says,
    needs: 'session',
    async run(subject) {
      const folder = await mkdtemp(join(tmpdir(), 'gemini-check-'));
      const path = join(folder, 'file.txt');
      try {
        await writeFile(path, 'what is there\n');
        await using stranger = await meetCompanion(subject);
        await act({stranger, path, folder, subject});
        // Leave no view open in the editor.
        await close(stranger, path);
      } finally {
        await rm(folder, {recursive: true, force: true});
      }
    },
  };
}

async function open(stranger: Stranger, filePath: string, newContent: string): Promise<void> {
  const result = (await stranger.call(diffTools.open, {filePath, newContent})) as
    {content?: unknown; isError?: unknown} | undefined;
  demand(result?.isError !== true, `openDiff failed: ${shorten(JSON.stringify(result?.content))}.`);
  demand(
    Array.isArray(result?.content) && result.content.length === 0,
    `openDiff answered with the content ${shorten(JSON.stringify(result?.content))}.`,
  );
}

async function close(stranger: Stranger, filePath: string, suppressNotification = true): Promise<unknown> {
  return stranger.call(diffTools.close, {filePath, suppressNotification});
}

function demandContent(result: unknown, wanted: string | null): void {
  const {content, isError} = (result ?? {}) as {content?: unknown; isError?: unknown};
  const [part, ...more] = (Array.isArray(content) ? content : []) as readonly {type?: unknown; text?: unknown}[];
  demand(
    isError !== true && part?.type === 'text' && typeof part.text === 'string' && more.length === 0,
    `closeDiff answered with ${shorten(JSON.stringify(result))}, not one text.`,
  );
  const said = contentOf(part.text);
  demand(said !== undefined, `The text of closeDiff is ${shorten(part.text)}, not {"content": …}.`);
  demand(
    said.content === wanted,
    `content is ${shorten(JSON.stringify(said.content))}, not ${shorten(JSON.stringify(wanted))}.`,
  );
}

function contentOf(text: string): {readonly content: unknown} | undefined {
  try {
    const said = JSON.parse(text) as unknown;
    // Not every language writes undefined values.
    return typeof said === 'object' && said !== null && !Array.isArray(said)
      ? {content: (said as {content?: unknown}).content ?? null}
      : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

async function demandRefusal(
  stranger: Stranger,
  input: {readonly filePath: string; readonly newContent?: string},
): Promise<void> {
  const {result, error} = await stranger.request('tools/call', {name: diffTools.open, arguments: input});
  if (error === undefined && (result as {isError?: unknown} | undefined)?.isError === true) return;
  if (error === undefined) await close(stranger, input.filePath).catch((failed: unknown) => failed);
  demand(error !== undefined, 'The answer claims that the diff is shown.');
}

function isDecision(method: string): boolean {
  return [notifications.diffAccepted, notifications.diffRejected, notifications.diffClosed].some(
    (one) => one === method,
  );
}

function pathOf(params: unknown): unknown {
  return (params as {filePath?: unknown} | undefined)?.filePath;
}
