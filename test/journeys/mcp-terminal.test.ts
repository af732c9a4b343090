import {join} from 'node:path';
import {expect} from '@jest/globals';
import {checkout} from '../helpers/plugin-root.js';
import {callsTools, openAgentPlace, says} from '../helpers/run-agent.js';
import {CTRL_D, GeminiSitting, PROMPT, QUESTION} from '../helpers/sit-at-gemini.js';
import {serveAuthorization} from '../plugins/mcp/authorization-server.js';
import {scripted} from '../plugins/mcp/scene.js';
import {atTerminal} from './run-at-terminal.js';

const BROWSER = `${process.execPath} ${join(checkout, 'test', 'fixtures', 'mcp', 'browser.mjs')}`;
const TAB = '\t';

atTerminal('a login in a conversation makes the tools of its server usable at once [mcp.login]', async () => {
  await using authorization = await serveAuthorization({});
  await using place = await openAgentPlace({
    script: [callsTools(['mcp_far_secret', {}]), says('I know it.')],
    files: {'.gemini/settings.json': JSON.stringify({mcpServers: {far: {httpUrl: authorization.url}}})},
  });
  await using sitting = await GeminiSitting.begin(place, {variables: {BROWSER}});
  await sitting.go(
    [PROMPT, '/mcp login far\r'],
    ['You are logged in to "far".', ''],
    [PROMPT, 'What is it?\r'],
    ['? mcp_far_secret (of far)', ''],
    [QUESTION, 'y'],
    ['I know it.\r\n', ''],
    [PROMPT, CTRL_D],
  );
  expect(await sitting.end()).toEqual({code: 0, isRestored: true});
  expect(JSON.stringify(place.server.requests[1]?.messages)).toContain('the secret');
});

atTerminal('a login that a call needs is offered, and the call continues after it [mcp.login-offer]', async () => {
  await using authorization = await serveAuthorization({stepUp: 'write'});
  await using place = await openAgentPlace({
    script: [callsTools(['mcp_far_secret', {}]), says('I know it.')],
    files: {'.gemini/settings.json': JSON.stringify({mcpServers: {far: {httpUrl: authorization.url}}})},
  });
  await using sitting = await GeminiSitting.begin(place, {variables: {BROWSER}});
  await sitting.go(
    [PROMPT, '/mcp login far\r'],
    ['You are logged in to "far".', ''],
    [PROMPT, 'What is it?\r'],
    [QUESTION, 'y'],
    ['it wants the permission "write".', ''],
    ['Log in now? [Y/n] ', 'y\r'],
    ['I know it.\r\n', ''],
    [PROMPT, CTRL_D],
  );
  expect(await sitting.end()).toEqual({code: 0, isRestored: true});
  expect(JSON.stringify(place.server.requests[1]?.messages)).toContain('the secret');
});

atTerminal('prompts of a server are slash commands with completion and all their messages [mcp.prompts]', async () => {
  await using place = await openAgentPlace({
    script: [says('Written.')],
    files: {'.gemini/settings.json': JSON.stringify({mcpServers: {one: scripted('extras')}})},
  });
  await using sitting = await GeminiSitting.begin(place);
  await sitting.go(
    [PROMPT, '/write-it help\r'],
    ['subject', ''],
    [PROMPT, `/write-it dogs --style=lo${TAB}`],
    ['--style=long', '\r'],
    ['Written.\r\n', ''],
    [PROMPT, CTRL_D],
  );
  expect(await sitting.end()).toEqual({code: 0, isRestored: true});
  const said = JSON.stringify(place.server.requests[0]?.messages);
  for (const part of ['Write \\"dogs\\" as long.', 'image/png', 'a memo']) expect(said).toContain(part);
});
