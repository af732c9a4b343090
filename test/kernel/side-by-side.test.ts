import {spawn} from 'node:child_process';
import {mkdir, mkdtemp, realpath, rm, writeFile} from 'node:fs/promises';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {expect, test} from '@jest/globals';
import {checkout} from '../helpers/plugin-root.js';
import {startProxy} from '../helpers/proxy-server.js';

interface Ran {
  readonly outcomes: readonly (readonly unknown[])[];
  readonly after: {readonly held: readonly string[]; readonly listeners: unknown; readonly files: readonly string[]};
  readonly still: string;
}

function run(given: object): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const script = join(checkout, 'test', 'dist', 'helpers', 'run-side-by-side.js');
    const child = spawn(process.execPath, [script, JSON.stringify(given)], {timeout: 60_000});
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      const text = Buffer.concat(err).toString();
      if (code === 0 && text === '') resolve(JSON.parse(Buffer.concat(out).toString()) as Ran);
      else reject(new Error(`${String(code)}: ${text}`));
    });
  });
}

/** Two projects that differ in everything, as they are before anything runs. */
async function lay(root: string): Promise<void> {
  await rm(root, {recursive: true, force: true});
  for (const name of ['one', 'other']) {
    const files = {
      'a.txt': `a of ${name}\n`,
      'own.txt': 'own\n',
      [`docs/${name}.md`]: '',
      '.gemini/settings.json': JSON.stringify({model: {name: `model-of-${name}`}}),
    };
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(root, name, path)), {recursive: true});
      await writeFile(join(root, name, path), content);
    }
  }
}

test('two places with ten sessions each run side by side as if alone, and leave nothing behind [places.apart]', async () => {
  const root = join(await realpath(await mkdtemp(join(tmpdir(), 'gemini-places-'))), 'root');
  const server = createServer((request, response) => response.end(`${request.headers.host ?? ''}${request.url ?? ''}`));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const {port} = server.address() as AddressInfo;
  await using first = await startProxy(port);
  await using second = await startProxy(port);
  const placeOf = (name: string, proxy: number, trusted: boolean, mode: string): object => ({
    cwd: join(root, name),
    mode,
    variables: {WHO: name, HTTP_PROXY: `http://127.0.0.1:${proxy}`, GEMINI_CLI_TRUST_WORKSPACE: String(trusted)},
  });
  const one = placeOf('one', first.port, true, 'auto_edit');
  const other = placeOf('other', second.port, false, 'default');
  const sessions = 10;
  try {
    await lay(root);
    const alone = await run({places: [one], sessions, seed: 7});
    await lay(root);
    const otherAlone = await run({places: [other], sessions, seed: 1007});
    await lay(root);
    const asked = [first.seen.length, second.seen.length];
    const together = await run({places: [one, other], sessions, seed: 7});
    // Names of files say which place a session is of; the second place is the first where it is alone.
    const shift = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replaceAll(/\b0-(\d+-\d+)/g, '1-$1'));
    expect(together.outcomes[0]).toEqual(alone.outcomes[0]);
    expect(together.outcomes[1]).toEqual(shift(otherAlone.outcomes[0]));
    expect(JSON.stringify(together.outcomes[0])).toContain('model-of-one');
    expect(JSON.stringify(together.outcomes[1])).not.toContain('model-of-other');
    // Alone, a place is also the one that stays, and asks once more.
    expect([first.seen.length, second.seen.length]).toEqual([2 * (asked[0] ?? 0) - 1, 2 * (asked[1] ?? 0)]);
    expect([together.still, together.after.listeners]).toEqual(['service.example/on', otherAlone.after.listeners]);
    expect(together.after.files).toEqual(otherAlone.after.files);
    expect(together.after.held.length).toBeLessThanOrEqual(otherAlone.after.held.length);
  } finally {
    await new Promise((done) => server.close(done));
    await rm(dirname(root), {recursive: true, force: true});
  }
}, 120_000);
