// Runs the conformance suites of MCP against this program, as a client and as a server, and names each scenario:
// npm run conformance [client | server@<version> | scenario ...]
// The runner needs Node 22. A scenario that is expected to fail stands in `expected.ts` with its reason.
import {spawn} from 'node:child_process';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expected} from './expected.js';
import {serveOurs} from './serve-ours.js';

interface Suite {
  readonly version: string;
  readonly program: string;
}

type Side = 'client' | 'server';

interface Outcome {
  readonly suite: string;
  readonly side: Side;
  readonly scenario: string;
  readonly passed: boolean;
  readonly output: string;
}

const here = dirname(fileURLToPath(import.meta.url));
const AT_ONCE = 2;
const LIMIT_MS = 60_000;
const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 22) {
  console.error(`The conformance suites need Node 22 or newer, not ${process.version}.`);
  process.exit(1);
}

function findSuite(name: string): Suite {
  const {resolve} = createRequire(import.meta.url);
  const manifest = resolve(`${name}/package.json`);
  const {version} = createRequire(import.meta.url)(manifest) as {readonly version: string};
  return {version, program: join(dirname(manifest), 'dist', 'index.js')};
}

function run(program: string, words: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, ...words], {stdio: ['ignore', 'pipe', 'pipe'], timeout: LIMIT_MS});
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    child.on('error', (error) => resolve(`${output}${String(error)}`));
    child.on('close', () => resolve(output));
  });
}

async function listScenarios({program}: Suite): Promise<readonly (readonly [Side, string])[]> {
  const [servers = '', rest = ''] = (await run(program, ['list'])).split('Client scenarios');
  const [clients = ''] = rest.split('Authorization server scenarios');
  const namesIn = (text: string): readonly string[] => [...text.matchAll(/^\s+- (\S+)/gm)].map(([, name = '']) => name);
  return [
    ...namesIn(clients).map((name) => ['client', name] as const),
    ...namesIn(servers).map((name) => ['server', name] as const),
  ];
}

async function tryScenario({version, program}: Suite, side: Side, scenario: string, url: string): Promise<Outcome> {
  const client = `"${process.execPath}" "${join(here, 'client.js')}"`;
  const words = side === 'client' ? ['--command', client] : ['--url', url];
  const output = await run(program, [side, ...words, '--scenario', scenario]);
  return {suite: version, side, scenario, passed: hasPassed(side, output), output};
}

/** A client gets a verdict; for a server the checks are counted. */
function hasPassed(side: Side, output: string): boolean {
  if (side === 'client') return output.includes('OVERALL: PASSED');
  const [, passed = '0', failed = '1'] = /Passed: (\d+)\/\d+, (\d+) failed/.exec(output) ?? [];
  return Number(passed) > 0 && Number(failed) === 0;
}

const wanted = process.argv.slice(2);
const suites = ['@modelcontextprotocol/conformance', 'conformance-next'].map(findSuite);
const waiting = (
  await Promise.all(
    suites.map(async (suite) =>
      (await listScenarios(suite)).map(([side, scenario]) => ({suite, side, scenario}) as const),
    ),
  )
)
  .flat()
  .filter(
    ({side, scenario, suite: {version}}) =>
      wanted.length === 0 || [scenario, side, `${side}@${version}`].some((name) => wanted.includes(name)),
  );
await using served = await serveOurs();
const outcomes: Outcome[] = [];
await Promise.all(
  Array.from({length: AT_ONCE}, async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      outcomes.push(await tryScenario(next.suite, next.side, next.scenario, served.url));
  }),
);

let [passed, failed] = [0, 0];
for (const {suite, side, scenario, passed: isPassed, output} of outcomes) {
  const reason = expected[`${suite} ${side} ${scenario}`];
  const isRight = isPassed === (reason === undefined);
  if (isRight) passed += 1;
  else failed += 1;
  const mark = isPassed ? 'passes' : reason === undefined ? 'FAILS' : 'fails as expected';
  console.log(`${suite} ${side} ${scenario}: ${mark}${isPassed || reason === undefined ? '' : ` (${reason})`}`);
  if (!isRight && !isPassed) console.log(output.replaceAll(/\u001b\[[0-9;]*m/g, '').slice(-2000));
}
for (const {version} of suites) {
  for (const side of ['client', 'server'] as const) {
    const own = outcomes.filter((one) => one.suite === version && one.side === side);
    console.log(`${side}, ${version}: ${own.filter((one) => one.passed).length} of ${own.length}`);
  }
}
// An empty run proves nothing.
if (outcomes.length === 0) failed += 1;
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
