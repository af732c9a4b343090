import {mkdir, mkdtemp, realpath, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {checkout} from '../helpers/plugin-root.js';
import {createHome} from './dummy-plugins.js';
import {compareRuns, median, peakMemory, timeRun, type Bench, type Program} from './measure.js';

const bare: Program = {argv: ['-e', '0']};
const of = '`node -e 0`';
const ROUNDS = 15;

/** Runs `act` with a project and a home where `count` generated plugins are installed. */
export async function withHome<T>(
  count: number,
  act: (program: (argv: readonly string[]) => Program, home: string) => T | Promise<T>,
): Promise<T> {
  const home = await createHome(count);
  const project = await realpath(await mkdtemp(join(tmpdir(), 'gemini-bench-project-')));
  await writeFile(join(project, 'a.txt'), 'hello\n');
  await mkdir(join(home, '.gemini'), {recursive: true});
  await writeFile(join(home, '.gemini', 'trustedFolders.json'), JSON.stringify({[project]: 'TRUST_FOLDER'}));
  try {
    const program = (argv: readonly string[]): Program => ({
      argv: [join(checkout, 'bin', 'gemini.cjs'), ...argv],
      cwd: project,
      variables: {HOME: home},
    });
    return await act(program, home);
  } finally {
    await rm(home, {recursive: true, force: true});
    await rm(project, {recursive: true, force: true});
  }
}

function timeBench(argv: readonly string[], atMost: number): Bench {
  return {
    name: `gemini ${argv.join(' ')}`,
    target: {atMost, of},
    run: () =>
      withHome(30, (program) => {
        const {a, b} = compareRuns(program(argv), bare, ROUNDS);
        return {ratio: a / b, detail: `${a.toFixed(1)} ms against ${b.toFixed(1)} ms, 30 plugins installed`};
      }),
  };
}

const memory: Bench = {
  name: 'peak memory of gemini directory show',
  target: {atMost: 1.5, of: 'that of `node -e 0`'},
  run: () =>
    withHome(30, (program) => {
      const [a, b] = [program(['directory', 'show']), bare].map((one) =>
        median(Array.from({length: 10}, () => peakMemory(one))),
      );
      return {
        ratio: (a ?? 0) / (b ?? 1),
        detail: `${((a ?? 0) / 1024).toFixed(1)} MiB against ${((b ?? 1) / 1024).toFixed(1)} MiB`,
      };
    }),
};

const perPlugin: Bench = {
  name: 'each installed plugin more (10 against 100)',
  target: {atMost: 0.3, of: 'a millisecond'},
  run: () =>
    withHome(10, (few) =>
      withHome(100, (many) => {
        const differences = Array.from(
          {length: 2 * ROUNDS},
          () => timeRun(many(['directory', 'show'])) - timeRun(few(['directory', 'show'])),
        );
        const each = median(differences) / 90;
        return {
          ratio: each,
          detail: `${(each * 90).toFixed(1)} ms for 90 plugins; the code of each throws when it is read`,
        };
      }),
    ),
};

/** What a start costs. */
export const starts: readonly Bench[] = [
  timeBench(['--version'], 1.25),
  timeBench(['directory', 'show'], 3),
  timeBench(['directory', 'explain', 'a.txt'], 3),
  timeBench(['settings', 'get', 'context.fileName'], 3),
  timeBench(['settings', 'list'], 3),
  timeBench(['tools', 'list'], 3),
  timeBench(['tools', 'describe', 'read_file'], 3),
  timeBench(['tools', 'call', 'read_file', 'file_path=a.txt', '--yes'], 3),
  timeBench(['--help'], 3.5),
  memory,
  perPlugin,
];
