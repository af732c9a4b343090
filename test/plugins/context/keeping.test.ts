import {readdir, readFile, rm, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import type {Script, ScriptedAnswer} from '@gemini-kernel/plugin-agent/testing';
import {callsTools, openAgentPlace, says, type AgentPlace} from '../../helpers/run-agent.js';
import {findFact, isAhead, startLongTalk, type LongTalk} from './talk.js';

const LINE = 'nothing of interest stands in this line\n';
const long = (fact: string): string => `${LINE.repeat(60)}${fact}\n${LINE.repeat(60)}`;
const SMALL = {
  tools: {outputMasking: {protectionThresholdTokens: 2000, minPrunableThresholdTokens: 4000}},
};
/** Calls of one prompt, so many that the plugin is asked. */
const FILES = Object.fromEntries(
  Array.from({length: 16}, (_, at) => [`n${at}.txt`, long(`The code is ${at}-${at * 7}.`)]),
);

function reads(count: number): Script {
  const calls = Array.from({length: count}, (_, at): ScriptedAnswer => {
    const {pieces = []} = callsTools(['read_file', {file_path: `n${at}.txt`}]);
    return {pieces: pieces.map((piece) => (piece.kind === 'call' ? {...piece, id: `read-${at}`} : piece))};
  });
  return [...calls, says('Read.')];
}

async function folderOf({home}: AgentPlace): Promise<string> {
  const tmp = join(home, '.gemini', 'tmp');
  const [project = ''] = (await readdir(tmp)).filter((name) => name !== 'bin');
  const outputs = join(tmp, project, 'tool-outputs');
  const [session = ''] = await readdir(outputs);
  return join(outputs, session);
}

test('what is left out is shown, explained, kept for its owner only, and readable in the resumed session [context.commands]', async () => {
  await using place = await openAgentPlace({script: reads(16), files: FILES, settings: {contextManagement: SMALL}});
  await place.ask(['-p', 'read all']);
  const folder = await folderOf(place);
  const [file = ''] = await readdir(folder);
  if (process.platform !== 'win32') expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
  expect(await readFile(join(folder, file), 'utf8')).toContain('The code is');

  const shown = await place.run(['context', 'show']);
  expect(shown.stdout).toMatch(/Left out: about [\d,]+ tokens of \d+ calls \(profile default\)\./);
  const explained = await place.run(['context', 'explain', '--left-out', '--json']);
  const {nodes} = JSON.parse(explained.stdout) as {nodes: {id: string; form: string; why: string; file: string}[]};
  expect(nodes.length).toBeGreaterThan(3);
  expect(nodes[0]).toMatchObject({form: 'masked', why: 'Newer tool output has more than 2,000 tokens.'});
  expect(await readFile(nodes[0]?.file ?? '', 'utf8')).toContain('The code is 0-0.');
  const one = await place.run(['context', 'explain', '--node', nodes[0]?.id ?? '']);
  expect(one.stdout).toMatch(/tool, ~\d+ of [\d,]+ tokens {2}read_file.*\n {2}masked: Newer tool output/);
  expect(await place.run(['context', 'explain', '--node', 'nope', '--json'])).toMatchObject({
    code: 42,
    stdout: expect.stringMatching(/"code": "CONTEXT_NODE_UNKNOWN"|no part with the id/),
  });

  // A lost file is written again, and the model reads it by a call that no rule has to allow.
  await rm(folder, {recursive: true});
  place.server.script([callsTools(['read_file', {file_path: nodes[0]?.file ?? ''}]), says('It is 0-0.')]);
  const {report} = await place.ask(['-p', 'what is the code of n0?', '--resume', 'latest']);
  expect(report.refused).toEqual([]);
  expect(JSON.stringify(place.server.requests.at(-1)?.messages.at(-1))).toContain('The code is 0-0.');
  expect(place.server.faults).toEqual([]);
}, 90_000);

test('what cannot be kept stays in the request, and that is said once [context.unwritable]', async () => {
  await using place = await openAgentPlace({script: reads(3), files: FILES, settings: {contextManagement: SMALL}});
  await place.ask(['-p', 'read some']);
  const tmp = join(place.home, '.gemini', 'tmp');
  const [project = ''] = (await readdir(tmp)).filter((name) => name !== 'bin');
  await rm(join(tmp, project, 'tool-outputs'), {recursive: true, force: true});
  await writeFile(join(tmp, project, 'tool-outputs'), 'a file where a folder is needed');
  place.server.script(reads(16));
  const {stderr, report} = await place.ask(['-p', 'read all']);
  expect(report.response).toBe('Read.');
  expect(stderr.split('Tool output that would leave requests cannot be kept').length).toBe(2);
  expect(JSON.stringify(place.server.requests.at(-1)?.messages)).not.toContain('tool_output_masked');
}, 60_000);

test('a summary names the files of what it replaces, also of what a summary before it replaced [context.index]', async () => {
  await using talk: LongTalk = await startLongTalk({requests: 12, calls: 1, size: 2000, perPrompt: 3});
  await talk.run();
  const signal = new AbortController().signal;
  const watch = {signal, onEvent: () => undefined};
  talk.talk.server.script(() => says('<state_snapshot>Files were read.</state_snapshot>'));
  expect(await talk.talk.agent.compress(watch)).toMatchObject({status: 'compressed'});
  const [summary = ''] = await summaries(talk);
  expect(summary).toContain('<earlier_tool_output>');
  const file = /^(\S+read_file\S+\.txt) {2}read_file \{"file_path":"notes-0\.txt"\}$/m.exec(summary)?.[1] ?? '';
  const read = await talk.talk.kernel.call('read_file', {file_path: file});
  expect(JSON.stringify(read)).toContain(talk.read[0]?.fact);
  await talk.talk.send('And now?');
  const newest = talk.read.at(-1);
  expect(newest && (await findFact(talk, newest))).toBe('request');
});

async function summaries({talk}: LongTalk): Promise<readonly string[]> {
  return (await talk.agent.history()).flatMap(({origin, message: {pieces}}) => {
    const [first] = pieces;
    return origin === 'agent' && first?.kind === 'text' && first.text.startsWith('<summary>') ? [first.text] : [];
  });
}

test('a profile writes the summary ahead, and compressing asks no model [context.snapshot]', async () => {
  await using talk = await startLongTalk(
    {requests: 30, calls: 1, size: 3000, perPrompt: 30},
    {experimental: {stressTestProfile: true}},
  );
  await talk.run();
  const {server, agent} = talk.talk;
  const asked = server.requests.filter(({system}) => isAhead(system));
  expect(asked.length).toBeGreaterThan(0);
  const before = server.requests.length;
  const watch = {signal: new AbortController().signal, onEvent: () => undefined};
  expect(await agent.compress(watch)).toMatchObject({status: 'compressed'});
  expect(server.requests.length).toBe(before);
  expect((await summaries(talk))[0]).toContain('<state_snapshot>Many notes were read.</state_snapshot>');
});
