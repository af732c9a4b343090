/** A listener that has its say in a moment of the kernel. */
export const toolJudge = `import {listen} from '@gemini-kernel/kernel';

export default listen('tool:judge', {
  // What does not match neither runs nor loads this file.
  filter: {effect: ['edit', 'delete', 'move'], path: '**/*.generated.*'},
  // A call that it must refuse: gemini doctor makes it, and says whether this judge still does its work.
  probe: {tool: 'write_file', effect: 'edit', touches: [{kind: 'path', value: '/a.generated.txt', access: 'write'}]},
  run: () => ({decision: 'deny', reason: 'This file is generated. Change what it is made from.'}),
});
`;
