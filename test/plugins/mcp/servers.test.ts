import {mkdtemp, readFile, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import type {} from '@gemini-kernel/plugin-mcp/contract';
import {foreign, readNotes, scripted, startMcp, textOf, toolNames, until} from './scene.js';

const folder = (): Promise<string> => mkdtemp(join(tmpdir(), 'gemini-mcp-'));

describe('a server that misbehaves', () => {
  test.each([['noise'], ['torn'], ['strict'], ['cyclic'], ['page=3']])(
    'works in spite of %s [mcp.robust]',
    async (scene) => {
      await using kernel = await startMcp({one: scripted(scene)});
      expect(textOf(await kernel.call('mcp_one_echo', {text: 'ünder'}))).toBe(foreign('ünder'));
      expect(await toolNames(kernel)).toContain('mcp_one_twice');
    },
  );

  test('loses only the tools whose definitions are invalid [mcp.robust]', async () => {
    await using kernel = await startMcp({one: scripted('invalid')});
    const names = await toolNames(kernel);
    expect(names).toContain('mcp_one_echo');
    expect(names).not.toContain('mcp_one_no_schema');
    expect(kernel.warnings).toEqual([
      'Tool "no_schema" of the MCP server "one" is left out: it has no inputSchema.',
      expect.stringMatching(/^Tool \d+ of the MCP server "one" is left out: it has no name\.$/),
      'Tool "list" of the MCP server "one" is left out: its inputSchema describes "array" instead of an object.',
      'Tool "deep" of the MCP server "one" is left out: it is nested more than 400 levels deep.',
    ]);
  });

  test('has its odd names replaced, and of two tools of one name the second is left out and named [mcp.names]', async () => {
    await using kernel = await startMcp({one: scripted('odd-names')});
    const names = await toolNames(kernel);
    expect(names).toEqual(expect.arrayContaining(['mcp_one_a_b', 'mcp_one_esc__31m']));
    expect(names.find((name) => name.includes('...'))).toHaveLength(63);
    expect(kernel.warnings).toEqual([
      'Tool "a_b" of the MCP server "one" is left out: "a b" of the MCP server "one" is already called mcp_one_a_b.',
    ]);
  });

  test('that answers twice has given its first answer [mcp.robust]', async () => {
    await using kernel = await startMcp({one: scripted()});
    expect(textOf(await kernel.call('mcp_one_twice', {}))).toBe(foreign('first'));
    expect(textOf(await kernel.call('mcp_one_echo', {text: 'still here'}))).toBe(foreign('still here'));
  });

  test('that breaks its output schema ends the call with an error [mcp.results]', async () => {
    await using kernel = await startMcp({one: scripted()});
    expect(textOf(await kernel.call('mcp_one_wrong', {}))).toContain('sum');
  });

  test('that ends in the middle of a call is named, and started again for the next [mcp.restart]', async () => {
    const notes = join(await folder(), 'notes');
    await using kernel = await startMcp({one: scripted(`notes=${notes}`)});
    expect(textOf(await kernel.call('mcp_one_die', {}))).toBe(
      'MCP_SERVER_UNAVAILABLE: The MCP server "one" is not available: it ended with exit code 7 while die was ' +
        'running, which may have had an effect.',
    );
    expect(textOf(await kernel.call('mcp_one_echo', {text: 'again'}))).toBe(foreign('again'));
    expect((await readNotes(notes)).filter((line) => line.startsWith('start'))).toHaveLength(2);
  });

  test('that cannot start is named with its exit code and its last words; the others work [mcp.failed]', async () => {
    await using kernel = await startMcp({
      bad: scripted('end-at-once'),
      none: {command: 'no-such-program'},
      one: scripted(),
    });
    expect(await toolNames(kernel)).toContain('mcp_one_echo');
    expect([...kernel.warnings].sort()).toEqual([
      expect.stringMatching(/"bad" is not available: the server ended with exit code 3; its last output was "The scri/),
      'The MCP server "none" is not available: cannot start "no-such-program": there is no such program.',
    ]);
  });
});

describe('what a server offers', () => {
  test('is remembered: the second program starts no server until a tool is called [mcp.memory]', async () => {
    const notes = join(await folder(), 'notes');
    const temporary = await folder();
    await using first = await startMcp({one: scripted(`notes=${notes}`)}, {temporary});
    await toolNames(first);
    await first.session.close();
    await writeFile(notes, '');
    const again = first.kernel.open();
    expect((await again.tools()).map(({name}) => name)).toContain('mcp_one_echo');
    expect(await readFile(notes, 'utf8')).not.toContain('start');
  });

  test('is listed again when the server says so [mcp.changes]', async () => {
    await using kernel = await startMcp({one: scripted()});
    expect(await toolNames(kernel)).not.toContain('mcp_one_grown');
    await kernel.call('mcp_one_grow', {});
    await until(async () => (await toolNames(kernel)).includes('mcp_one_grown'));
  });

  test('is filtered by includeTools and excludeTools [mcp.filter]', async () => {
    const entry = {...scripted(), includeTools: ['echo', 'fail(x)'], excludeTools: ['fail']};
    await using kernel = await startMcp({one: entry});
    expect(await toolNames(kernel)).toEqual(['mcp_one_echo']);
  });
});

describe('which servers are used', () => {
  const three = {a: scripted(), b: scripted(), c: scripted()};
  const used = async (settings: Record<string, unknown>, flags?: Record<string, unknown>): Promise<unknown> => {
    await using kernel = await startMcp(three, {settings, ...(flags ? {flags} : {})});
    const servers = await (await kernel.service('mcp')).list();
    return servers.map(({name, leftOut}) => (leftOut ? `${name}: ${leftOut.reason}` : name));
  };

  test.each([
    [{}, ['a', 'b', 'c']],
    [{mcp: {allowed: [' A ', 'b']}}, ['a', 'b', 'c: not-allowed']],
    [{mcp: {excluded: ['B']}}, ['a', 'b: excluded', 'c']],
  ])('%j', async (settings, names) => {
    expect(await used(settings)).toEqual(names);
  });

  test('a flag replaces both lists of settings [mcp.select]', async () => {
    const settings = {mcp: {allowed: ['a'], excluded: ['b']}};
    expect(await used(settings, {'mcp.allowed': ['b']})).toEqual(['a: not-allowed', 'b', 'c: not-allowed']);
  });

  test('one that is disabled stays so, and is used again when it is enabled [mcp.enablement]', async () => {
    await using kernel = await startMcp(three, {
      homeFiles: {'.gemini/mcp-server-enablement.json': '{"b": {"enabled": false}}'},
    });
    const mcp = await kernel.service('mcp');
    const states = async (): Promise<readonly string[]> =>
      (await mcp.list()).map(({leftOut}) => leftOut?.reason ?? 'used');
    expect(await states()).toEqual(['used', 'disabled', 'used']);
    await mcp.switch('a', false);
    await mcp.switch('b', true);
    expect(await states()).toEqual(['disabled-in-session', 'used', 'used']);
  });

  test('an entry that describes no server is named with its reason [mcp.invalid]', async () => {
    await using kernel = await startMcp({empty: {}, web: {url: 'ftp://x'}, one: scripted()});
    expect(await toolNames(kernel)).toContain('mcp_one_echo');
    expect([...kernel.warnings].sort()).toEqual([
      expect.stringMatching(
        /^The MCP server "empty" in .*settings\.json is invalid: it has neither command nor url\.$/,
      ),
      expect.stringMatching(
        /"web" in .* is invalid: its address must start with http:\/\/ or https:\/\/, not "ftp:\/\/x"\./,
      ),
    ]);
  });
});

test('servers of a project that is not trusted are named and not started [mcp.untrusted]', async () => {
  await using kernel = await startMcp(
    {mine: scripted()},
    {
      files: {
        '.gemini/settings.json': JSON.stringify({mcpServers: {theirs: scripted(), mine: scripted('end-at-once')}}),
      },
      variables: {GEMINI_CLI_TRUST_WORKSPACE: 'false'},
    },
  );
  expect(await toolNames(kernel)).toContain('mcp_mine_echo');
  expect((await kernel.session.tools()).filter(({server}) => server === 'theirs')).toEqual([]);
  expect(kernel.warnings.filter((one) => one.includes('MCP'))).toEqual([
    'The MCP server "theirs" of this project is not used, because the folder is not trusted. Trust it with ' +
      '`gemini trust add`.',
  ]);
});
