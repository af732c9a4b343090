import {expect, test} from '@jest/globals';
import {openAgentPlace} from '../../helpers/run-agent.js';

test('gemini shells says that it needs a conversation: SHELLS_NEED_CONVERSATION [shells.background]', async () => {
  await using place = await openAgentPlace({});
  const {code, stdout} = await place.run(['shells', '--json']);
  expect(code).toBe(42);
  expect(JSON.parse(stdout)).toMatchObject({error: {code: 'SHELLS_NEED_CONVERSATION'}});
});
