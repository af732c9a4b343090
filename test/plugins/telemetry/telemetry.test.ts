import {createServer} from 'node:net';
import {readFile, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {attributesOf, startGrpcCollector, startHttpCollector, type Collector} from '../../helpers/collector.js';
import {startProxy} from '../../helpers/proxy-server.js';
import {callsTools, openAgentPlace, says, type AgentPlace} from '../../helpers/run-agent.js';

/** Put together here, so that no scanner takes it for a real one. */
const TOKEN = ['ghp', 'a1b2c3d4e5f6a1b2c3d4e5f6a1b2c3d4e5f6'].join('_');
const files = {'note.txt': 'A note.\n'};
const script = (): ReturnType<typeof callsTools>[] => [
  callsTools(['read_file', {file_path: 'note.txt'}], ['read_file', {file_path: 'absent.txt'}]),
  says('Done.'),
];

function open(telemetry: object, more: Parameters<typeof openAgentPlace>[0] = {}): Promise<AgentPlace> {
  return openAgentPlace({script: script(), files, settings: {telemetry: {enabled: true, ...telemetry}}, ...more});
}

async function runOnce(collector: Collector, telemetry: object, words = ['-p', `Read it. ${TOKEN}`]): Promise<void> {
  await using place = await open({otlpEndpoint: collector.url, ...telemetry});
  expect(await place.run(['-m', 'model-a', ...words])).toMatchObject({code: 0, stdout: 'Done.\n'});
}

const eventsOf = (collector: Collector): readonly unknown[] =>
  collector.all('logs').map((log) => attributesOf(log)['event.name']);

describe.each([
  ['gRPC', startGrpcCollector, {otlpProtocol: 'grpc'}],
  ['HTTP', startHttpCollector, {otlpProtocol: 'http'}],
] as const)('a run tells a collector over %s [telemetry.otlp]', (_, start, protocol) => {
  test('its events, spans and measurements, by the names of Gemini CLI', async () => {
    await using collector = await start();
    await runOnce(collector, protocol);
    // The two calls run side by side, so that either may end first.
    expect([...eventsOf(collector)].sort()).toEqual([
      'gemini_cli.api_request',
      'gemini_cli.api_request',
      'gemini_cli.api_response',
      'gemini_cli.api_response',
      'gemini_cli.config',
      'gemini_cli.conversation_finished',
      'gemini_cli.file_operation',
      'gemini_cli.tool_call',
      'gemini_cli.tool_call',
      'gemini_cli.user_prompt',
    ]);
    const spans = collector.all('trace');
    expect(spans.map(({name}) => name)).toEqual(['llm_call', 'tool_call', 'tool_call', 'llm_call', 'user_prompt']);
    const prompt = spans.at(-1);
    expect(prompt?.['parentSpanId'] ?? '').toBe('');
    for (const span of spans.slice(0, -1))
      expect(span).toMatchObject({traceId: prompt?.['traceId'], parentSpanId: prompt?.['spanId']});
    expect(attributesOf(spans[0])).toMatchObject({
      'gen_ai.operation.name': 'llm_call',
      'gen_ai.request.model': 'model-a',
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 2,
    });
    const metrics = collector.all('metrics').map(({name}) => name);
    expect(metrics).toEqual(expect.arrayContaining(['gemini_cli.token.usage', 'gemini_cli.tool.call.latency']));
    const [first] = collector.received.filter(({signal}) => signal === 'logs');
    const [{resource}] = first?.body['resourceLogs'] as [{readonly resource: Readonly<Record<string, unknown>>}];
    expect(attributesOf(resource)).toMatchObject({'service.name': 'gemini-cli', 'service.version': '0.2.0'});
  });
});

test('texts have no secrets, and are absent with logPrompts off; the command line is never there', async () => {
  await using collector = await startHttpCollector();
  const http = {otlpProtocol: 'http', traces: true};
  await runOnce(collector, http);
  const whole = JSON.stringify(collector.received);
  expect(whole).toContain('Read it. [redacted');
  expect(whole).toContain('A note.');
  expect(whole).not.toContain(TOKEN);
  await using strict = await startHttpCollector();
  await runOnce(strict, {...http, logPrompts: false}, ['-p', 'Tell me about plums.']);
  const text = JSON.stringify(strict.received);
  for (const part of ['plums', 'note.txt', 'absent.txt', 'A note.', 'Done.', 'gemini.cjs'])
    expect(text).not.toContain(part);
  expect(attributesOf(strict.all('logs')[1])).toMatchObject({prompt_length: 20});
});

test('a project can have less recorded, and neither switch it on nor say where it goes [telemetry.project]', async () => {
  await using collector = await startHttpCollector();
  await using evil = await startHttpCollector();
  const project = {telemetry: {enabled: true, otlpEndpoint: evil.url, otlpProtocol: 'http', outfile: 'here.log'}};
  const workspace = {...files, '.gemini/settings.json': JSON.stringify(project)};
  const env = {
    '.gemini/.env': `OTEL_EXPORTER_OTLP_ENDPOINT=${evil.url}\nGEMINI_TELEMETRY_ENABLED=true\nTRACEPARENT=x\n`,
  };
  await using off = await openAgentPlace({script: script(), files: {...workspace, ...env}});
  expect((await off.run(['-m', 'model-a', '-p', 'x'])).code).toBe(0);
  await using on = await open({otlpEndpoint: collector.url, otlpProtocol: 'http'}, {files: {...workspace, ...env}});
  expect((await on.run(['-m', 'model-a', '-p', 'x'])).code).toBe(0);
  expect(evil.received).toEqual([]);
  expect(eventsOf(collector)).toContain('gemini_cli.user_prompt');
  await using less = await open(
    {otlpEndpoint: collector.url, otlpProtocol: 'http'},
    {files: {'.gemini/settings.json': '{"telemetry": {"enabled": false}}'}},
  );
  const before = collector.received.length;
  expect((await less.run(['-m', 'model-a', '-p', 'x'])).code).toBe(0);
  expect(collector.received.length).toBe(before);
});

describe('a collector that is down [telemetry.down]', () => {
  const timed = async (telemetry: object): Promise<{readonly ms: number; readonly stderr: string}> => {
    await using place = await open(telemetry, {script: [says('Done.')]});
    const began = Date.now();
    const {code, stdout, stderr} = await place.run(['-m', 'model-a', '-p', 'x']);
    expect({code, stdout}).toEqual({code: 0, stdout: 'Done.\n'});
    return {ms: Date.now() - began, stderr};
  };

  test('that refuses, fails or says nothing holds the end up for a second at most, with one notice', async () => {
    const {ms: without} = await timed({enabled: false});
    const refused = await timed({otlpEndpoint: 'http://127.0.0.1:9', otlpProtocol: 'grpc'});
    expect(refused.stderr).toMatch(/^Warning: Telemetry does not reach http:\/\/127\.0\.0\.1:9\. .*ECONNREFUSED/m);
    expect(refused.stderr.match(/Telemetry does not reach/g)).toHaveLength(1);
    await using failing = await startHttpCollector(() => 500);
    const failed = await timed({otlpEndpoint: failing.url, otlpProtocol: 'http'});
    expect(failed.stderr).toContain('answered 500');
    await using silent = await startHttpCollector(() => 0);
    const held = await timed({otlpEndpoint: silent.url, otlpProtocol: 'http'});
    const mute = createServer();
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    const {port} = mute.address() as {readonly port: number};
    const hung = await timed({otlpEndpoint: `http://127.0.0.1:${port}`, otlpProtocol: 'grpc'});
    mute.close();
    // Loose: other tests run beside this one.
    for (const {ms} of [refused, failed, held, hung]) expect(ms).toBeLessThan(without * 3 + 2500);
  });

  test('over gRPC, a state that passes is tried again', async () => {
    let asked = 0;
    await using collector = await startGrpcCollector(() => ((asked += 1) === 1 ? 14 : 0));
    await using place = await open({otlpEndpoint: collector.url});
    const {code, stderr} = await place.run(['telemetry', 'status', '--check']);
    expect({code, stderr}).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('gRPC status 14: as the test says'),
    });
    asked = 0;
    expect((await place.run(['telemetry', 'status', '--check', '--json'])).stdout).toContain('TELEMETRY_UNREACHABLE');
    expect((await place.run(['telemetry', 'status', '--check'])).stdout).toMatch(/^A record arrived at http/);
  });
});

