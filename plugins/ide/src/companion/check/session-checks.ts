import {askStatus} from './http-stranger.js';
import {bodyOf, headersOf, meetCompanion} from './mcp-stranger.js';
import type {Check} from './subject.js';
import {demand} from './unfit.js';

/** The first of them: without a session, nothing else can be checked. */
export const sessionCheck: Check = {
  name: 'session-begins',
  says: 'initialize starts a session, named by mcp-session-id, whose stream (GET) can be opened.',
  needs: 'answer',
  async run(subject) {
    await (await meetCompanion(subject))[Symbol.asyncDispose]();
  },
};

/** The checks of sessions and of the tools they offer. */
export const sessionChecks: readonly Check[] = [
  {
    name: 'tools',
    says:
      'tools/list has openDiff (filePath and newContent required) and closeDiff (filePath required, ' +
      'suppressNotification a boolean).',
    needs: 'session',
    async run(subject) {
      await using stranger = await meetCompanion(subject);
      const {result} = await stranger.request('tools/list');
      const tools = (result as {tools?: unknown} | undefined)?.tools;
      demand(Array.isArray(tools), 'tools/list returned no list.');
      demandTool(tools as readonly ListedTool[], 'openDiff', {filePath: 'string', newContent: 'string'}, [
        'filePath',
        'newContent',
      ]);
      demandTool(tools as readonly ListedTool[], 'closeDiff', {filePath: 'string', suppressNotification: 'boolean'}, [
        'filePath',
      ]);
    },
  },
  {
    name: 'ping',
    says: 'ping is answered with an empty result.',
    needs: 'session',
    async run(subject) {
      await using stranger = await meetCompanion(subject);
      const {result} = await stranger.request('ping');
      demand(JSON.stringify(result) === '{}', `The result is ${JSON.stringify(result)}.`);
    },
  },
  {
    name: 'sessions-apart',
    says: 'Several sessions can be open at once; each gets its own updates and answers.',
    needs: 'session',
    async run(subject) {
      await using one = await meetCompanion(subject);
      await using other = await meetCompanion(subject);
      demand(one.id !== other.id, 'Both have the same id.');
      for (const stranger of [one, other]) {
        await stranger.ear.waitFor(({method}) => method === 'ide/contextUpdate');
        const {result} = await stranger.request('ping');
        demand(result !== undefined, 'One of two was not answered.');
      }
    },
  },
  {
    name: 'session-ends',
    says: 'DELETE ends a session; afterwards it is answered with 404.',
    needs: 'session',
    async run(subject) {
      await using stranger = await meetCompanion(subject);
      const status = await stranger.leave();
      if (status === 405) return 'The companion ends sessions on its own (405).';
      demand(status >= 200 && status < 300, `DELETE was answered with ${status}.`);
      const after = await askStatus({
        port: subject.port,
        headers: headersOf(subject.token, stranger.id),
        body: bodyOf('ping', {}, 1),
        signal: subject.signal,
      });
      demand(after === 404, `Afterwards it was answered with ${after}.`);
    },
  },
];

interface ListedTool {
  readonly name?: unknown;
  readonly inputSchema?: {
    readonly type?: unknown;
    readonly properties?: Readonly<Record<string, {readonly type?: unknown} | undefined>>;
    readonly required?: readonly unknown[];
  };
}

function demandTool(
  tools: readonly ListedTool[],
  name: string,
  properties: Readonly<Record<string, string>>,
  required: readonly string[],
): void {
  const schema = tools.find((tool) => tool?.name === name)?.inputSchema;
  demand(schema !== undefined, `${name} is not listed.`);
  for (const [property, type] of Object.entries(properties)) {
    const found = schema.properties?.[property]?.type;
    demand(
      found === type,
      `${property} of ${name} is ${found === undefined ? 'missing' : JSON.stringify(found)}, not a ${type}.`,
    );
  }
  const asked = [...(schema.required ?? [])].sort();
  demand(
    JSON.stringify(asked) === JSON.stringify([...required].sort()),
    `${name} requires ${JSON.stringify(asked)}, not ${JSON.stringify(required)}.`,
  );
}
