import {cpSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, dirname, join, resolve} from 'node:path';
import {createTestKernel, type TestKernel} from '@gemini-kernel/kernel/testing';
import {checkout, pluginRoot} from '../helpers/plugin-root.js';
import {compareUses, type Accuracy} from './accuracy.js';
import {byName, bySearching, type Answer} from './answer.js';
import {readTruth, type Truth} from './ground-truth.js';
import {askAbout, unique} from './questions.js';

/** The sums of one checkout: bytes by whole files, by parts of files, and by name, with the answers that were right. */
interface Row {
  readonly name: string;
  readonly count: number;
  readonly whole: number;
  readonly parts: number;
  readonly byName: number;
  readonly right: number;
}

const COMPARED = 40;

/** A folder with the language servers: gemini takes none that a package manager put beside a project. */
function linkServers(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gemini-servers-'));
  process.once('exit', () => rmSync(folder, {recursive: true}));
  for (const name of ['typescript-language-server', 'pyright-langserver'])
    symlinkSync(join(checkout, 'node_modules', '.bin', name), join(folder, name));
  return folder;
}

function open(folder: string, servers: string): Promise<TestKernel> {
  const plugins = ['settings', 'workspace', 'filesystem', 'search', 'trust', 'policy', 'code'].map(pluginRoot);
  return createTestKernel({
    plugins,
    live: true,
    confirm: 'yes',
    flags: {'general.defaultApprovalMode': 'auto_edit'},
    variables: {
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      PATH: `${servers}:${process.env['PATH']}`,
    },
    homeFiles: {'.gemini/settings.json': JSON.stringify({code: {checkEdits: false}})},
  }).then((kernel) => {
    cpSync(folder, kernel.project, {recursive: true, filter: (path) => basename(path) !== '.git'});
    nameAllFiles(kernel.project);
    return kernel;
  });
}

/** Servers leave out what the project's configuration does not name, such as tests; `code_find` looks everywhere. */
function nameAllFiles(project: string): void {
  // Where the package is not installed, pyright does not know its tests as users of it.
  writeFileSync(join(project, 'pyrightconfig.json'), JSON.stringify({include: ['.'], extraPaths: ['src']}));
  const [own, ...inner] = readdirSync(project, {recursive: true, encoding: 'utf8'})
    .filter((path) => basename(path) === 'tsconfig.json')
    .sort((a, b) => a.length - b.length);
  if (own !== 'tsconfig.json') return;
  // The nearest of several decides about a file, and one does not know the users of another.
  for (const path of inner) renameSync(join(project, path), join(project, dirname(path), 'tsconfig.inner.json'));
  renameSync(join(project, own), join(project, 'tsconfig.own.json'));
  const whole = {extends: './tsconfig.own.json', include: ['**/*'], files: [], references: []};
  writeFileSync(join(project, own), JSON.stringify({...whole, compilerOptions: {allowJs: true, checkJs: false}}));
}

async function askAll(name: string, truths: readonly Truth[], kernel: TestKernel): Promise<Row> {
  const sums = {whole: 0, parts: 0, byName: 0, right: 0};
  const questions = askAbout(truths);
  for (const question of questions) {
    const [whole, parts] = [await bySearching(kernel, question, true), await bySearching(kernel, question, false)];
    const named: Answer = await byName(kernel, question);
    sums.whole += whole.bytes;
    sums.parts += parts.bytes;
    sums.byName += named.bytes;
    if (named.isRight) sums.right += 1;
    else
      console.log(
        `  not right: ${question.kind} ${question.truth.name} in ${question.truth.path}: ${named.text.slice(0, 200)}`,
      );
  }
  return {name, count: questions.length, ...sums};
}

/** `npm run code:questions -- <checkouts>`: how much is read to answer about code, with the code tools and without. */
async function main(words: readonly string[]): Promise<void> {
  const [folders, differs] = [words.filter((word) => !word.startsWith('-')), words.includes('--differences')];
  if (folders.length === 0) {
    console.error('Name checkouts of repositories with TypeScript or Python, with git.');
    process.exitCode = 2;
    return;
  }
  const servers = linkServers();
  const rows: Row[] = [];
  for (const folder of folders.map((one) => resolve(one))) {
    const truths = readTruth(folder);
    await using kernel = await open(folder, servers);
    const sum: Accuracy = {both: 0, onlyOurs: 0, onlyServer: 0};
    let compared = 0;
    for (const truth of unique(truths).slice(0, COMPARED))
      if (await compareUses(kernel, truth, {sum, differs: (line) => differs && console.log(`  ${line}`)}))
        compared += 1;
    const [precision, recall] = [sum.both / (sum.both + sum.onlyOurs), sum.both / (sum.both + sum.onlyServer)];
    const row = await askAll(basename(folder), truths, kernel);
    rows.push(row);
    say(row);
    console.log(
      `  uses of ${compared} symbols against the language server: precision ${precision.toFixed(2)}, ` +
        `recall ${recall.toFixed(2)} (${sum.both} known to both)`,
    );
  }
  const total = (key: Exclude<keyof Row, 'name'>): number => rows.reduce((sum, row) => sum + row[key], 0);
  say({
    name: 'all',
    ...{count: total('count'), whole: total('whole'), parts: total('parts')},
    ...{byName: total('byName'), right: total('right')},
  });
}

function say({name, count, whole, parts, byName: named, right}: Row): void {
  const ratio = (other: number): string => (named / other).toFixed(2);
  console.log(
    `${name}: ${right} of ${count} right; read ${named} bytes, ${ratio(whole)} of reading whole files (${whole}), ` +
      `${ratio(parts)} of reading parts (${parts})`,
  );
}

await main(process.argv.slice(2));
