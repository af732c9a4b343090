// Runs the tests of hooks, extensions and skills of the integration suite of Gemini CLI against this program, with
// their canned answers: npm run reference-hooks -- <checkout of google-gemini/gemini-cli> [words of a title]
// What runs is a copy in a temporary folder. The rig reads a file of telemetry, which this program does not write; a
// small plugin, linked for these runs only, writes it from `hook:end` and `tool:end`.
import {execFileSync, spawnSync} from 'node:child_process';
import {cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {checkout} from '../helpers/plugin-root.js';
import {expected} from './expected.js';

interface Report {
  readonly testResults: readonly {readonly assertionResults: readonly Assertion[]}[];
}

interface Assertion {
  readonly title: string;
  readonly status: string;
  readonly failureMessages?: readonly string[];
}

/** Its other tests need a model, or a server in the network. */
const SUITES = ['hooks', 'extensions-', 'skill-creator-'].map((name) => `integration-tests/${name}`);
const SCRIPTS = 'packages/core/src/skills/builtin/skill-creator/scripts';
const PACKAGES = ['vitest@3.2.4', '@lydell/node-pty@1.1.0', 'strip-ansi@7.1.2'];
/** What the rig takes from the library of the program. */
const LIBRARY = `export const GEMINI_DIR = '.gemini';\nexport const PREVIEW_GEMINI_FLASH_MODEL = 'gemini-3-flash-preview';\n`;

function copySuite(from: string, to: string): void {
  for (const part of ['integration-tests', 'packages/test-utils']) {
    if (!existsSync(join(from, part))) throw new Error(`${from} has no ${part}: it is no checkout of Gemini CLI.`);
    cpSync(join(from, part), join(to, part), {recursive: true});
    // It extends files that are not copied.
    rmSync(join(to, part, 'tsconfig.json'), {force: true});
  }
  writeFileSync(join(to, 'package.json'), JSON.stringify({private: true, type: 'module'}));
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...PACKAGES], {cwd: to});
  const library = join(to, 'node_modules', '@google', 'gemini-cli-core');
  mkdirSync(library, {recursive: true});
  writeFileSync(join(library, 'package.json'), JSON.stringify({name: '@google/gemini-cli-core', type: 'module'}));
  writeFileSync(join(library, 'index.js'), LIBRARY);
  // The skill's programs are found by their place in its repository.
  mkdirSync(join(to, SCRIPTS, '..'), {recursive: true});
  symlinkSync(join(checkout, 'plugins', 'skills', 'skills', 'skill-creator', 'scripts'), join(to, SCRIPTS));
  const rig = join(to, 'packages', 'test-utils', 'src', 'test-rig.ts');
  const alias = {'@google/gemini-cli-test-utils': rig};
  const test = {testTimeout: 120_000, fileParallelism: false, env: {GEMINI_TEST_TYPE: 'integration'}};
  writeFileSync(join(to, 'vitest.config.mjs'), `export default ${JSON.stringify({resolve: {alias}, test})};`);
}

function runSuite(folder: string, title: string | undefined): readonly Assertion[] {
  const out = join(folder, 'runs');
  mkdirSync(out);
  const report = join(folder, 'report.json');
  const words = ['run', ...SUITES, '--reporter=json', `--outputFile=${report}`];
  const {status, stderr} = spawnSync(
    process.execPath,
    [join(folder, 'node_modules', 'vitest', 'vitest.mjs'), ...words, ...(title === undefined ? [] : ['-t', title])],
    {
      cwd: folder,
      env: {
        ...process.env,
        RUN_FLAKY_INTEGRATION: '1',
        INTEGRATION_TEST_FILE_DIR: out,
        INTEGRATION_TEST_GEMINI_BINARY_PATH: join(checkout, 'test', 'fixtures', 'reference', 'gemini.mjs'),
        GEMINI_API_KEY: 'none',
        GEMINI_SANDBOX: 'false',
      },
    },
  );
  if (!existsSync(report)) throw new Error(`The suite ended with ${status ?? 'a signal'}: ${String(stderr)}`);
  const {testResults} = JSON.parse(readFileSync(report, 'utf8')) as Report;
  return testResults.flatMap(({assertionResults}) => assertionResults);
}

/** One line for a test; whether it ended as it is expected to. */
function judge({title, status, failureMessages = []}: Assertion): boolean {
  const reason = expected[title];
  const words = status === 'passed' ? 'passes' : `fails (${reason ?? failureMessages.join(' ').slice(0, 400)})`;
  console.log(`${(status === 'passed') === (reason === undefined) ? ' ' : '!'} ${title}: ${words}`);
  return (status === 'passed') === (reason === undefined);
}

const [source, title] = process.argv.slice(2);
if (source === undefined) {
  console.error('Usage: npm run reference-hooks -- <checkout of google-gemini/gemini-cli> [words of a title]');
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'gemini-reference-'));
try {
  copySuite(resolve(source), folder);
  const results = runSuite(folder, title).filter(({status}) => ['passed', 'failed'].includes(status));
  const surprises = results.filter((result) => !judge(result));
  const passed = results.filter(({status}) => status === 'passed').length;
  console.log(`\n${passed} of ${results.length} pass; ${surprises.length} ended otherwise than expected.`);
  process.exitCode = surprises.length === 0 && results.length > 0 ? 0 : 1;
} finally {
  if (process.env['KEEP_OUTPUT'] === undefined) rmSync(folder, {recursive: true, force: true});
  else console.log(`The runs are in ${folder}.`);
}
