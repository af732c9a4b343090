import {spawn} from 'node:child_process';
import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {describe, expect, test} from '@jest/globals';
import {isolate, runGemini} from '../../helpers/run-gemini.js';
import {startMcp, textOf as outcomeText, foreign, until} from '../mcp/scene.js';
import {createScene, program, serve, textOf} from './scene.js';

const write = (name: string) => ({name: 'write_file', arguments: {file_path: name, content: 'new'}});

const hello = {protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {name: 't', version: '1'}};

describe('gemini mcp serve', () => {
  test('gives its tools with annotations and output schemas [serve.tools]', async () => {
    await using scene = await createScene();
    await using running = await serve(scene, {answer: () => ({action: 'cancel'})});
    const {client} = running;
    const {tools} = await client.listTools();
    const of = (name: string) => tools.find((tool) => tool.name === name);
    expect(of('read_file')?.annotations).toEqual({
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    });
    expect(of('run_shell_command')?.annotations).toMatchObject({readOnlyHint: false, destructiveHint: true});
    expect(of('agent_start')).toBeUndefined();
    const result = await client.callTool({name: 'read_file', arguments: {file_path: 'a.txt'}});
    expect(textOf(result)).toBe('alpha\n');
    expect(result.structuredContent).toMatchObject({path: join(scene.project, 'a.txt'), totalLines: 1});
    expect(textOf(await client.callTool({name: 'no_such_tool', arguments: {}}))).toBe(
      '!There is no tool "no_such_tool".',
    );
    expect(textOf(await client.callTool({name: 'read_file', arguments: {}}))).toMatch(/^!TOOL_INPUT_INVALID: /);
  });

  test('asks the person at the client where a rule asks [serve.ask]', async () => {
    await using scene = await createScene();
    const asked: unknown[] = [];
    const answers = ['yes', 'no', 'always', undefined];
    await using running = await serve(scene, {
      answer: (params) => {
        asked.push(params);
        const answer = answers.shift();
        return answer === undefined ? {action: 'decline'} : {action: 'accept', content: {answer}};
      },
    });
    const {client} = running;
    expect(textOf(await client.callTool(write('b.txt')))).not.toMatch(/^!/);
    expect(await readFile(join(scene.project, 'b.txt'), 'utf8')).toBe('new');
    for (const name of ['c.txt', 'd.txt', 'e.txt'])
      expect(textOf(await client.callTool(write(name)))).toBe(
        name === 'c.txt'
          ? '!The call was refused: The person refused.'
          : '!The call was refused: The person at the MCP client refused it.',
      );
    const [first] = asked as {message: string; requestedSchema: {properties: {answer: {enum: string[]}}}}[];
    expect(first?.message).toMatch(/^Run write_file\?[^]*\+new/);
    expect(first?.requestedSchema.properties.answer.enum).not.toContain('always');
    expect(asked).toHaveLength(4);
  });

  test('refuses what asks when the client cannot [serve.ask]', async () => {
    await using scene = await createScene();
    await using running = await serve(scene, {});
    expect(textOf(await running.client.callTool(write('b.txt')))).toMatch(/^!The call was refused: /);
    await expect(readFile(join(scene.project, 'b.txt'))).rejects.toThrow('ENOENT');
  });

  test('judges by the rules, whatever the person says; only flags of serve loosen them [serve.policy]', async () => {
    const rule = '[[rule]]\ntoolName = "write_file"\ndecision = "deny"\npriority = 500\ndenyMessage = "Not here."\n';
    await using scene = await createScene({'.gemini/policies/no.toml': rule});
    await using running = await serve(scene, {
      args: ['--approval-mode', 'yolo'],
      answer: () => ({action: 'accept', content: {answer: 'yes'}}),
    });
    const {client} = running;
    expect(textOf(await client.callTool(write('b.txt')))).toMatch(/^!The call was refused: [^]*Not here\./);
    const shell = {name: 'run_shell_command', arguments: {command: 'echo free > free.txt'}};
    expect(textOf(await client.callTool(shell))).not.toMatch(/^!/);
    expect(textOf(await client.callTool({name: 'read_file', arguments: {file_path: '/etc/passwd'}}))).toMatch(
      /^!.*outside the workspace/,
    );
  });

  test('works in the roots of the client, also when they change [serve.roots]', async () => {
    await using scene = await createScene();
    const [one, two] = [join(scene.root, 'one'), join(scene.root, 'two')];
    await Promise.all([mkdir(one), mkdir(two)]);
    await Promise.all([writeFile(join(one, 'x.txt'), 'in one'), writeFile(join(two, 'y.txt'), 'in two')]);
    let roots = [one];
    await using running = await serve(scene, {roots: () => roots});
    const {client} = running;
    const read = async (path: string) =>
      textOf(await client.callTool({name: 'read_file', arguments: {file_path: path}}));
    expect(await read('x.txt')).toBe('in one');
    expect(await read(join(two, 'y.txt'))).toMatch(/^!.*outside the workspace/);
    roots = [one, two];
    await client.sendRootsListChanged();
    expect(await read(join(two, 'y.txt'))).toBe('in two');
    expect(await read(join(scene.project, 'a.txt'))).toMatch(/^!.*outside the workspace/);
  });

  test('shows progress, and a call can be cancelled [serve.progress]', async () => {
    await using scene = await createScene();
    await using running = await serve(scene, {args: ['--yolo']});
    const {client} = running;
    const seen: number[] = [];
    const shell = (command: string) => ({name: 'run_shell_command', arguments: {command}});
    await client.callTool(shell('for i in 1 2 3; do echo $i; sleep 0.3; done'), {
      onprogress: ({progress}) => void seen.push(progress),
    });
    expect(seen.length).toBeGreaterThan(0);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    const stop = new AbortController();
    const mark = join(scene.project, 'pid');
    const call = client.callTool(shell(`echo $$ > ${mark}; sleep 60`), {signal: stop.signal});
    await until(async () => (await readFile(mark, 'utf8').catch(() => '')).trim() !== '');
    stop.abort();
    await expect(call).rejects.toThrow();
    const pid = Number(await readFile(mark, 'utf8'));
    await until(() => !isAlive(pid));
    expect(textOf(await client.callTool({name: 'read_file', arguments: {file_path: 'a.txt'}}))).toBe('alpha\n');
  });

  test('gives files as resources, by the path of every call [serve.files]', async () => {
    await using scene = await createScene();
    await using running = await serve(scene, {});
    const {client} = running;
    const uri = pathToFileURL(join(scene.project, 'a.txt')).href;
    expect((await client.listResources()).resources).toEqual([{name: 'a.txt', uri}]);
    expect((await client.listResourceTemplates()).resourceTemplates[0]?.uriTemplate).toBe('file://{+path}');
    expect((await client.readResource({uri})).contents).toEqual([{uri, text: 'alpha\n'}]);
    await expect(client.readResource({uri: 'file:///etc/passwd'})).rejects.toThrow(
      /^MCP_RESOURCE_UNREADABLE: .*outside the workspace/,
    );
    await expect(client.readResource({uri: 'https://example.org/'})).rejects.toThrow(
      /^MCP_RESOURCE_UNREADABLE: There is no resource/,
    );
  });

  test('writes only the protocol, whatever it is sent, and ends with its input [serve.stdio]', async () => {
    await using scene = await createScene();
    const lines = [
      'garbage',
      '{"jsonrpc": "1.0"}',
      '[]',
      JSON.stringify({jsonrpc: '2.0', id: 1, method: 'initialize', params: hello}),
      '{"jsonrpc":"2.0","id":2,"method":"no/such"}',
    ];
    const {home, project} = scene;
    const {code, stdout} = await runGemini(['mcp', 'serve'], {cwd: project, home, input: `${lines.join('\n')}\n`});
    expect(code).toBe(0);
    const messages = stdout.split('\n').filter((line) => line !== '');
    expect(messages.map((line) => (JSON.parse(line) as {jsonrpc: string}).jsonrpc)).toEqual(messages.map(() => '2.0'));
    expect(messages.length).toBeGreaterThan(0);
  });

  test('ends by a signal, with its code [serve.stdio]', async () => {
    await using scene = await createScene();
    const child = spawn(process.execPath, [program, 'mcp', 'serve'], {
      cwd: scene.project,
      env: isolate(scene.home),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    child.stdin.write(`${JSON.stringify({jsonrpc: '2.0', id: 1, method: 'initialize', params: hello})}\n`);
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGTERM');
    expect(await ended).toBe(143);
  });

  test('is a server that our own client can use [serve.tools] [serve.stdio]', async () => {
    await using scene = await createScene();
    const env = {HOME: scene.home, GEMINI_CLI_TRUST_WORKSPACE: 'true'};
    await using kernel = await startMcp({self: {command: process.execPath, args: [program, 'mcp', 'serve'], env}});
    await writeFile(join(kernel.project, 'x.txt'), 'from here');
    expect(outcomeText(await kernel.call('mcp_self_read_file', {file_path: 'x.txt'}))).toBe(foreign('from here'));
  });

  test('prints what each client needs [serve.config]', async () => {
    await using scene = await createScene();
    const print = async (client: string, ...more: readonly string[]) =>
      runGemini(['mcp', 'serve', '--print-config', client, ...more], {cwd: scene.project, home: scene.home});
    const args = ['mcp', 'serve', '--face', 'agent'];
    const of = async (client: string) => (await print(client, '--face', 'agent')).stdout;
    const stdio = {type: 'stdio', command: 'gemini', args};
    expect(JSON.parse(await of('claude'))).toEqual({mcpServers: {gemini: stdio}});
    expect(JSON.parse(await of('cursor'))).toEqual({mcpServers: {gemini: {command: 'gemini', args}}});
    expect(JSON.parse(await of('vscode'))).toEqual({servers: {gemini: stdio}});
    expect(JSON.parse(await of('zed'))).toEqual({context_servers: {gemini: {command: 'gemini', args}}});
    expect(await of('codex')).toBe(`[mcp_servers.gemini]\ncommand = "gemini"\nargs = ${JSON.stringify(args)}\n`);
    const json = JSON.parse((await print('codex', '--json')).stdout) as Record<string, unknown>;
    expect(json).toMatchObject({client: 'codex', file: '~/.codex/config.toml'});
    const without = await runGemini(['mcp', 'serve', '--json'], {cwd: scene.project, home: scene.home});
    expect([without.code, without.stdout]).toEqual([42, expect.stringContaining('MCP_SERVE_INVALID')]);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
