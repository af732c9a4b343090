import {expect, test} from '@jest/globals';
import {startConversation} from './conversation.js';
import {resolveConfig} from '#plugins/agent/dist/model-configs.js';

const aliases = new Map<string, object>([
  ['base', {modelConfig: {generateContentConfig: {temperature: 0, topP: 1}}}],
  ['quick', {extends: 'base', modelConfig: {model: 'gemini-2.5-flash', generateContentConfig: {topP: 0.5}}}],
  ['round', {extends: 'round', modelConfig: {model: 'x'}}],
]);

test.each([
  ['a name that is no alias', 'pro', {model: 'pro', own: {}}],
  ['an alias with what it extends', 'quick', {model: 'gemini-2.5-flash', own: {temperature: 0, topP: 0.5}}],
  ['an alias that extends itself', 'round', {model: 'x', own: {}}],
])('%s is resolved [agent.model-configs]', (_, name, resolved) => {
  expect(resolveConfig(name, {aliases, overrides: []})).toEqual(resolved);
});

test('an override counts for its model, and one that asks for more than a model does not count [agent.model-configs]', () => {
  const overrides = [
    {match: {model: 'gemini-2.5-flash'}, modelConfig: {generateContentConfig: {temperature: 1}}},
    {match: {model: 'gemini-2.5-flash', isRetry: true}, modelConfig: {generateContentConfig: {temperature: 2}}},
  ];
  expect(resolveConfig('quick', {aliases, overrides})).toEqual({
    model: 'gemini-2.5-flash',
    own: {temperature: 1, topP: 0.5},
  });
});

test('what the settings say of a model is sent along [agent.model-configs]', async () => {
  await using talk = await startConversation({
    script: [{pieces: [{kind: 'text', text: 'ok'}]}],
    settings: {
      model: {name: 'mine'},
      modelConfigs: {
        customAliases: {mine: {modelConfig: {model: 'gemini-2.5-flash', generateContentConfig: {temperature: 0.25}}}},
      },
    },
  });
  await talk.send('go');
  expect(talk.server.requests[0]).toMatchObject({model: 'gemini-2.5-flash', config: {temperature: 0.25}});
});