test('both kinds of requests go through the proxy of the person', async () => {
  await using http = await startHttpCollector();
  await using grpc = await startGrpcCollector();
  for (const [collector, otlpProtocol] of [
    [http, 'http'],
    [grpc, 'grpc'],
  ] as const) {
    await using proxy = await startProxy(Number(new URL(collector.url).port));
    await using place = await open({otlpEndpoint: 'http://collector.example:4317', otlpProtocol});
    const variables = {HTTP_PROXY: `http://me:pass@127.0.0.1:${proxy.port}`};
    const {stdout, stderr} = await place.run(['telemetry', 'status', '--check'], {variables});
    expect({stdout, stderr}).toMatchObject({stdout: expect.stringContaining('arrived'), stderr: ''});
    expect(proxy.seen[0]?.authorization).toBe(`Basic ${Buffer.from('me:pass').toString('base64')}`);
    expect(collector.all('logs')).toHaveLength(1);
  }
});

test('headers, resource and parent come from the variables of OpenTelemetry', async () => {
  await using collector = await startHttpCollector();
  await using place = await open({otlpEndpoint: collector.url, otlpProtocol: 'http'});
  const traceId = 'a'.repeat(32);
  const {code} = await place.run(['-m', 'model-a', '-p', 'x'], {
    variables: {
      OTEL_EXPORTER_OTLP_HEADERS: 'X-Team=red%20one, authorization=Bearer b',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=ci',
      TRACEPARENT: `00-${traceId}-${'b'.repeat(16)}-01`,
    },
  });
  expect(code).toBe(0);
  const [first] = collector.received;
  expect(first?.headers).toMatchObject({'x-team': 'red one', authorization: 'Bearer b'});
  expect(JSON.stringify(first?.body)).toContain('deployment.environment');
  const prompt = collector.all('trace').find(({name}) => name === 'user_prompt');
  expect(prompt).toMatchObject({traceId, parentSpanId: 'b'.repeat(16)});
});

