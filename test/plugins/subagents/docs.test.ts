import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {callsTools, says} from '../../helpers/run-agent.js';
import {checkout} from '../../helpers/plugin-root.js';
import {openAgents} from './scene.js';

async function openDocs() {
  const conversation = await openAgents(() => says('Done.'));
  const ask = async (input: object): Promise<string> => {
    const outcome = await conversation.kernel.call('get_internal_docs', input);
    if (outcome.status === 'done') return outcome.result.plain ?? '';
    return outcome.status === 'failed' ? outcome.error.code : outcome.reason;
  };
  return Object.assign(conversation, {ask});
}

test('every guide is carried, found by words, and read by its name [agents.docs]', async () => {
  await using scene = await openDocs();
  const list = await scene.ask({});
  const guides = (await readdir(join(checkout, 'docs'))).filter((name) => name.endsWith('.md'));
  expect(guides.filter((name) => !list.includes(`- ${name}: `))).toEqual([]);
  expect(list.length).toBeLessThan(12_000);
  expect(await scene.ask({query: 'agents ACKNOWLEDGE'})).toContain('agents.md:');
  expect(await scene.ask({query: 'nothing-has-this-word'})).toBe(
    'No line has all of these words: nothing-has-this-word.',
  );
  const page = await scene.ask({path: 'agents.md'});
  expect(page).toContain('# Agents');
  for (const other of ['agents', 'docs/agents.md', './docs/agents.md', 'agents.md#built-in'])
    expect(await scene.ask({path: other})).toBe(page);
});

test('no name of a page leads out of the documentation [agents.docs]', async () => {
  await using scene = await openDocs();
  const escapes = [
    '../package.json',
    '/etc/passwd',
    'docs/../../README.md',
    '..\\package.json',
    '__proto__',
    'constructor',
  ];
  for (const path of escapes) expect(await scene.ask({path})).toBe('DOCS_UNKNOWN');
});

test('the main agent is not given the documentation; the agent for questions is, and only that [agents.docs]', async () => {
  let asked = false;
  await using scene = await openAgents((request) => {
    if (request.system.startsWith('You answer questions about the program')) return says('So.');
    if (asked) return says('Done.');
    asked = true;
    return callsTools(
      ['invoke_agent', {agent_name: 'cli_help', prompt: 'How?'}],
      ['invoke_agent', {agent_name: 'generalist', prompt: 'Look.'}],
    );
  });
  await scene.send('go');
  const given = scene.server.requests.map(({tools}) => tools.map(({name}) => name));
  expect(given.filter((names) => names.includes('get_internal_docs'))).toEqual([['get_internal_docs']]);
});
