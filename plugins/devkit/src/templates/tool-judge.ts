/** A listener of a moment of the kernel. */
export const toolJudge = `import {listen} from '@gemini-kernel/kernel';

export default listen('tool:judge', {
  // Calls that do not match neither run nor load this file.
  filter: {effect: ['edit', 'delete', 'move'], path: '**/*.generated.*'},
  // A call that it must refuse: gemini doctor makes it to verify that this judge works.
  probe: {tool: 'write_file', effect: 'edit', touches: [{kind: 'path', value: '/a.generated.txt', access: 'write'}]},
  run: () => ({decision: 'deny', reason: 'This file is generated. Change what it is made from.'}),
});
`;
