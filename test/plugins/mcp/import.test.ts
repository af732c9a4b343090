import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {makeFolder, type Folder} from '../../helpers/make-plugin.js';
import {runGemini, type RunResult} from '../../helpers/run-gemini.js';
import {mkdir, writeFile} from 'node:fs/promises';
import {dirname} from 'node:path';
import {formats, readAnyJson} from '#plugins/mcp/dist/import/formats.js';

const place = {home: '/home/ada', cwd: '/work'};
const read = async (program: string, text: string): Promise<readonly unknown[]> =>
  formats.find((one) => one.program === program)?.read(text, place) ?? [];

describe('servers of other programs', () => {
  test('Claude Code: of the file, and of this project [mcp.import]', async () => {
    const text = JSON.stringify({
      mcpServers: {
        git: {type: 'stdio', command: 'npx', args: ['-y', 'git-mcp'], env: {KEY: '${KEY:-none}'}, trust: true},
      },
      projects: {
        '/work': {mcpServers: {here: {type: 'http', url: 'https://a.example'}}},
        '/other': {mcpServers: {no: {}}},
      },
    });
    expect(await read('Claude Code', text)).toEqual([
      {
        name: 'git',
        entry: {command: 'npx', args: ['-y', 'git-mcp'], env: {KEY: '${KEY:-none}'}},
        notes: ['trust is left out: its tools are asked about.'],
      },
      {name: 'here', entry: {type: 'http', url: 'https://a.example'}, notes: []},
    ]);
  });

  test('VS Code: with comments, inputs and folders [mcp.import]', async () => {
    const text = `{
      // what is asked for
      "inputs": [{"id": "api-key", "type": "promptString"}],
      "servers": {
        "db": {"type": "stdio", "command": "node", "args": ["\${workspaceFolder}/db.js", "http://x // no comment"],
               "env": {"KEY": "\${input:api-key}", "USER": "\${env:USER}"}, "dev": {}, "sandbox": true,},
      },
    }`;
    expect(await read('VS Code', text)).toEqual([
      {
        name: 'db',
        entry: {
          command: 'node',
          args: ['/work/db.js', 'http://x // no comment'],
          env: {KEY: '${API_KEY}', USER: '${USER}'},
        },
        notes: [
          'It asks for "api-key" there; set the variable API_KEY instead.',
          'sandbox has no counterpart and is left out.',
        ],
      },
    ]);
  });

  test('Codex: keys in its own spelling, tokens by the name of their variable [mcp.import]', async () => {
    const text = `model = "o9"
[mcp_servers.docs]
url = "https://docs.example/mcp"
bearer_token_env_var = "DOCS_TOKEN"
tool_timeout_sec = 30
enabled_tools = ["search"]
[mcp_servers.files]
command = "npx"
args = ["files"]
env_vars = ["HOME_DIR"]
required = true
`;
    expect(await read('Codex', text)).toEqual([
      {
        name: 'docs',
        entry: {
          url: 'https://docs.example/mcp',
          type: 'http',
          headers: {Authorization: 'Bearer ${DOCS_TOKEN}'},
          timeout: 30_000,
          includeTools: ['search'],
        },
        notes: [],
      },
      {
        name: 'files',
        entry: {command: 'npx', args: ['files'], env: {HOME_DIR: '${HOME_DIR}'}},
        notes: ['required has no counterpart and is left out.'],
      },
    ]);
  });

  test('a file of no known name is read by what is in it [mcp.import]', () => {
    const entry = {command: 'node'};
    for (const text of [{mcpServers: {a: entry}}, {servers: {a: entry}}, {a: entry}])
      expect(readAnyJson(JSON.stringify(text), '/work')).toEqual([{name: 'a', entry, notes: []}]);
    expect(() => readAnyJson('[1]', '/work')).toThrow('it holds no object');
  });
});

async function sit(
  files: Readonly<Record<string, string>>,
): Promise<Folder & {run(...words: string[]): Promise<RunResult>}> {
  const folder = await makeFolder();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder.path, name)), {recursive: true});
    await writeFile(join(folder.path, name), text);
  }
  const [cwd, home] = [join(folder.path, 'project'), join(folder.path, 'home')];
  await Promise.all([mkdir(cwd, {recursive: true}), mkdir(home, {recursive: true})]);
  return {...folder, run: (...words) => runGemini(['mcp', 'import', ...words], {cwd, home})};
}

test('servers are found, shown, and taken over once, with what is already there kept [mcp.import]', async () => {
  await using desk = await sit({
    'project/.mcp.json': JSON.stringify({mcpServers: {mine: {command: 'theirs'}, git: {command: 'git-mcp'}, bad: {}}}),
    'home/.cursor/mcp.json': JSON.stringify({mcpServers: {git: {command: 'other'}}}),
    'home/.gemini/settings.json': JSON.stringify({mcpServers: {mine: {command: 'ours'}}}),
  });
  const settings = (): Promise<string> => readFile(join(desk.path, 'home', '.gemini', 'settings.json'), 'utf8');
  const before = await settings();
  expect(await desk.run('--dry-run')).toMatchObject({code: 0, stdout: expect.stringContaining('+ git')});
  expect(await settings()).toBe(before);
  const {code, stdout} = await desk.run();
  expect({code, stdout}).toMatchObject({code: 0, stdout: expect.stringContaining('✓ git')});
  expect(stdout).toContain('○ mine');
  expect(stdout).toContain('invalid: it has neither command nor url');
  expect(JSON.parse(await settings())).toEqual({mcpServers: {mine: {command: 'ours'}, git: {command: 'git-mcp'}}});
});

test('a file that cannot be read is named, and hides no other one [mcp.import]', async () => {
  await using desk = await sit({
    'project/.mcp.json': '{"mcpServers": ',
    'home/.cursor/mcp.json': JSON.stringify({mcpServers: {git: {command: 'git-mcp'}}}),
  });
  const {code, stdout, stderr} = await desk.run('--dry-run');
  expect({code, stdout, stderr}).toMatchObject({code: 0, stdout: expect.stringContaining('+ git')});
  expect(stderr).toContain('.mcp.json');
  expect(stdout).toContain('    git-mcp\n');
  expect(await desk.run('.mcp.json')).toMatchObject({code: 42, stderr: expect.stringContaining('.mcp.json')});
  expect(await desk.run('gone.json')).toMatchObject({code: 42, stderr: expect.stringContaining('gone.json')});
  expect(await desk.run('--server', 'gti')).toMatchObject({code: 42, stderr: expect.stringContaining('Found: git.')});
});
