import {spawn} from 'node:child_process';

/**
 * @typedef {{code: number | null, stdout: string, stderr: string}} Ended
 * @typedef {{cwd: string, env?: NodeJS.ProcessEnv, signal?: AbortSignal, shell?: boolean}} RunOptions
 */

/**
 * Runs a program and gives what it printed. Rejects when it cannot start or the signal aborts.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} options
 * @returns {Promise<Ended>}
 */
export function run(command, args, {cwd, env = process.env, signal, shell = false}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {cwd, env, signal, shell, stdio: ['ignore', 'pipe', 'pipe']});
    const printed = {stdout: '', stderr: ''};
    child.stdout.setEncoding('utf8').on('data', (text) => (printed.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (printed.stderr += text));
    child.on('error', () => reject(signal?.aborted ? signal.reason : new Error(`Cannot start ${command}.`)));
    child.on('close', (code) => (signal?.aborted ? reject(signal.reason) : resolve({code, ...printed})));
  });
}

/**
 * Runs the npm that started this program, else the one on PATH.
 * @param {readonly string[]} args
 * @param {RunOptions} options
 */
export function runNpm(args, options) {
  const own = process.env.npm_execpath;
  if (own && /\.[cm]?js$/.test(own)) return run(process.execPath, [own, ...args], options);
  return run('npm', args, {...options, shell: process.platform === 'win32'});
}

/**
 * Runs `act` for each item, `width` at a time, and gives the results in order.
 * @template Item, Result
 * @param {readonly Item[]} items
 * @param {number} width
 * @param {(item: Item) => Promise<Result>} act
 * @returns {Promise<Result[]>}
 */
export async function mapSideBySide(items, width, act) {
  /** @type {Result[]} */
  const results = [];
  let next = 0;
  const work = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await act(items[index]);
    }
  };
  await Promise.all(Array.from({length: width}, work));
  return results;
}
