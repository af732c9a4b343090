import {say, searchingKernel} from './searching-kernel.js';

// A process that searches once with each tool, and says what came of it to its parent only.
await using kernel = await searchingKernel({
  files: {'a.txt': 'needle\nneedle\nneedle\n', 'b.txt': 'nothing\n'},
  variables: process.env,
  homeFiles: {'.gemini/settings.json': process.argv[2] ?? '{}'},
});
const info = await (await kernel.service('search')).info();
const said = [
  await say(kernel, 'glob', {pattern: '*.txt'}),
  await say(kernel, 'grep_search', {pattern: 'needle', context: 0}),
];
process.send?.({engine: info.name, said: said.map(({model}) => model?.split('\n').slice(1))}, () =>
  process.disconnect(),
);
