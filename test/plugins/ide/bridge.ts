import {realpath} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import type {Confirmation} from '@gemini-kernel/kernel';
import type {Script} from '@gemini-kernel/plugin-agent/testing';
import type {Ide} from '@gemini-kernel/plugin-ide/contract';
import {listenerCode, makeFolder, makePlugin} from '../../helpers/make-plugin.js';
import {startConversation, type Conversation} from '../agent/conversation.js';
import {rememberingEditor, startKit, type Companion} from './companion-kit.js';

/** A person at the terminal, who answers when the test says so. */
export interface Terminal {
  /** The questions that were put, each with its answer to be given and whether it was taken back. */
  readonly asked: {answer(confirmation: Confirmation): void; readonly withdrawn: Promise<string>}[];
  /** Resolves when the next question is put. */
  next(): Promise<void>;
}

/** A conversation beside an editor with a companion: everything between them is real. */
export interface Bridge extends Conversation {
  readonly companion: Companion;
  readonly editor: ReturnType<typeof rememberingEditor>;
  readonly ide: Ide;
  readonly terminal: Terminal;
  readonly temporary: string;
}

interface BridgeOptions {
  readonly script: Script;
  readonly files?: Readonly<Record<string, string>>;
  readonly enabled?: boolean;
  readonly isTrusted?: boolean;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly variables?: Readonly<Record<string, string>>;
  readonly confirm?: 'yes' | 'no';
  /** Folders of the editor; one that holds the project without them. */
  readonly roots?: readonly string[];
}

let count = 0;

/** Starts both, connected unless the setting says otherwise. */
export async function startBridge({
  enabled = true,
  isTrusted,
  settings = {},
  script,
  roots,
  ...options
}: BridgeOptions): Promise<Bridge> {
  const folder = await makeFolder();
  const editor = rememberingEditor();
  const companion = await startKit({
    temporary: folder.path,
    roots: roots ?? [await realpath(tmpdir())],
    editor,
    ide: {name: 'testeditor', displayName: 'Test Editor'},
    ...(isTrusted === undefined ? {} : {isTrusted}),
  });
  const {terminal, name} = makeTerminal();
  const person = await makePlugin(folder.path, {
    name,
    listeners: [{hook: 'tool:confirm', module: './confirm.js'}],
    files: {'confirm.js': listenerCode('tool:confirm', `return globalThis[${JSON.stringify(name)}](context.signal);`)},
  });
  const conversation = await startConversation({
    ...options,
    script,
    more: ['ide'],
    others: [person],
    temporary: folder.path,
    settings: {...settings, ide: {enabled, ...(settings['ide'] as object | undefined)}},
  });
  const ide = await conversation.kernel.service('ide');
  if (enabled) await ide.connect();
  return {
    ...conversation,
    companion,
    editor,
    ide,
    terminal,
    temporary: folder.path,
    async [Symbol.asyncDispose]() {
      await conversation[Symbol.asyncDispose]();
      await companion.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

function makeTerminal(): {readonly terminal: Terminal; readonly name: string} {
  const name = `terminal${(count += 1)}`;
  const asked: Terminal['asked'] = [];
  let onAsked = (): void => undefined;
  (globalThis as Record<string, unknown>)[name] = (signal: AbortSignal) =>
    new Promise((resolve, reject) => {
      const withdrawn = new Promise<string>((tell) =>
        signal.addEventListener('abort', () => {
          tell((signal.reason as Error).message);
          reject(signal.reason as Error);
        }),
      );
      asked.push({answer: resolve, withdrawn});
      onAsked();
    });
  return {name, terminal: {asked, next: () => new Promise((resolve) => (onAsked = resolve))}};
}

/** What the model received about the editor with each prompt: the JSON in it, in order. */
export function toldOf({server}: Pick<Conversation, 'server'>): readonly unknown[] {
  const texts =
    server.requests
      .at(-1)
      ?.messages.flatMap(({pieces}) =>
        pieces.flatMap((piece) => ('text' in piece && typeof piece.text === 'string' ? [piece.text] : [])),
      ) ?? [];
  return texts.flatMap((text) =>
    [...text.matchAll(/```json\n([\s\S]*?)\n```/g)].map(([, json = '']) => JSON.parse(json) as unknown),
  );
}
