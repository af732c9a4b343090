import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {isolate} from '../../helpers/run-gemini.js';
import {program, type Scene} from './scene.js';

type Table = Readonly<Record<string, unknown>>;

/** What came back for a request. */
export interface Answer {
  readonly result?: Table;
  readonly error?: {readonly code: number; readonly message: string; readonly data?: unknown};
}

/** A client of the stateless protocol that sends and shows messages as they are. */
export interface RawClient extends AsyncDisposable {
  /** Never throws for an answer that reports an error. */
  send(method: string, params?: Table): Promise<Answer>;
  /** Sends requests until the result has one of these states. */
  until(states: readonly string[], task: unknown): Promise<Table>;
}

/** Starts the real program, and speaks the newest revision with it. */
export function openRawClient({home, project}: Scene, capabilities: Table): RawClient {
  const child = spawn(process.execPath, [program, 'mcp', 'serve', '--yolo'], {
    cwd: project,
    env: isolate(home),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting = new Map<number, (answer: Answer) => void>();
  createInterface({input: child.stdout}).on('line', (line) => {
    const {id, ...answer} = JSON.parse(line) as Answer & {readonly id?: number};
    if (id !== undefined) waiting.get(id)?.(answer);
  });
  let last = 0;
  const send = (method: string, params: Table = {}): Promise<Answer> =>
    new Promise((resolve) => {
      const id = (last += 1);
      waiting.set(id, resolve);
      const meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': {name: 'raw', version: '1.0.0'},
        'io.modelcontextprotocol/clientCapabilities': capabilities,
      };
      child.stdin.write(`${JSON.stringify({jsonrpc: '2.0', id, method, params: {_meta: meta, ...params}})}\n`);
    });
  return {
    send,
    async until(states, taskId) {
      for (;;) {
        const {result = {}, error} = await send('tasks/get', {taskId});
        if (error) throw new Error(error.message);
        if (states.includes(String(result['status']))) return result;
      }
    },
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'close');
      child.stdin.end();
      await ended;
    },
  };
}
