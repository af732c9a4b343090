import type {View, ViewDescription, ViewItem, ViewOutcome, ViewText} from '../contract.js';
import type {Work} from './work.js';

interface WaitingParts {
  readonly work: Pick<Work, 'lines' | 'takeOne' | 'reorder'>;
  /** Puts a text into the prompt. */
  insert(text: string): void;
}

const DESCRIPTION: ViewDescription = {
  title: 'Lines that wait until gemini is done',
  empty: 'No line waits.',
  search: 'labels',
  sorts: [],
  actions: [
    {name: 'edit', key: 'e', label: 'take it back to edit'},
    {name: 'up', key: '-', label: 'earlier'},
    {name: 'down', key: '+', label: 'later'},
    {name: 'remove', key: 'x', label: 'remove'},
  ],
};

/** The lines that wait: to take one back, to remove it, and to change their order. */
export class WaitingView implements View {
  constructor(private readonly parts: WaitingParts) {}

  async describe(): Promise<ViewDescription> {
    return DESCRIPTION;
  }

  async list(): Promise<readonly ViewItem[]> {
    return this.parts.work.lines.map(({id, text}) => ({id, label: text}));
  }

  async preview(id: string): Promise<readonly ViewText[]> {
    const line = this.parts.work.lines.find((one) => one.id === id);
    return line ? [{kind: 'text', text: line.text}] : [];
  }

  async act(action: string, id: string): Promise<ViewOutcome> {
    const {work, insert} = this.parts;
    if (action === 'up' || action === 'down') {
      const isMoved = await work.reorder(id, action === 'up' ? -1 : 1);
      return {kind: 'stay', ...(isMoved ? {} : {sentence: 'It cannot be moved further.'})};
    }
    const text = await work.takeOne(id);
    if (text === undefined) return {kind: 'stay', sentence: 'It does not wait any more.'};
    if (action === 'remove') return {kind: 'stay', sentence: 'Removed.'};
    insert(text);
    return {kind: 'leave'};
  }
}
