import {createServer} from 'node:https';
import type {IncomingHttpHeaders} from 'node:http';
import type {AddressInfo} from 'node:net';
import {text} from 'node:stream/consumers';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {startProxy} from '../../helpers/proxy-server.js';
import {openAgentPlace, says, type AgentPlace} from '../../helpers/run-agent.js';
import {makeAuthority} from '../a2a/certificates.js';

interface Seen {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const HOSTS = ['telemetry.googleapis.com', 'oauth2.googleapis.com'];
const credentials = {
  ...{type: 'authorized_user', client_id: 'client', client_secret: 'secret', refresh_token: 'refresh'},
  quota_project_id: 'other',
};

/** Hosts of Google on loopback: by a certificate of a test's authority, behind a proxy that takes all for them. */
async function startGoogle() {
  const authority = await makeAuthority();
  const pair = await authority.make('google', HOSTS.map((host) => `DNS:${host}`).join(','));
  const seen: Seen[] = [];
  let status = 200;
  const server = createServer({cert: pair.text.cert, key: pair.text.key}, (request, response) => {
    void text(request).then((body) => {
      const {host = ''} = request.headers;
      seen.push({path: `${host}${request.url ?? ''}`, headers: request.headers, body});
      const isToken = host.startsWith('oauth2.');
      const answer = isToken ? {access_token: 'a-token', expires_in: 3600, token_type: 'Bearer'} : {};
      response.writeHead(isToken ? 200 : status, {'content-type': 'application/json'}).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy = await startProxy((server.address() as AddressInfo).port);
  return {
    seen,
    refuse: (code: number) => (status = code),
    variables: {HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`, NODE_EXTRA_CA_CERTS: authority.ca},
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      server.closeAllConnections();
      server.close();
      await authority[Symbol.asyncDispose]();
    },
  };
}

function open(telemetry: object, files: Readonly<Record<string, string>> = {}): Promise<AgentPlace> {
  return openAgentPlace({
    script: [says('Done.'), says('Done.')],
    settings: {telemetry: {enabled: true, target: 'gcp', ...telemetry}},
    files: {'../adc.json': JSON.stringify(credentials), ...files},
  });
}

/** No machine at Google is looked for. */
const NO_MACHINE = {METADATA_SERVER_DETECTION: 'none'};

test('records go to Google Cloud, with a token for its project, and no other headers [telemetry.google]', async () => {
  await using google = await startGoogle();
  await using place = await open({otlpEndpoint: 'http://127.0.0.1:9', otlpProtocol: 'grpc'});
  const variables = {
    ...{...google.variables, ...NO_MACHINE, GOOGLE_CLOUD_PROJECT: 'other', OTLP_GOOGLE_CLOUD_PROJECT: 'shop-1'},
    GOOGLE_APPLICATION_CREDENTIALS: join(place.project, '../adc.json'),
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=of-a-collector',
  };
  const {code, stderr} = await place.run(['-m', 'model-a', '-p', 'x'], {variables});
  expect({code, stderr}).toEqual({code: 0, stderr: ''});
  // A run that takes longer has two batches.
  expect([...new Set(google.seen.map(({path}) => path))].sort()).toEqual([
    'oauth2.googleapis.com/token',
    ...['logs', 'metrics', 'traces'].map((signal) => `telemetry.googleapis.com/v1/${signal}`),
  ]);
  expect(new URLSearchParams(google.seen[0]?.body).get('refresh_token')).toBe('refresh');
  for (const {headers, body} of google.seen.slice(1)) {
    expect(headers).toMatchObject({authorization: 'Bearer a-token', 'x-goog-user-project': 'shop-1'});
    expect(headers).not.toHaveProperty('x-key');
    expect(body).toContain('{"key":"gcp.project_id","value":{"stringValue":"shop-1"}}');
  }
  google.refuse(403);
  const refused = await place.run(['telemetry', 'status', '--check'], {variables});
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('https://telemetry.googleapis.com/v1/logs answered 403.'),
  });
  expect(refused.stderr).toContain('Check that the Telemetry API is enabled in shop-1');
});

describe('what cannot be sent to Google Cloud is said, and goes nowhere else [telemetry.google]', () => {
  test.each([
    ['no project', {}, {}, 'no project is named'],
    ['a project of a repository', {}, {'.gemini/.env': 'GOOGLE_CLOUD_PROJECT=evil\n'}, 'no project is named'],
    ['the account of this program', {useCliAuth: true}, {}, 'this program has no account at Google'],
  ])('%s', async (_, telemetry, files, sentence) => {
    await using place = await open(telemetry, files);
    const {stdout, stderr} = await place.run(['telemetry', 'status'], {variables: NO_MACHINE});
    expect(stderr).toContain(sentence);
    expect(stdout).toContain('Telemetry is on.\n');
  });

  test('an id that is not one of a project', async () => {
    await using place = await open({});
    const variables = {...NO_MACHINE, GOOGLE_CLOUD_PROJECT: 'a\u0007b/../c'};
    const {stderr} = await place.run(['telemetry', 'status'], {variables});
    expect(stderr).toContain('is no id of a project');
  });

  test('no credentials: the run ends well, with one notice that says what to do', async () => {
    await using place = await open({});
    const variables = {...NO_MACHINE, GOOGLE_CLOUD_PROJECT: 'shop-1'};
    const {code, stderr} = await place.run(['-m', 'model-a', '-p', 'x'], {variables});
    expect(code).toBe(0);
    expect(stderr.match(/Telemetry does not reach/g)).toHaveLength(1);
    expect(stderr).toMatch(/give no token \(.*\): run gcloud auth application-default login/);
  });
});

test('a collector is used as before when the person asks for one, and a file comes first', async () => {
  await using place = await open({useCollector: true, useCliAuth: true, otlpEndpoint: 'http://127.0.0.1:9'});
  const {stdout, stderr} = await place.run(['telemetry', 'status']);
  expect(stdout).toContain('goes to http://127.0.0.1:9 (grpc)');
  expect(stderr).toContain('telemetry.useCliAuth does not count');
  await using filed = await open({outfile: '../out.log'});
  expect((await filed.run(['telemetry', 'status'])).stdout).toContain('out.log (file)');
});
