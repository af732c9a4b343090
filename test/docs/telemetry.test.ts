import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {checkout} from '../helpers/plugin-root.js';
import {dialects, says} from '../helpers/run-agent.js';
import {readSteps} from './markdown-steps.js';
import {follow, makeNewcomer} from './newcomer.js';

test('who does what docs/telemetry.md says sees what it shows [docs.guides]', async () => {
  const [gemini] = dialects;
  if (!gemini) throw new Error('There is no model to answer.');
  await using server = await gemini.start([says('Nothing yet.')]);
  await using newcomer = await makeNewcomer({GEMINI_MODEL: gemini.model, ...gemini.variables(server.url)});
  const steps = await readSteps(join(checkout, 'docs', 'telemetry.md'));
  expect(await follow(newcomer, steps)).toEqual({files: 0, commands: 8});
  expect(server.requests).toHaveLength(1);
}, 60_000);
