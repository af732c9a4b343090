import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {checkout} from '../helpers/plugin-root.js';
import {readSteps} from './markdown-steps.js';
import {follow, makeNewcomer} from './newcomer.js';

const settings = {
  target: 'ES2022',
  module: 'NodeNext',
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  rootDir: 'src',
  outDir: 'dist',
};

test('the code in kernel/README.md compiles, and does what it says', async () => {
  await using newcomer = await makeNewcomer();
  await newcomer.write(
    'package.json',
    JSON.stringify({
      name: 'dice',
      version: '1.0.0',
      type: 'module',
      gemini: {kernel: '^0.2.0'},
      oclif: {commands: './dist/commands'},
    }),
  );
  await newcomer.write('tsconfig.json', JSON.stringify({compilerOptions: settings, include: ['src']}));
  await newcomer.run(
    'npm install --save-dev "$CHECKOUT/kernel" "$CHECKOUT/kernel/admission" "$CHECKOUT/manifests" typescript@5 ' +
      '@types/node@20',
  );
  expect(await follow(newcomer, await readSteps(join(checkout, 'kernel', 'README.md')))).toEqual({
    files: 4,
    commands: 3,
  });
}, 60_000);
