import {provide, type ServiceContext} from '@gemini-kernel/kernel';
import type {
  View,
  ViewDescription,
  ViewItem,
  ViewOutcome,
  ViewQuery,
  ViewText,
} from '@gemini-kernel/plugin-agent/contract';
import type {SessionSummary, StoredSession} from '../contract.js';
import {isPrompt, shorten, sinceThen, textOfEntry} from '../session-texts.js';

/** The recorded sessions of the project: to continue, read, rename, export or delete one. */
export default provide('view:resume', {
  version: '1.0.0',
  scope: 'session',
  methods: ['describe', 'list', 'preview', 'act'],
  create: (context) => new ResumeView(context),
});

const DESCRIPTION: ViewDescription = {
  title: 'Sessions of this project',
  empty: 'No other session was recorded here. Sessions belong to the directory that they were started in.',
  search: 'contents',
  sorts: ['date', 'name'],
  actions: [
    {name: 'resume', key: 'o', label: 'continue it'},
    {name: 'rename', key: 'n', label: 'rename', input: {label: 'New name:', isItem: true}},
    {name: 'export', key: 'e', label: 'export', input: {label: 'Write to (.md or .json):'}},
    {name: 'delete', key: 'x', label: 'delete', confirm: 'Delete this session and its checkpoints?'},
  ],
};
const MOST_PROMPTS = 200;

class ResumeView implements View {
  constructor(private readonly context: Pick<ServiceContext, 'service' | 'environment'>) {}

  async describe(): Promise<ViewDescription> {
    return DESCRIPTION;
  }

  async list({text, sort, isReversed}: ViewQuery, signal: AbortSignal): Promise<readonly ViewItem[]> {
    const sessions = await this.context.service('sessions');
    const {sessions: all} = await sessions.list();
    signal.throwIfAborted();
    const found = text === '' ? undefined : await this.#search(text, all);
    const sorted = [...all].sort((a, b) =>
      sort === 'name' ? a.title.localeCompare(b.title) : Date.parse(b.updated) - Date.parse(a.updated),
    );
    const items = sorted.flatMap((session): readonly ViewItem[] => {
      const {id, title, number, updated, isCurrent} = session;
      const line = found?.get(id);
      if (found && line === undefined) return [];
      const details = `${isCurrent ? 'open, ' : ''}${sinceThen(updated, Date.now())}, ${number}`;
      return [{id, label: title, details, ...(line ? {found: line} : {})}];
    });
    return isReversed ? items.reverse() : items;
  }

  async preview(id: string): Promise<readonly ViewText[]> {
    const session = await (await this.context.service('sessions')).open(id);
    return previewOf(session);
  }

  async act(action: string, id: string, text = ''): Promise<ViewOutcome> {
    const sessions = await this.context.service('sessions');
    if (action === 'rename') {
      const {title} = await sessions.rename(id, text);
      return {kind: 'stay', sentence: `It is now called: ${shorten(title)}`};
    }
    if (action === 'delete') {
      const {title} = await sessions.delete(id);
      return {kind: 'stay', sentence: `Deleted: ${shorten(title)}`};
    }
    if (action === 'export') {
      const {formatOf, writeExport} = await import('../write-export.js');
      const written = await sessions.export(id, formatOf(text));
      const file = await writeExport(text, written, {cwd: this.context.environment.cwd, force: false});
      return {kind: 'stay', sentence: `Wrote ${file}.`};
    }
    const {isCurrent} = await sessions.find(id);
    return isCurrent
      ? {kind: 'stay', sentence: 'This session is the one that is open.'}
      : {kind: 'command', words: ['sessions', 'resume', id]};
  }

  /** Where each session contains the text; an empty line when its name does. */
  async #search(text: string, all: readonly SessionSummary[]): Promise<ReadonlyMap<string, string>> {
    const matches = await (await this.context.service('sessions')).search(text);
    const found = new Map<string, string>();
    for (const {id, title} of all) if (title.toLowerCase().includes(text.toLowerCase())) found.set(id, '');
    for (const {session, role, line} of matches)
      if (!found.get(session.id)) found.set(session.id, `${role === 'user' ? 'you' : 'model'}: ${line}`);
    return found;
  }
}

/** When it was, how it ended, and its prompts. */
function previewOf({entries, started, updated, scratchpad, notice}: StoredSession): readonly ViewText[] {
  const prompts = entries.filter(isPrompt);
  const last = prompts.at(-1);
  const answer =
    last && entries.slice(entries.indexOf(last)).findLast((one) => one.kind === 'model' && textOfEntry(one) !== '');
  const facts = [
    `started ${localTime(started)}, last used ${localTime(updated)}`,
    `${prompts.length === 1 ? 'one prompt' : `${prompts.length} prompts`}, ${entries.length} entries`,
    ...(scratchpad?.workflowSummary === undefined ? [] : [scratchpad.workflowSummary]),
    ...(notice === undefined ? [] : [notice]),
  ];
  return [
    {kind: 'text', text: facts.join('\n')},
    ...(last ? [{kind: 'text' as const, title: 'Last prompt', text: textOfEntry(last)}] : []),
    ...(answer ? [{kind: 'markdown' as const, title: 'Its answer', text: textOfEntry(answer)}] : []),
    ...(prompts.length > 1
      ? [
          {
            kind: 'text' as const,
            title: 'All prompts',
            text: prompts
              .slice(0, MOST_PROMPTS)
              .map((one, index) => `${index + 1}. ${shorten(textOfEntry(one))}`)
              .join('\n'),
          },
        ]
      : []),
  ];
}

function localTime(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}