describe('a file [telemetry.file]', () => {
  test.each(['gemini-cli', 'otlp-lines'])('in the layout %s is private, and tail shows its records', async (layout) => {
    await using place = await open({outfile: '../out.log', outfileLayout: layout});
    expect((await place.run(['-m', 'model-a', '-p', 'x'])).code).toBe(0);
    const path = join(place.project, '../out.log');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const {stdout} = await place.run(['telemetry', 'tail', '-n', '100', '--json']);
    const {records} = JSON.parse(stdout) as {
      readonly records: readonly {readonly kind: string; readonly name: string}[];
    };
    const kinds = records.map(({kind}) => kind);
    expect([kinds.filter((one) => one === 'span').length, kinds.filter((one) => one === 'event').length]).toEqual([
      5, 10,
    ]);
    expect(kinds.at(-1)).toBe('metrics');
    expect((await place.run(['telemetry', 'tail', '-n', '2'])).stdout.trim().split('\n')).toHaveLength(2);
    if (layout === 'gemini-cli') expect(await readFile(path, 'utf8')).toContain('"_body": "A session has begun."');
  });

  test('that is a folder is a notice of a run, and an error of tail', async () => {
    await using place = await open({outfile: '../folder'}, {files: {...files, '../folder/x': ''}});
    const {code, stderr} = await place.run(['-m', 'model-a', '-p', 'x']);
    expect({code, stderr}).toMatchObject({code: 0, stderr: expect.stringMatching(/folder cannot be written: /)});
    expect(await place.run(['telemetry', 'tail'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('cannot be read'),
    });
  });
});

test('what cannot count is said, and off means off', async () => {
  await using place = await open({otlpEndpoint: 'collector:4317'});
  const {stderr, stdout} = await place.run(['telemetry', 'status']);
  expect(stderr).toContain('telemetry.otlpEndpoint is "collector:4317", which is not an address');
  expect(stdout).toContain('Telemetry is on.');
  expect(await place.run(['telemetry', 'status', '--check'])).toMatchObject({code: 1});
  await using secret = await open({otlpEndpoint: 'http://me:hunter2@127.0.0.1:9'});
  const said = await secret.run(['telemetry', 'status']);
  expect(said.stderr).toContain('has a password in it');
  expect(said.stdout + said.stderr).not.toContain('hunter2');
  await using off = await openAgentPlace({script: [says('Done.')]});
  expect((await off.run(['telemetry', 'status'])).stdout).toContain('nothing is recorded');
  expect(await off.run(['telemetry', 'status', '--check', '--json'])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('TELEMETRY_OFF'),
  });
  expect((await off.run(['telemetry', 'tail', '--json'])).stdout).toContain('TELEMETRY_NO_FILE');
});
