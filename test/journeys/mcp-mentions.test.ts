import {expect} from '@jest/globals';
import {openAgentPlace, says} from '../helpers/run-agent.js';
import {CTRL_D, GeminiSitting, PROMPT} from '../helpers/sit-at-gemini.js';
import {scripted} from '../plugins/mcp/scene.js';
import {atTerminal} from './run-at-terminal.js';

const TAB = '\t';

atTerminal('@server: is completed to the resources of a server, which are read [mcp.resources]', async () => {
  await using place = await openAgentPlace({
    script: [says('Read.')],
    files: {'one.txt': '', '.gemini/settings.json': JSON.stringify({mcpServers: {one: scripted('extras')}})},
    variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true', GEMINI_MODEL: 'model-a'},
  });
  await using sitting = await GeminiSitting.begin(place);
  await sitting.go(
    [PROMPT, `Read @one:${TAB}`],
    ['Read @one:memo://', TAB],
    ['one:memo://1  one:memo://2', '1\r'],
    ['Read.\r\n', ''],
    [PROMPT, CTRL_D],
  );
  expect(await sitting.end()).toEqual({code: 0, isRestored: true});
  const said = JSON.stringify(place.server.requests[0]?.messages);
  expect(said).toContain('Content from @one:memo://1:');
});
