import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {callsTools, openAgentPlace, says} from '../../helpers/run-agent.js';
import {hook} from '../hooks/scene.js';

interface Written {
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly scopeMetrics?: readonly {readonly metrics: readonly {readonly descriptor: {readonly name: string}}[]}[];
}

/**
 * Reads a file as tools for Gemini CLI do: objects end where a line `}` is followed by a line `{`, and what is no JSON
 * is passed over. Nothing may be passed over here.
 */
async function readWritten(path: string): Promise<readonly Written[]> {
  const parts = (await readFile(path, 'utf8')).trim().split('}\n{');
  return parts.map((part, index) => {
    const [open, close] = [index === 0 ? '' : '{', index === parts.length - 1 ? '' : '}'];
    return JSON.parse(`${open}${part}${close}`) as Written;
  });
}

function eventsOf(written: readonly Written[], name: string): readonly Readonly<Record<string, unknown>>[] {
  return written.flatMap(({attributes = {}}) =>
    attributes['event.name'] === `gemini_cli.${name}` ? [attributes] : [],
  );
}

const script = [
  callsTools(['read_file', {file_path: 'note.txt'}]),
  {...callsTools(['read_file', {file_path: '}\n{.txt'}])},
  says('Done.'),
];

test('tools that read the file of Gemini CLI find prompts, requests, calls, hooks and metrics [telemetry.reference]', async () => {
  const hooks = {
    BeforeTool: [{hooks: [hook(`cat >/dev/null; printf '{"decision": "allow"}'`, {name: 'allows'})]}],
    AfterTool: [{hooks: [hook('cat >/dev/null; echo careful >&2; exit 1', {name: 'warns'})]}],
  };
  await using place = await openAgentPlace({
    script,
    files: {'note.txt': 'A note.\n}\n{\nof lines\n'},
    settings: {telemetry: {enabled: true, target: 'local', otlpEndpoint: '', outfile: '~/telemetry.log'}, hooks},
  });
  const {code} = await place.run(['-m', 'model-a', '--yolo', '-p', 'Read the note.']);
  expect(code).toBe(0);
  const written = await readWritten(join(place.home, 'telemetry.log'));

  expect(eventsOf(written, 'user_prompt')).toMatchObject([{prompt: 'Read the note.', prompt_length: 14}]);
  expect(eventsOf(written, 'tool_call')).toMatchObject([
    {function_name: 'read_file', function_args: '{"file_path":"note.txt"}', success: true},
    {function_name: 'read_file', success: false},
  ]);
  for (const {duration_ms: ms} of eventsOf(written, 'tool_call')) expect(typeof ms).toBe('number');

  const requests = eventsOf(written, 'api_request').map(({request_text: text}) => JSON.parse(String(text)) as unknown);
  expect(requests).toMatchObject([
    [{role: 'user', parts: [{text: expect.stringContaining('Read the note.')}]}],
    [
      {role: 'model', parts: [{functionCall: {name: 'read_file', args: {file_path: 'note.txt'}}}]},
      {role: 'user', parts: [{functionResponse: {response: {output: expect.stringContaining('of lines')}}}]},
    ],
    [{role: 'model'}, {role: 'user', parts: [{functionResponse: {response: {error: expect.anything()}}}]}],
  ]);
  expect(eventsOf(written, 'api_response')).toMatchObject([{status_code: 200}, {}, {total_token_count: 12}]);

  const runs = eventsOf(written, 'hook_call').map((event): Readonly<Record<string, unknown>> => {
    return {...event, input: JSON.parse(String(event['hook_input'])) as unknown};
  });
  expect(runs.find((run) => run['hook_event_name'] === 'BeforeTool')).toMatchObject({
    ...{hook_name: 'allows', exit_code: 0, success: true, stderr: '', hook_output: '{"decision": "allow"}'},
    ...{stdout: '{"decision": "allow"}', duration_ms: expect.any(Number)},
    input: {hook_event_name: 'BeforeTool', tool_name: 'read_file', tool_input: {file_path: 'note.txt'}},
  });
  expect(runs.find((run) => run['hook_event_name'] === 'AfterTool')).toMatchObject({
    ...{hook_name: 'warns', exit_code: 1, success: false, stdout: '', stderr: 'careful'},
    error: expect.stringContaining('warns'),
  });

  const metrics = written.flatMap(({scopeMetrics = []}) => scopeMetrics.flatMap((scope) => scope.metrics));
  expect(metrics.map(({descriptor}) => descriptor.name)).toEqual(
    expect.arrayContaining(['gemini_cli.session.count', 'gemini_cli.tool.call.count', 'gemini_cli.api.request.count']),
  );
});

test('without logPrompts the same events have no texts [telemetry.reference]', async () => {
  await using place = await openAgentPlace({
    script,
    files: {'note.txt': 'A note.\n'},
    settings: {telemetry: {enabled: true, outfile: '~/telemetry.log', logPrompts: false}},
  });
  expect((await place.run(['-m', 'model-a', '--yolo', '-p', 'Read the note.'])).code).toBe(0);
  const written = await readWritten(join(place.home, 'telemetry.log'));
  expect(eventsOf(written, 'api_request').map((event) => Object.keys(event))).toEqual(
    Array.from({length: 3}, () => expect.not.arrayContaining(['request_text'])),
  );
  expect(JSON.stringify(written)).not.toMatch(/Read the note|A note|note\.txt/);
});
