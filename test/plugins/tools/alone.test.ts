import {expect, test} from '@jest/globals';
import {createTestKernel} from '@gemini-kernel/kernel/testing';
import {pluginRoot} from '../../helpers/plugin-root.js';

test.each(['tools', 'doctor', 'tour', 'devkit'])('%s loads with nothing else', async (name) => {
  await using kernel = await createTestKernel({plugins: [pluginRoot(name)]});
  const {plugins, refused} = kernel.kernel.catalog;
  expect({plugins: [...plugins.keys()], refused, warnings: kernel.warnings}).toEqual({
    plugins: [`@gemini-kernel/plugin-${name}`],
    refused: [],
    warnings: [],
  });
});
