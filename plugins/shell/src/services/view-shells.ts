import {messageOf, provide, type ServiceContext} from '@gemini-kernel/kernel';
import type {
  View,
  ViewDescription,
  ViewItem,
  ViewOutcome,
  ViewQuery,
  ViewText,
} from '@gemini-kernel/plugin-agent/contract';
import {endSentence} from '../background-commands.js';
import {endText} from '../command-text.js';
import type {Processes} from '../contract.js';

/** The commands in the background: what they print, and ways to type into them and to stop them. */
export default provide('view:shells', {
  version: '1.0.0',
  scope: 'session',
  methods: ['describe', 'list', 'preview', 'act'],
  create: (context) => new ShellsView(context),
});

const LINES = 2000;
const REFRESH_MS = 300;

const DESCRIPTION: ViewDescription = {
  title: 'Commands in the background',
  empty: 'No command runs in the background. Ctrl+B sends a running one there.',
  search: 'labels',
  sorts: [],
  start: 'last',
  refreshMs: REFRESH_MS,
  actions: [
    {name: 'read', key: 'a', label: 'attach: read what it prints'},
    {name: 'type', key: 't', label: 'type a line into it', input: {label: 'Type:'}},
    {name: 'stop', key: 'x', label: 'stop', confirm: 'Stop this command and all that it started?'},
  ],
};

class ShellsView implements View {
  constructor(private readonly context: Pick<ServiceContext, 'service'>) {}

  async describe(): Promise<ViewDescription> {
    return DESCRIPTION;
  }

  async list({isReversed}: ViewQuery): Promise<readonly ViewItem[]> {
    const items = (await (await this.#processes()).list()).map(({pid, command, end}) => ({
      id: String(pid),
      label: command,
      details: `${pid}, ${end ? `ended: ${endText(end)}` : 'running'}`,
    }));
    return isReversed ? items.reverse() : items;
  }

  async preview(id: string): Promise<readonly ViewText[]> {
    const {command, end, output} = await (await this.#processes()).read(Number(id), {lines: LINES});
    const left = output.omittedLines > 0 ? ` (${output.omittedLines} earlier lines are not shown)` : '';
    return [
      {kind: 'text', title: `Process ${id}: ${end ? endText(end) : 'running'}`, text: command},
      {kind: 'text', title: `Output${left}`, text: output.text || 'None so far.', isTail: true},
    ];
  }

  async act(action: string, id: string, text = ''): Promise<ViewOutcome> {
    const processes = await this.#processes();
    if (action === 'read') return {kind: 'read'};
    if (action === 'stop') return {kind: 'stay', sentence: endSentence(await processes.stop(Number(id)))};
    try {
      await processes.type(Number(id), `${text}\n`);
    } catch (error) {
      return {kind: 'stay', sentence: messageOf(error)};
    }
    return {kind: 'stay'};
  }

  #processes(): Promise<Processes> {
    return this.context.service('processes');
  }
}
