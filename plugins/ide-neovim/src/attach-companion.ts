import {readFile} from 'node:fs/promises';
import {setTimeout} from 'node:timers/promises';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import type {Companion, CompanionEditor, OpenFile} from '@gemini-kernel/plugin-ide/companion';
import {readLua} from './lua-file.js';
import {connectToNeovim, type NeovimRpc} from './neovim-rpc.js';

/** What Neovim reports about itself. */
interface State {
  readonly openFiles: readonly OpenFile[];
  readonly root: string;
}

export interface AttachRequest {
  readonly address: string;
  readonly temporary: string;
  readonly signal: AbortSignal;
  warn(sentence: string): void;
}

export interface Attached {
  readonly port: number;
  readonly pid: number;
  readonly root: string;
  /** Resolves when Neovim has ended or the signal was aborted; the companion has ended by then too. */
  readonly ended: Promise<void>;
}

/** Larger files are not compared. */
const LARGEST = 8 * 1024 * 1024;
const LEAVE_MS = 500;

/** Attaches a companion to a running Neovim. Throws KernelError NEOVIM_UNREACHABLE or NEOVIM_UNFIT. */
export async function attachCompanion({address, temporary, signal, warn}: AttachRequest): Promise<Attached> {
  let companion: Companion | undefined;
  let root = '';
  const followRoot = (next: string): void => {
    if (next === root) return;
    root = next;
    void companion?.setRoots([root]).catch((error: unknown) => warn(messageOf(error)));
  };
  const neovim = await connectToNeovim(address, (method, parameters) =>
    hear(companion, {method, parameters, followRoot, warn}),
  );
  try {
    const {startCompanion} = await import('@gemini-kernel/plugin-ide/companion');
    const {pid, state, channel} = await enter(neovim, address);
    const started = (companion = await startCompanion({
      ide: {name: 'neovim', displayName: 'Neovim'},
      roots: [state.root],
      pid,
      temporary,
      warn,
      editor: editorOf(neovim),
    }));
    root = state.root;
    started.update({openFiles: state.openFiles});
    await run(neovim, 'set_variables', started.variables());
    const leave = (): void => void takeLeave(neovim, channel).finally(() => neovim.close());
    signal.addEventListener('abort', leave, {once: true});
    if (signal.aborted) leave();
    return {port: started.port, pid, root: state.root, ended: neovim.ended.then(() => started.close())};
  } catch (error) {
    neovim.close();
    await companion?.close();
    throw error;
  }
}

interface Entered {
  readonly pid: number;
  readonly state: State;
  /** The name of this connection in Neovim. */
  readonly channel: number;
}

/** Loads our part into Neovim; it replaces that of an earlier companion. */
async function enter(neovim: NeovimRpc, address: string): Promise<Entered> {
  try {
    const [channel] = (await neovim.request('nvim_get_api_info')) as readonly [number];
    return {
      ...((await neovim.request('nvim_exec_lua', await readLua('companion'), [channel])) as {
        pid: number;
        state: State;
      }),
      channel,
    };
  } catch (cause) {
    throw new KernelError('NEOVIM_UNFIT', `Cannot use the program at ${address} as Neovim: ${messageOf(cause)}`, {
      cause,
      hint: 'Neovim 0.7 or newer is required. Run nvim --version to check yours.',
    });
  }
}

/**
 * Removes the variables from Neovim: new terminals would otherwise send their token to the next program on the port.
 * Does not wait for a Neovim that hangs.
 */
async function takeLeave(neovim: NeovimRpc, channel: number): Promise<void> {
  const late = new AbortController();
  // Neovim may have ended, and its variables with it.
  const left = run(neovim, 'take_back', channel).catch((error: unknown) => error);
  await Promise.race([left, setTimeout(LEAVE_MS, undefined, {signal: late.signal}).catch((error: unknown) => error)]);
  late.abort();
}

function run(
  neovim: NeovimRpc,
  name: 'open_diff' | 'close_diff' | 'set_variables' | 'take_back',
  ...parameters: readonly unknown[]
): Promise<unknown> {
  return neovim.request('nvim_exec_lua', `return _G.gemini_companion.${name}(...)`, parameters);
}

function editorOf(neovim: NeovimRpc): CompanionEditor {
  return {
    async openDiff({path, text}) {
      const before = await readText(path);
      if (text.includes('\0') || before.includes('\0'))
        throw new Error(`${path} contains zero bytes, which Neovim cannot show.`);
      await run(neovim, 'open_diff', path, before, text);
    },
    async closeDiff(path) {
      const {text} = (await run(neovim, 'close_diff', path)) as {readonly text?: string};
      return text ?? undefined;
    },
  };
}

/** A file that does not exist is compared with an empty one. */
async function readText(path: string): Promise<string> {
  try {
    const bytes = await readFile(path);
    if (bytes.length > LARGEST) throw new Error(`${path} has ${bytes.length} bytes, too many to compare in Neovim.`);
    return bytes.toString('utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

interface Heard {
  readonly method: string;
  readonly parameters: readonly unknown[];
  followRoot(root: string): void;
  warn(sentence: string): void;
}

function hear(companion: Companion | undefined, {method, parameters, followRoot, warn}: Heard): void {
  try {
    const [first, second] = parameters;
    if (method === 'gemini_accepted') companion?.accept(String(first), String(second));
    if (method === 'gemini_rejected') companion?.reject(String(first));
    if (method === 'gemini_state') {
      const state = first as State;
      companion?.update({openFiles: Array.isArray(state.openFiles) ? state.openFiles : []});
      followRoot(state.root);
    }
  } catch (error) {
    // gemini may have closed the view at the same moment.
    warn(messageOf(error));
  }
}
