import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {expect, test} from '@jest/globals';
import {startHttpCollector} from '../../helpers/collector.js';
import {callsTools, openAgentPlace, says} from '../../helpers/run-agent.js';
import {startRemote} from '../a2a/remote-server.js';
import {script} from '../mcp/scene.js';

const asked = [callsTools(['mcp_one_echo', {text: 'x'}], ['remote_agent_terms', {prompt: 'What is a word?'}])];

/** A place with an MCP server, which notes what it gets, and an agent of another program. */
async function open(settings: object, remote: string) {
  const place = await openAgentPlace({script: [...asked, says('Done.')]});
  const notes = join(dirname(place.home), 'notes');
  const server = {command: process.execPath, args: [script, `notes=${notes}`]};
  const file = join(place.home, '.gemini', 'settings.json');
  const given = JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as object;
  await mkdir(join(place.home, '.gemini', 'agents'), {recursive: true});
  await writeFile(file, JSON.stringify({...given, ...settings, mcpServers: {one: server}}));
  const head = `kind: remote\nname: terms\ndescription: Knows terms.\nagent_card_url: ${remote}/card.json\n`;
  await writeFile(join(place.home, '.gemini', 'agents', 'terms.md'), `---\n${head}---\n`);
  const run = () => place.run(['-m', 'model-a', '--yolo', '-p', 'x']);
  return {place, run, notes: async () => (await readFile(notes, 'utf8')).split('\n')};
}

test('what MCP servers and remote agents do belongs to the trace of the prompt [telemetry.context]', async () => {
  await using collector = await startHttpCollector();
  await using remote = await startRemote();
  const telemetry = {enabled: true, otlpProtocol: 'http', otlpEndpoint: collector.url};
  const {place, run, notes} = await open({telemetry}, remote.url);
  await using _ = place;
  expect(await run()).toMatchObject({code: 0, stdout: 'Done.\n'});
  const spans = collector.all('trace');
  const prompt = spans.find(({name}) => name === 'user_prompt');
  const placeOf = (span: Readonly<Record<string, unknown>> | undefined): string =>
    `00-${String(span?.['traceId'])}-${String(span?.['spanId'])}-01`;
  const calls = spans.filter(({name}) => name === 'tool_call').map((span) => `trace ${placeOf(span)}`);
  const traced = (await notes()).filter((line) => line.startsWith('trace '));
  expect(traced).toHaveLength(1);
  expect(calls).toContain(traced[0]);
  expect(new Set(remote.traces)).toEqual(new Set([placeOf(prompt)]));
});

test('nothing is added while telemetry is off [telemetry.context]', async () => {
  await using remote = await startRemote();
  const {place, run, notes} = await open({}, remote.url);
  await using _ = place;
  expect(await run()).toMatchObject({code: 0});
  expect((await notes()).filter((line) => line.startsWith('trace '))).toEqual([]);
  expect(remote).toMatchObject({traces: [], asked: [expect.anything()]});
});
