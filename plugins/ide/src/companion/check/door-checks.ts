import {networkInterfaces} from 'node:os';
import {probePort} from '../probe-port.js';
import {askStatus, sendRequest} from './http-stranger.js';
import {bodyOf, headersOf, helloBody} from './mcp-stranger.js';
import type {Check, Subject} from './subject.js';
import {demand} from './unfit.js';

/** The first check: without an answer, nothing else can be checked. */
export const answerCheck: Check = {
  name: 'answers',
  says: 'The companion answers requests at http://127.0.0.1:<port>/mcp.',
  needs: 'answer',
  async run({port, token, signal}) {
    const status = await askStatus({port, headers: headersOf(token), body: helloBody(), signal});
    demand(status === 200, `initialize was answered with ${status}.`);
  },
};

/** The checks of who may connect. */
export function doorChecks(): readonly Check[] {
  return [
    {
      name: 'loopback-only',
      says: 'The port is open on the loopback interface only.',
      needs: 'answer',
      run: checkLoopback,
    },
    ...tokenChecks(),
    ...senderChecks(),
    ...sessionIdChecks(),
    {
      name: 'garbage',
      says: 'A request that is not JSON is answered with 400, and the companion continues to run.',
      needs: 'session',
      run: checkGarbage,
    },
  ];
}

function tokenChecks(): readonly Check[] {
  return [
    refuses({
      name: 'token-missing',
      says: 'Without Authorization a request is answered with 401.',
      status: 401,
      change: () => ({authorization: undefined}),
    }),
    refuses({
      name: 'token-wrong',
      says: 'With another token a request is answered with 401.',
      status: 401,
      change: ({token}) => ({authorization: `Bearer ${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`}),
    }),
    refuses({
      name: 'token-malformed',
      says: 'With a token that is not given as Bearer a request is answered with 401.',
      status: 401,
      change: ({token}) => ({authorization: token}),
    }),
  ];
}

/** Web pages and other hosts are turned away; a container on this machine is not. */
function senderChecks(): readonly Check[] {
  return [
    refuses({
      name: 'origin-foreign',
      says: 'A request from a web page (with Origin) is answered with 403.',
      status: 403,
      change: () => ({origin: 'http://example.com'}),
    }),
    refuses({
      name: 'host-foreign',
      says: 'A request that names another host is answered with 403, which prevents DNS rebinding.',
      status: 403,
      change: ({port}) => ({host: `example.com:${port}`}),
    }),
    {
      name: 'host-container',
      says: 'A request to host.docker.internal:<port> is answered, because gemini may run in a container.',
      needs: 'session',
      async run({port, token, signal}) {
        const status = await askStatus({
          port,
          headers: {...headersOf(token), host: `host.docker.internal:${port}`},
          body: helloBody(),
          signal,
        });
        demand(status === 200, `It was answered with ${status}.`);
      },
    },
  ];
}

function sessionIdChecks(): readonly Check[] {
  return [
    refuses({
      name: 'session-missing',
      says: 'A request that names no session and starts none is answered with 400.',
      status: 400,
      body: bodyOf('tools/list', {}, 1),
    }),
    refuses({
      name: 'session-unknown',
      says: 'A request for an unknown session is answered with 404.',
      status: 404,
      change: () => ({'mcp-session-id': '00000000-0000-4000-8000-000000000000'}),
      body: bodyOf('tools/list', {}, 1),
    }),
  ];
}

interface Refused extends Pick<Check, 'name' | 'says'> {
  readonly status: number;
  readonly body?: string;
  /** How it differs from a valid request. */
  change?(subject: Subject): Readonly<Record<string, string | undefined>>;
}

/** A check that such a request is turned away. */
function refuses({name, says, status: wanted, body = helloBody(), change}: Refused): Check {
  return {
    name,
    says,
    needs: 'answer',
    async run(subject) {
      const all = Object.entries({...headersOf(subject.token), ...change?.(subject)});
      const headers = Object.fromEntries(all.filter((pair): pair is [string, string] => pair[1] !== undefined));
      const status = await askStatus({port: subject.port, headers, body, signal: subject.signal});
      demand(status === wanted, `It was answered with ${status}.`);
    },
  };
}

async function checkLoopback({port}: Subject): Promise<string | void> {
  const addresses = Object.values(networkInterfaces())
    .flatMap((all = []) => all)
    .filter(({internal, address}) => !internal && !address.startsWith('fe80:'));
  if (addresses.length === 0) return 'This machine has no other interface.';
  for (const {address} of addresses)
    demand((await probePort({host: address, port})) !== 'open', `The port is open on ${address}.`);
}

async function checkGarbage({port, token, signal}: Subject): Promise<void> {
  for (const body of ['{"jsonrpc"', '\u0000\u0001', 'null', '[[]]']) {
    const {statusCode = 0} = await sendRequest({port, headers: headersOf(token), body, signal}).then((answer) =>
      answer.destroy(),
    );
    demand(statusCode === 400, `${JSON.stringify(body)} was answered with ${statusCode}.`);
  }
  const status = await askStatus({port, headers: headersOf(token), body: helloBody(), signal});
  demand(status === 200, `Afterwards initialize was answered with ${status}.`);
}
