import type {Message, Part, StreamResponse, Task, TaskState} from '#client';
import type {RemoteEnd} from '../contract.js';

/** Characters of an answer that are kept. */
const MOST = 400_000;

interface Artifact {
  readonly text: string;
  /** It is for programs: it counts where nothing is for people. */
  readonly isData: boolean;
}

/** Puts an answer together, from the events of a stream or a task. */
export class Answer {
  readonly #artifacts = new Map<string, Artifact>();
  #message = '';
  #said = '';
  contextId = '';
  taskId = '';
  state: TaskState | undefined;

  constructor(private readonly onProgress: (line: string) => void) {}

  add({payload}: StreamResponse): void {
    switch (payload?.$case) {
      case 'message':
        return this.message(payload.value);
      case 'task':
        return this.task(payload.value);
      case 'statusUpdate':
        this.#place(payload.value);
        return this.#status(payload.value.status);
      case 'artifactUpdate': {
        const {artifact, append} = payload.value;
        this.#place(payload.value);
        if (artifact) this.#artifact(artifact, append);
        return;
      }
      default:
    }
  }

  message({parts, contextId, taskId}: Message): void {
    this.#place({contextId, taskId});
    this.#message = cut(`${this.#message}${textOf(parts)}`);
  }

  task({id, contextId, status, artifacts}: Task): void {
    this.#place({contextId, taskId: id});
    for (const artifact of artifacts) this.#artifact(artifact, false);
    this.#status(status);
  }

  /** What it said, artifacts before words about them. */
  get text(): string {
    const artifacts = [...this.#artifacts.values()].filter(({text}) => text.trim() !== '');
    const readable = artifacts.filter(({isData}) => !isData);
    const shown = readable.length > 0 ? readable : artifacts;
    if (shown.length > 0) return cut(shown.map(({text}) => text).join('\n\n'));
    return this.#message === '' ? this.#said : this.#message;
  }

  /** What it said with its last state, such as a question. */
  get said(): string {
    return this.#said;
  }

  end(states: Readonly<Record<string, TaskState>>): Pick<RemoteEnd, 'status' | 'reason'> | undefined {
    const {state} = this;
    if (state === undefined) return this.#message === '' ? undefined : {status: 'done'};
    if (state === states['TASK_STATE_COMPLETED']) return {status: 'done'};
    if (state === states['TASK_STATE_INPUT_REQUIRED']) return {status: 'asks'};
    const [name = ''] = Object.entries(states).find(([key, value]) => value === state && key.startsWith('TASK_')) ?? [];
    const word = name.replace('TASK_STATE_', '').toLowerCase().replaceAll('_', ' ');
    const reason = this.#said === '' ? `its task is ${word}` : this.#said.slice(0, 1000);
    if (name === 'TASK_STATE_REJECTED' || name === 'TASK_STATE_AUTH_REQUIRED') return {status: 'refused', reason};
    return name === 'TASK_STATE_FAILED' || /CANCEL/.test(name) ? {status: 'failed', reason} : undefined;
  }

  #place({contextId, taskId}: {readonly contextId: string; readonly taskId: string}): void {
    if (contextId !== '') this.contextId = contextId.slice(0, 500);
    if (taskId !== '') this.taskId = taskId.slice(0, 500);
  }

  #status(status: Task['status']): void {
    if (!status) return;
    this.state = status.state;
    const text = status.message ? textOf(status.message.parts) : '';
    if (text === '') return;
    this.#said = cut(text);
    const progress = progressOf(status.message?.parts ?? []).replaceAll(/\s+/g, ' ');
    if (progress !== '') this.onProgress(progress.slice(0, 80));
  }

  #artifact(
    {artifactId, parts}: {readonly artifactId: string; readonly parts: readonly Part[]},
    append: boolean,
  ): void {
    const known = append ? (this.#artifacts.get(artifactId)?.text ?? '') : '';
    const isData = parts.every(({content}) => content?.$case === 'data');
    this.#artifacts.set(artifactId, {text: cut(`${known}${textOf(parts)}`), isData});
  }
}

/** What people read of a state: its text, or the tool that it tells of. */
function progressOf(parts: readonly Part[]): string {
  const texts = parts.flatMap(({content}) => (content?.$case === 'text' ? [content.value] : []));
  const tools = parts.flatMap(({content}) => {
    const {tool_name: tool} = Object(content?.$case === 'data' ? content.value : {}) as {readonly tool_name?: unknown};
    return typeof tool === 'string' ? [tool] : [];
  });
  return (texts.length > 0 ? texts : tools).join(' ');
}

function textOf(parts: readonly Part[]): string {
  return parts
    .map(({content}) => {
      if (content?.$case === 'text') return content.value;
      if (content?.$case === 'data') return JSON.stringify(content.value);
      return content ? `[${content.$case === 'url' ? content.value : 'a file'}]` : '';
    })
    .join('');
}

function cut(text: string): string {
  return text.length > MOST ? `${text.slice(0, MOST)}…` : text;
}
