import {defineTool} from '@gemini-kernel/kernel';
import type {Fact} from '../contract.js';

export default defineTool({
  name: 'save_memory',
  description:
    'Remembers one lasting fact in a context file, after the user agreed. scope: global for what is true of the user ' +
    'everywhere (the default), private for their notes about this project, project for what everyone who works on it ' +
    'should know. Never a secret, nothing that only this task needs, and nothing that the context says already.',
  effect: 'edit',
  annotations: {destructiveHint: false, idempotentHint: true, openWorldHint: false},
  input: {
    type: 'object',
    required: ['fact'],
    additionalProperties: false,
    properties: {
      fact: {type: 'string', minLength: 1, maxLength: 1000, description: 'One sentence that needs no other.'},
      scope: {type: 'string', enum: ['global', 'private', 'project'], description: 'Whom it is for.'},
    },
  },
  async touches(input, {service}) {
    const {path, isKnown} = await (await service('memory')).propose(toFact(input));
    // The person's own files are in no workspace: rules about the tool decide, and ask in every mode.
    return isKnown || input.scope !== 'project' ? [] : [{kind: 'path', value: path, access: 'write'}];
  },
  async preview(input, {service}) {
    const {path, line, isKnown} = await (await service('memory')).propose(toFact(input));
    return {kind: 'text', text: isKnown ? `${path} says this already.` : `Adds a line to ${path}:\n+ ${line}`};
  },
  async run(input, {service}) {
    const {path, line, isKnown} = await (await service('memory')).keep(toFact(input));
    return {
      model: isKnown ? `Nothing to do: ${path} says this already.` : `Remembered in ${path}.`,
      display: isKnown ? `${path} says this already.` : `${path}\n+ ${line}`,
      data: {path, isKnown},
    };
  },
});

function toFact({fact, scope = 'global'}: {readonly fact: string; readonly scope?: Fact['scope']}): Fact {
  return {text: fact, scope};
}
