import {provide, type ServiceContext} from '@gemini-kernel/kernel';
import type {
  View,
  ViewDescription,
  ViewItem,
  ViewOutcome,
  ViewQuery,
  ViewText,
} from '@gemini-kernel/plugin-agent/contract';
import type {FileChange, PromptChanges} from '../contract.js';
import {shorten} from '../session-texts.js';

/** The prompts of the open session: to go back to before one of them. */
export default provide('view:rewind', {
  version: '1.0.0',
  scope: 'session',
  methods: ['describe', 'list', 'preview', 'act'],
  create: (context) => new RewindView(context),
});

const DESCRIPTION: ViewDescription = {
  title: 'Go back to before a prompt',
  empty: 'This session has no prompts yet.',
  search: 'labels',
  sorts: [],
  start: 'last',
  actions: [
    {
      name: 'both',
      key: 'b',
      label: 'conversation and files',
      confirm: 'Remove this prompt and all after it, and restore the files?',
    },
    {name: 'conversation', key: 'c', label: 'conversation only', confirm: 'Remove this prompt and all after it?'},
    {name: 'files', key: 'f', label: 'files only', confirm: 'Restore the files to before this prompt?'},
  ],
};

class RewindView implements View {
  constructor(private readonly context: Pick<ServiceContext, 'service'>) {}

  async describe(): Promise<ViewDescription> {
    return DESCRIPTION;
  }

  async list({isReversed}: ViewQuery): Promise<readonly ViewItem[]> {
    const sessions = await this.context.service('sessions');
    const [prompts, changes] = await Promise.all([sessions.prompts('current'), sessions.changes('current')]);
    const items = prompts.map(({id, text}) => {
      const details = describeCount(changes.find(({prompt}) => prompt === id));
      return {id, label: shorten(text), ...(details === undefined ? {} : {details})};
    });
    return isReversed ? items.reverse() : items;
  }

  async preview(id: string): Promise<readonly ViewText[]> {
    const sessions = await this.context.service('sessions');
    const [prompts, changes] = await Promise.all([sessions.prompts('current'), sessions.undo('current', id)]);
    const at = prompts.findIndex((one) => one.id === id);
    const text = prompts[at]?.text ?? '';
    const later = prompts.length - at - 1;
    const files =
      changes.length === 0
        ? 'No file would change.'
        : `These files would change (${changes.length}); a red line would go, a green one would come back:`;
    return [
      {kind: 'text', title: 'The prompt, which you get back to edit', text},
      {
        kind: 'text',
        text: `${later === 0 ? 'It is the last prompt.' : `Later prompts: ${later}.`} ${files}`,
      },
      ...changes.map(showChange),
    ];
  }

  async act(action: string, id: string): Promise<ViewOutcome> {
    return {kind: 'command', words: ['sessions', 'rewind', id, '--what', action]};
  }
}

function describeCount(changes: PromptChanges | undefined): string | undefined {
  if (!changes) return undefined;
  const {files, added, removed, isComplete} = changes;
  const lines = isComplete || added + removed > 0 ? ` +${added} -${removed}${isComplete ? '' : ' or more'}` : '';
  return `${files === 1 ? '1 file' : `${files} files`}${lines}`;
}

const KINDS = {created: 'comes back', changed: 'changes', deleted: 'is removed'} as const;

function showChange({path, kind, added, removed, diff, note}: FileChange): ViewText {
  const title = `${path} ${KINDS[kind]} (+${added} -${removed})${note === undefined ? '' : `. ${note}`}`;
  return diff === '' ? {kind: 'text', title, text: ''} : {kind: 'diff', title, text: bodyOf(diff)};
}

/** The hunks, without the names of the file, which are in the title. */
function bodyOf(diff: string): string {
  const at = diff.indexOf('\n@@ ');
  return at < 0 ? diff : diff.slice(at + 1);
}
