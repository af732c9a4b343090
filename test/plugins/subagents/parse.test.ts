import {expect, test} from '@jest/globals';
import {fillBody} from '#plugins/subagents/dist/definition/fill-body.js';
import {isListed} from '#plugins/subagents/dist/definition/matches-tool.js';
import {parseAgent} from '#plugins/subagents/dist/definition/parse-agent.js';
import {agentFile} from './scene.js';

test.each([
  ['a mark at the front', `\uFEFF${agentFile('one')}`],
  ['empty lines before the head', `\n\n${agentFile('one')}`],
  ['lines that end as on Windows', agentFile('one').replaceAll('\n', '\r\n')],
  ['keys of other programs', agentFile('one', 'color: blue\npermissionMode: plan\n')],
])('a file with %s is an agent [agents.definition]', (_, text) => {
  expect(parseAgent(text)).toMatchObject({definition: {name: 'one', body: 'You are one.', maxTurns: 30}});
});

test.each([
  ['no head', 'You are one.', 'does not begin with a line "---"'],
  ['no name', agentFile(''), 'has the name ""'],
  ['a name that is a path', agentFile('../one'), 'has the name "../one"'],
  ['no description', '---\nname: one\n---\nYou.', 'has no description'],
  ['no instruction', agentFile('one', '', ''), 'has no instruction'],
  ['turns that are words', agentFile('one', 'max_turns: many\n'), 'sets max_turns to "many"'],
  ['no turns', agentFile('one', 'max_turns: 0\n'), 'sets max_turns to "0"'],
  ['a tool that is no name', agentFile('one', 'tools: [read_file, "$(id)"]\n'), 'names the tool "$(id)"'],
  ['a card of a remote agent', agentFile('one', 'kind: remote\n'), 'needs agent_card_url or agent_card_json'],
  ['bytes', agentFile('one', '', 'a\0b'), 'is not text'],
])('a file with %s says so [agents.definition]', (_, text, reason) => {
  expect(parseAgent(text)).toContain(reason);
});

test('names of tools of Claude Code are ours, and a warning names what they limit [agents.claude]', () => {
  const parsed = parseAgent(agentFile('one', 'tools: Read, Bash(npm test:*), mcp__docs__search\nmodel: sonnet\n'));
  expect(parsed).toEqual({
    definition: expect.objectContaining({
      tools: ['read_file', 'read_many_files', 'run_shell_command', 'mcp_docs_search'],
      model: 'inherit',
    }),
    warnings: [
      'Bash(npm test:*) does not limit the arguments here: write a rule with subagent for that.',
      'The model sonnet is one of Claude Code; the model of the conversation is used.',
    ],
  });
});

test('only what is ours is filled in [agents.template]', () => {
  const body = 'For ${query} on ${today}: echo ${HOME} ${x:-1} ${constructor}';
  expect(fillBody(body, {query: 'a ${today}', today: 'Monday'})).toBe(
    'For a ${today} on Monday: echo ${HOME} ${x:-1} ${constructor}',
  );
});

test.each([
  ['read_file', 'read_file', true],
  ['read_file', 'read_files', false],
  ['*', 'anything', true],
  ['mcp_docs_*', 'mcp_docs_search', true],
  ['mcp_docs_*', 'mcp_other_search', false],
  ['a*b*c', 'a-b-c', true],
  ['a*b*c', 'a-c-b', false],
  ['ab*ba', 'aba', false],
])('%s means %s: %s [agents.tools]', (pattern, tool, isMeant) => {
  expect(isListed([pattern], tool)).toBe(isMeant);
});
