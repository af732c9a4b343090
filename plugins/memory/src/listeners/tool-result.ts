import {listen, type Part} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {toBlocks} from '../context-files.js';

/** When work reaches a folder with its own context files, adds them to the result. */
export default listen('tool:result', {
  filter: {tool: ['read_file', 'read_many_files', 'write_file', 'replace', 'list_directory'], live: true},
  async run({call, value}, {service}) {
    const paths = call.touches.filter(({kind}) => kind === 'path').map((touch) => touch.value);
    const found = toBlocks(await (await service('memory')).meet(paths));
    if (found === '') return value;
    const text = `\n\n--- Newly Discovered Project Context ---\n${found}\n--- End Project Context ---`;
    const {model} = value;
    const parts: readonly Part[] = typeof model === 'string' ? [] : model;
    return {...value, model: typeof model === 'string' ? model + text : [...parts, {text}]};
  },
});
