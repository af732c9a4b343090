import {mkdir, mkdtemp, readFile, realpath, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from '@jest/globals';
import {composeContext} from '#plugins/memory/dist/init/compose.js';
import {ProjectFolder} from '#plugins/memory/dist/init/project-folder.js';
import {runGemini, type RunResult} from '../../helpers/run-gemini.js';

let root: string;
let project: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'gemini-init-')));
  project = join(root, 'shop');
  await mkdir(project);
});
afterEach(() => rm(root, {recursive: true, force: true}));

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(project, path)), {recursive: true});
    await writeFile(join(project, path), text);
  }
}

const compose = async (): Promise<string> => composeContext(await ProjectFolder.open(project), 'GEMINI.md');
const run = (...words: readonly string[]): Promise<RunResult> =>
  runGemini(['init', ...words], {cwd: project, home: root, variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true'}});

describe('gemini init looks at a project [memory.init]', () => {
  test('of Node, with its scripts, folders, rules of style and files of other agents', async () => {
    const scripts = {start: 'node .', 'test:e2e': 'x', test: 'jest', postinstall: 'y', build: 'tsc -b'};
    await write({
      'package.json': JSON.stringify({name: 'shop', description: 'Orders and\n bills.', scripts}),
      'pnpm-lock.yaml': '',
      'README.md': '# The shop\n\nText.\n',
      'AGENTS.md': 'Be brief.',
      'GEMINI.md': 'old',
      '.editorconfig': '',
      'src/index.ts': '',
      'node_modules/x/y': '',
      '.git/config': '',
    });
    expect(await compose()).toBe(
      '# The shop\n\nOrders and bills.\n\n## Commands\n\n- `pnpm run build`: tsc -b\n- `pnpm test`: jest\n' +
        '- `pnpm run test:e2e`: x\n- `pnpm run start`: node .\n\n## Layout\n\n- `src/`\n\n## Conventions\n\n' +
        '- `.editorconfig` decides.\n\n## From other agents\n\n@AGENTS.md\n',
    );
  });

  test.each([
    [{'Cargo.toml': ''}, '- `cargo test`: tests'],
    [{'go.mod': 'module x'}, '- `go test ./...`: tests'],
    [
      {'pyproject.toml': '[tool.pytest]\n[tool.ruff]', 'uv.lock': ''},
      '- `uv run pytest`: tests\n- `uv run ruff check`: lint',
    ],
    [{'pom.xml': '', mvnw: ''}, '- `./mvnw test`: tests'],
    [{'build.gradle.kts': ''}, '- `gradle test`: tests'],
    [{Makefile: 'CC := gcc\nall: x\n\tcc\ntest-all: all\n.PHONY: all\nx.o: x.c\n'}, '- `make all`\n- `make test-all`'],
    [{'package.json': '{"packageManager": "yarn@4", "scripts": {"lint": "eslint"}}'}, '- `yarn run lint`: eslint'],
    [{'package.json': 'broken'}, '# shop\n'],
    [{'package.json': '{"scripts": "x", "description": 3}'}, '# shop\n'],
    [{'README.md': Buffer.from([0xff, 0xfe]).toString('latin1')}, '# shop\n'],
    [{}, '# shop\n'],
  ])('%j', async (files, text) => {
    await write(files);
    expect(await compose()).toContain(text);
  });
});

describe('gemini init writes [memory.init]', () => {
  test('with --yes, and shows with --print', async () => {
    const shown = await run('--print');
    expect([shown.code, shown.stdout]).toEqual([0, '# shop\n']);
    const made = await run('--yes', '--json');
    expect(JSON.parse(made.stdout)).toEqual({path: join(project, 'GEMINI.md'), text: '# shop\n', isWritten: true});
    expect(await readFile(join(project, 'GEMINI.md'), 'utf8')).toBe('# shop\n');
    expect((await run()).stdout).toBe(`${join(project, 'GEMINI.md')} is as it would be written.\n`);
  });

  test('nothing where no one can be asked [memory.init]', async () => {
    await write({'GEMINI.md': 'mine'});
    const refused = await run('--json');
    expect([refused.code, JSON.parse(refused.stdout)]).toMatchObject([42, {error: {code: 'CONTEXT_UNCONFIRMED'}}]);
    expect(await readFile(join(project, 'GEMINI.md'), 'utf8')).toBe('mine');
  });

  test('nothing that a rule forbids', async () => {
    const rule = '[[rule]]\ntoolName = "write_file"\ndecision = "deny"\npriority = 900\ndenyMessage = "Not here."\n';
    await mkdir(join(root, '.gemini/policies'), {recursive: true});
    await writeFile(join(root, '.gemini/policies/a.toml'), rule);
    const refused = await run('--yes', '--json');
    expect(JSON.parse(refused.stdout)).toMatchObject({
      error: {code: 'CONTEXT_UNWRITABLE', message: expect.stringContaining('Not here.')},
    });
  });

  test('the file that context.fileName names', async () => {
    await mkdir(join(root, '.gemini'), {recursive: true});
    await writeFile(join(root, '.gemini/settings.json'), '{"context": {"fileName": ["AGENTS.md", "GEMINI.md"]}}');
    expect((await run('--yes')).stdout).toContain(`Wrote ${join(project, 'AGENTS.md')}.`);
  });
});
