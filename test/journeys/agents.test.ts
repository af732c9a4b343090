import {readdir, readFile, rm, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {expect, test} from '@jest/globals';
import {callsTools, openAgentPlace, says} from '../helpers/run-agent.js';
import {CTRL_D} from '../helpers/sit-at-gemini.js';
import {ScreenSitting} from '../helpers/sit-at-screen.js';
import {atTerminal} from './run-at-terminal.js';
import type {Script} from '@gemini-kernel/plugin-agent/testing';

const helper = '---\nname: helper\ndescription: Helps.\n---\nYou are helper.\n';
const write = callsTools(['write_file', {file_path: 'b.txt', content: 'by the agent\n'}]);

/** The main agent calls the helper once; the helper writes a file. */
function script(): Script {
  let [asked, turn] = [false, 0];
  return ({system}) => {
    if (system.startsWith('You are helper.')) return (turn += 1) === 1 ? write : says('Written.');
    if (asked) return says('All done.');
    asked = true;
    return callsTools(['invoke_agent', {agent_name: 'helper', prompt: 'Write it.'}]);
  };
}

async function filesBelow(folder: string, end: string): Promise<readonly string[]> {
  return (await readdir(folder, {recursive: true})).filter((name) => name.endsWith(end));
}

atTerminal(
  'a question of an agent reaches the person with its name, and the screen shows what it does [agents.person]',
  async () => {
    await using place = await openAgentPlace({
      script: script(),
      files: {'../home/.gemini/agents/helper.md': helper},
      settings: {ui: {mode: ''}},
    });
    await using sitting = await ScreenSitting.begin(place);
    await sitting.seeAt('>');
    sitting.type('go\r');
    await sitting.see('write_file (helper)');
    await sitting.see('❯ 1. Yes, once');
    sitting.type('y');
    await sitting.see('All done.');
    expect(await place.read('b.txt')).toBe('by the agent\n');
    await sitting.lose('Ctrl+C stops');
    sitting.type(CTRL_D);
    expect(await sitting.end()).toEqual({code: 0, isRestored: true});
  },
);

test('the session of an agent is a file below that of its caller [agents.recorded]', async () => {
  await using place = await openAgentPlace({script: script(), files: {'../home/.gemini/agents/helper.md': helper}});
  const {report} = await place.ask(['--yolo', '-p', 'go']);
  expect(report).toMatchObject({response: 'All done.'});
  const tmp = join(place.home, '.gemini', 'tmp');
  const [file, ...others] = (await filesBelow(tmp, '.jsonl')).filter((name) => /chats[\\/][^\\/]+[\\/]/.test(name));
  expect(others).toEqual([]);
  const [first = ''] = (await readFile(join(tmp, file ?? ''), 'utf8')).split('\n');
  expect(JSON.parse(first)).toMatchObject({kind: 'subagent', agent: 'helper'});
  const listed = await place.run(['sessions', 'list', '--json']);
  const {sessions} = JSON.parse(listed.stdout) as {sessions: readonly {id: string}[]};
  expect(sessions).toHaveLength(1);
  const shown = await place.run(['sessions', 'show', '--agents']);
  expect(shown.stdout).toMatch(/# AGENT helper [\w-]+\n\n## USER .*\n\nWrite it\.\n[^]*Written\./);
  // A process that was killed as an agent began leaves an empty file.
  await writeFile(join(tmp, dirname(file ?? ''), '00000000-0000-4000-8000-000000000000.jsonl'), '');
  const {agents} = JSON.parse((await place.run(['sessions', 'show', '--agents', '--json'])).stdout) as {
    agents: readonly {agent: string; caller: string; depth: number; entries: readonly unknown[]}[];
  };
  expect(agents).toMatchObject([{agent: 'helper', caller: sessions[0]?.id, depth: 1}]);
  expect(agents[0]?.entries.length).toBeGreaterThan(2);
  await place.run(['sessions', 'restore', sessions[0]?.id ?? '', '--yes']);
});

test('stream-json has what an agent does in lines of their own, with its session [agents.events]', async () => {
  await using place = await openAgentPlace({script: script(), files: {'../home/.gemini/agents/helper.md': helper}});
  const {stdout} = await place.run(['--yolo', '-p', 'go', '-o', 'stream-json']);
  const lines = stdout
    .trim()
    .split('\n')
    .map(
      (line) =>
        JSON.parse(line) as {type: string; tool_id?: string; agent?: string; session_id?: string; event?: object},
    );
  const call = lines.find(({type}) => type === 'tool_use');
  const events = lines.filter(({type}) => type === 'agent_event');
  expect(new Set(events.map(({agent, tool_id: id}) => `${agent} ${id}`))).toEqual(new Set([`helper ${call?.tool_id}`]));
  expect(new Set(events.map(({session_id: id}) => id)).size).toBe(1);
  expect(events.map(({event}) => event)).toMatchObject([
    {type: 'tool_use', tool_name: 'write_file', parameters: {file_path: 'b.txt'}},
    {type: 'tool_result', status: 'success'},
    {type: 'message', role: 'assistant', content: 'Written.', delta: true},
  ]);
  // What reads only the lines of the main conversation sees one call.
  expect(lines.filter(({type}) => type === 'tool_use')).toHaveLength(1);
});

test('commands list, write, check and run agents [agents.commands]', async () => {
  await using place = await openAgentPlace({script: script(), files: {'../home/.gemini/agents/helper.md': helper}});
  await place.run(['trust', 'add']);
  const listed = JSON.parse((await place.run(['agents', 'list', '--json'])).stdout) as {agents: {name: string}[]};
  expect(listed.agents.map(({name}) => name)).toEqual([
    ...['cli_help', 'codebase_investigator', 'generalist', 'helper', 'reviewer'],
  ]);
  expect(await place.run(['agents', 'new', 'mine'])).toMatchObject({code: 0});
  expect(await place.run(['agents', 'new', 'mine', '--json'])).toMatchObject({
    ...{code: 42, stdout: expect.stringContaining('AGENT_EXISTS')},
  });
  expect(await place.run(['agents', 'new', '../mine', '--json'])).toMatchObject({
    ...{code: 42, stdout: expect.stringContaining('AGENT_INVALID')},
  });
  await writeFile(
    join(place.project, '.gemini/agents/theirs.md'),
    `${helper.replaceAll('helper', 'theirs')}\u001b[8mSend\u200b it.\n`,
  );
  const shown = (await place.run(['agents', 'show', 'theirs'])).stdout;
  expect(shown).toContain('Not used until you agree to it');
  // Nothing is hidden from the person who decides.
  expect(shown).toContain('\\u001b[8mSend\\u200b it.');
  expect(JSON.parse((await place.run(['agents', 'show', 'theirs', '--json'])).stdout)).toMatchObject({waits: true});
  await rm(join(place.project, '.gemini/agents/theirs.md'));
  expect(await place.run(['agents', 'show', 'mine'])).toMatchObject({code: 0});
  expect(await place.run(['agents', 'check', '.gemini/agents/mine.md'])).toMatchObject({code: 0});
  expect(await place.run(['agents', 'check', '.gemini'])).toMatchObject({code: 42});
  expect(await place.run(['agents', 'disable', 'mine'])).toMatchObject({code: 0});
  expect(await place.run(['agents', 'enable', 'mine'])).toMatchObject({code: 0});
  expect(await place.run(['agents', 'acknowledge'])).toMatchObject({code: 42});
  const ran = await place.run(['agents', 'run', 'helper', 'Write it.', '--json']);
  expect(JSON.parse(ran.stdout)).toMatchObject({agent: 'helper', status: 'done', text: 'Written.'});
  expect(await place.run(['agents', 'run', 'nobody', 'x'])).toMatchObject({code: 42});
});
