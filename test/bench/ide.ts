import {spawnSync} from 'node:child_process';
import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {readPlugin} from '@gemini-kernel/kernel/testing';
import {checkout} from '../helpers/plugin-root.js';
import {spoilPlugin} from '../helpers/spoil-plugin.js';
import {startConversation} from '../plugins/agent/conversation.js';
import {median, type Bench} from './measure.js';

const FILES = 50;

/** What one process finds, how long that took it, and how many processes it started. */
interface Found {
  readonly ms: number;
  readonly port: number;
  readonly children: number;
}

const finding: Bench = {
  name: `finding the editor among ${FILES} discovery files`,
  target: {atMost: 15, of: 'a millisecond'},
  async run() {
    const temporary = await mkdtemp(join(tmpdir(), 'gemini-bench-ide-'));
    const folder = join(temporary, 'gemini', 'ide');
    const [project, other] = [join(temporary, 'project'), join(temporary, 'other')];
    try {
      for (const one of [folder, project, other]) await mkdir(one, {recursive: true, mode: 0o700});
      // All of them live, so that each is read.
      const write = (port: number, root: string): Promise<void> =>
        writeFile(
          join(folder, `gemini-ide-server-${process.pid}-${port}.json`),
          JSON.stringify({
            port,
            workspacePath: root,
            authToken: 'token',
            ideInfo: {name: 'bench', displayName: 'Bench'},
          }),
          {mode: 0o600},
        );
      for (let port = 40_000; port < 40_000 + FILES; port += 1) await write(port, port === 40_025 ? project : other);
      const code = `import children, {spawn, execFile} from 'node:child_process';
        import {syncBuiltinESMExports} from 'node:module';
        let count = 0;
        for (const [name, act] of Object.entries({spawn, execFile})) children[name] = (...words) => (count += 1, act(...words));
        syncBuiltinESMExports();
        const {discoverEditors} = await import(${JSON.stringify(join(checkout, 'plugins/ide/dist/discovery/discover-editors.js'))});
        const environment = {cwd: ${JSON.stringify(project)}, platform: process.platform, variables: process.env, temporary: ${JSON.stringify(temporary)}};
        const started = performance.now();
        const {candidates} = await discoverEditors({environment, signal: new AbortController().signal});
        console.log(JSON.stringify({ms: performance.now() - started, port: candidates.length === 1 ? candidates[0].endpoint.port : 0, children: count}));`;
      const runs = Array.from(
        {length: 15},
        () =>
          JSON.parse(
            spawnSync(process.execPath, ['--input-type=module', '-e', code], {cwd: checkout, encoding: 'utf8'}).stdout,
          ) as Found,
      );
      const [odd] = runs.filter(
        ({port, children}) => port !== 40_025 || (process.platform === 'linux' && children > 0),
      );
      if (odd) throw new Error(`The editor was not found as it should be: ${JSON.stringify(odd)}`);
      const times = runs.map(({ms}) => ms);
      const started = Math.max(...runs.map(({children}) => children));
      return {
        ratio: median(times),
        detail:
          `median of ${times.length} processes, ${Math.min(...times).toFixed(1)} to ` +
          `${Math.max(...times).toFixed(1)} ms, ${started === 0 ? 'no child process' : `${started} child processes`}`,
      };
    } finally {
      await rm(temporary, {recursive: true, force: true});
    }
  },
};

const unloaded: Bench = {
  name: 'files of the editor plugin that a conversation reads where no editor is around',
  target: {atMost: 0, of: 'a file'},
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'gemini-bench-ide-'));
    const readOf = async (variables: Readonly<Record<string, string>>): Promise<number> => {
      const script = [
        {pieces: [{kind: 'call' as const, id: 'w', name: 'write_file', input: {file_path: 'a.txt', content: 'x'}}]},
        {pieces: [{kind: 'text' as const, text: 'Done.'}]},
      ];
      await using talk = await startConversation({
        script,
        others: [await readPlugin(await spoilPlugin('ide', folder))],
        variables,
        temporary: folder,
        confirm: 'yes',
      });
      await talk.send('write');
      return talk.kernel.warnings.filter((sentence) => sentence.includes('was read')).length;
    };
    try {
      if ((await readOf({GEMINI_CLI_IDE_SERVER_PORT: '1'})) === 0) throw new Error('What is read would not be seen.');
      return {
        ratio: await readOf({}),
        detail: 'a conversation with a change that is asked about; every file would say that it was read',
      };
    } finally {
      await rm(folder, {recursive: true, force: true});
    }
  },
};

/** What looking for the editor costs, and not looking for one. */
export const benchIde: readonly Bench[] = [finding, unloaded];
